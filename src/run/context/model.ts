/** Look-ups over one plan, made once when it is compiled; gives indexes, never behaviour. */
import type { Code } from "../../expr/index.ts";
import {
  doubtsOf,
  type ErrorDefinition,
  type Field,
  type Gap,
  type ItemId,
  isStated,
  MARK,
  type Machine,
  type Plan,
  References,
  type Resource,
  type Routine,
  type RowGaps,
  rowGapsOf,
  type Shape,
  statedOf,
} from "../../plan/index.ts";
import { RUN_BOUNDS } from "../evaluate/bounds.ts";
import type { Source } from "../evaluate/index.ts";
import type { Members, ProgramOptions, Row } from "../ports/index.ts";
import { type Names, namesOf } from "../read/names.ts";
import { clocksOf, type RowClock } from "./transition-timers.ts";

/** A field by its place in a resource. */
export interface FieldPlace {
  readonly info: ResourceInfo;
  readonly field: number;
}

/** While the look-ups are made. */
type Making = ResourceInfo & { readonly referrers: FieldPlace[]; readonly keepers: FieldPlace[] };

export interface ResourceInfo {
  readonly resource: Resource;
  readonly name: string;
  readonly fields: readonly Field[];
  readonly fieldNames: readonly string[];
  /** The fields in the order in which the document states them. */
  readonly shown: readonly Field[];
  readonly at: ReadonlyMap<string, number>;
  /** Place of the field that names a row to clients. */
  readonly key: number | undefined;
  readonly machine: Machine | undefined;
  /** Place of the field that holds the state. */
  readonly state: number | undefined;
  /** Times that the service itself keeps in each row. */
  readonly clocks: readonly RowClock[];
  /** Condition over `it` and `caller` that hides rows from callers. */
  readonly filter: Code | undefined;
  /** The item that states it. */
  readonly filterItem: ItemId | undefined;
  readonly gaps: RowGaps;
  /** Place of the field that names the gap which a time of the row has met. */
  readonly mark: number | undefined;
  /** Whether a row at the start may meet a gap, and not be there. */
  readonly mayLackRows: boolean;
  /** Resources of which a time that meets a gap leaves open what rows of this one there are. */
  readonly doubters: readonly string[];
  /** Whether a value of a row may not be known though the row is there. */
  readonly isDoubtful: boolean;
  /** The same by the plan alone, whatever the host doubts. */
  readonly isOpen: boolean;
  /** Fields of other resources that refer to rows of this one. */
  readonly referrers: readonly FieldPlace[];
  /** Fields of all resources whose values name rows of this one, at any depth. */
  readonly keepers: readonly FieldPlace[];
}

/** Gives a part, written as a literal in the work that evaluates it, what its table fills in. */
type MakePart = (work: Source, part: string, given: Members) => Members;

/** Whether the caller of a work sees a row, by what `Rows` states. */
type Sees = (work: Source, row: Row) => boolean;

export interface Model {
  readonly plan: Plan;
  readonly options: ProgramOptions;
  readonly resources: ReadonlyMap<string, ResourceInfo>;
  readonly shapes: ReadonlyMap<string, Shape>;
  readonly errors: ReadonlyMap<string, ErrorDefinition>;
  readonly routines: ReadonlyMap<string, Routine>;
  readonly gaps: ReadonlyMap<ItemId, Gap>;
  readonly wire: Names;
  /** What the document says of itself, as expressions see it. */
  readonly service: Members;
  /** Makes the parts that expressions write as literals; set when the plan is compiled. */
  readonly literals: { make: MakePart };
  /** Tells whether a caller sees a row; set when the plan is compiled. */
  readonly sight: { sees: Sees };
  readonly workMax: number;
  fields(resource: string): readonly string[];
  isDoubtful(resource: string): boolean;
  /** The info of a resource that the plan has; throws otherwise (a bug of the plan). */
  info(resource: string): ResourceInfo;
  readonly references: References;
  /** A number that no other query of the program has. */
  nextQuery(): number;
}

const WORK_MAX = RUN_BOUNDS.work.value;

/** What is not named comes last. */
function inOrder(fields: readonly Field[], names: readonly string[] | undefined): readonly Field[] {
  if (names === undefined) return fields;
  const places = new Map(names.map((name, place) => [name, place]));
  const placeOf = ({ name }: Field): number => places.get(name) ?? names.length;
  return fields.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function infoOf(
  plan: Plan,
  resource: Resource,
  { shownOrder: order, doubts }: ProgramOptions,
): Making {
  const at = new Map(resource.fields.map((field, i) => [field.name, i]));
  const machine = plan.machines.find((one) => one.resource === resource.name);
  const rows = resource.invariants.find((one) => one.kind === "rows");
  const gaps = rowGapsOf(plan, resource);
  const unseen: Code | undefined =
    gaps.seen === undefined ? undefined : { op: "gap", type: { kind: "boolean" }, gap: gaps.seen };
  const mark = at.get(MARK);
  const doubters = doubtsOf(plan).doubters.get(resource.name) ?? [];
  const isMarked = mark !== undefined || doubters.length > 0;
  const isOpen = isMarked || gaps.used !== undefined || gaps.restless.size > 0;
  return {
    gaps,
    mark,
    doubters,
    mayLackRows: isStated(resource.startRows) && plan.gaps.some((gap) => gap.blocking),
    isDoubtful: isOpen || doubts !== undefined,
    isOpen,
    resource,
    at,
    machine,
    name: resource.name,
    fields: resource.fields,
    fieldNames: resource.fields.map((field) => field.name),
    shown: inOrder(resource.fields, order?.(resource.name)),
    key: resource.key === undefined ? undefined : at.get(resource.key),
    state: machine === undefined ? undefined : at.get(machine.field),
    clocks: clocksOf(machine, at),
    filterItem: rows?.id,
    filter: unseen ?? (rows?.kind === "rows" ? rows.where.code : undefined),
    referrers: [],
    keepers: [],
  };
}

/** Makes the look-ups of a plan. */
export function modelOf(plan: Plan, options: ProgramOptions): Model {
  const byName = <T extends { readonly name: string }>(items: readonly T[]): Map<string, T> =>
    new Map(items.map((item) => [item.name, item]));
  const resources = new Map(plan.resources.map((one) => [one.name, infoOf(plan, one, options)]));
  const references = new References(plan.partTypes);
  for (const info of resources.values()) {
    for (const [field, { type }] of info.fields.entries()) {
      for (const name of references.named(type)) {
        const target = resources.get(name);
        target?.keepers.push({ info, field });
        if (type.type.kind === "reference") target?.referrers.push({ info, field });
      }
    }
  }
  const queries = options.queries ?? { next: 0 };
  const info = (name: string): ResourceInfo => {
    const found = resources.get(name);
    if (found === undefined) throw new Error(`the plan has no resource ${name}`);
    return found;
  };
  return {
    plan,
    options,
    resources,
    info,
    shapes: byName(plan.shapes),
    errors: byName(plan.errors),
    routines: byName(plan.routines),
    gaps: new Map(plan.gaps.map((gap) => [gap.id, gap])),
    wire: namesOf(plan, options.trace),
    service: new Map([["version", statedOf(plan.versioning.version)]]),
    literals: {
      make: () => {
        throw new Error("the plan is not compiled");
      },
    },
    sight: { sees: () => false },
    workMax: options.workMax ?? WORK_MAX,
    fields: (name) => info(name).fieldNames,
    isDoubtful: (name) => info(name).isDoubtful,
    references,
    nextQuery: () => queries.next++,
  };
}
