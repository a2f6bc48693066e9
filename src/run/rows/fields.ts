/** Compiles what the fields of a resource state about their values: starts, set, counts, random. */
import type { Field, Hash, Rule } from "../../plan/index.ts";
import { freeNames } from "../code.ts";
import { type Ending, Stop } from "../ending.ts";
import { orderOf } from "../evaluate/index.ts";
import { Frame, Unit } from "../frame.ts";
import type { Model, ResourceInfo } from "../model.ts";
import type { Row, Value } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import type { Work } from "../work.ts";
import { encodeRandom, makeId, makeUuid } from "./random.ts";

/** Gives the value of a new row where nothing was given; it may read the row made so far. */
type First = (work: Work, row: Row) => Value;
/** Gives a value computed from the row as it stands. */
type Later = (work: Work, row: Row) => Value;

export interface FieldMaker {
  readonly place: number;
  readonly field: Field;
  /** The value of a new row where nothing was given. */
  readonly first: First | undefined;
  /** A new row must have a value here. */
  readonly needed: boolean;
  /** The first value reads other fields of the row, which are filled before it. */
  readonly reads: boolean;
  /** `set` on create, after the first values. */
  readonly onCreate: Later | undefined;
  readonly onUpdate: Later | undefined;
  /** Places whose change sets it again. */
  readonly changes: readonly number[];
  readonly counts: { readonly from: bigint; readonly within: readonly number[] } | undefined;
  readonly countsChanges: boolean;
  readonly hash: Hash | undefined;
  /** How the secret is kept is not shown. */
  readonly keptGap: string | undefined;
  readonly order: "ascending" | "descending" | undefined;
}

/** The compiled fields of a resource. */
export interface FieldMakers {
  readonly info: ResourceInfo;
  readonly makers: readonly FieldMaker[];
}

type RuleOf<K extends Rule["kind"]> = Extract<Rule, { kind: K }>;

function ruleOf<K extends Rule["kind"]>(field: Field, kind: K): RuleOf<K> | undefined {
  return field.rules.find((rule): rule is RuleOf<K> => rule.kind === kind);
}

function firstOf(unit: Unit, info: ResourceInfo, field: Field): First | undefined {
  const starts = ruleOf(field, "starts");
  if (starts !== undefined) {
    const value = compileExpression(unit, starts.value);
    const it = unit.slot("it");
    return (work, row) => {
      const frame = new Frame(unit, work);
      frame.set(it, row);
      return value(frame);
    };
  }
  const random = ruleOf(field, "random");
  if (random !== undefined) {
    return ({ ambient }) => random.prefix + encodeRandom(ambient.random(random.bytes), random.form);
  }
  const { type } = field.type;
  if (type.kind === "state" && info.machine?.field === field.name) {
    const initial = info.machine.states.filter((state) => state.initial);
    return initial.length === 1 ? () => initial[0]?.name : undefined;
  }
  // An `id` is made by the service (its type says so); other types only where a rule says so.
  if (type.kind === "id" && field.create.is === "no") {
    return ({ ambient }) => (type.prefix ?? "") + makeId(ambient);
  }
  if (type.kind === "uuid" && field.create.is === "no" && info.resource.key === field.name) {
    return ({ ambient }) => makeUuid(ambient.random);
  }
  return undefined;
}

function orderRule(field: Field): "ascending" | "descending" | undefined {
  const order = ruleOf(field, "order")?.order;
  return order?.is === "stated" && order.value !== "as given" ? order.value : undefined;
}

function makerOf(unit: Unit, info: ResourceInfo, place: number): FieldMaker {
  const field = info.fields[place] as Field;
  const [set, starts] = [ruleOf(field, "set"), ruleOf(field, "starts")];
  const it = unit.slot("it");
  const value = set === undefined ? undefined : compileExpression(unit, set.value);
  const later: Later | undefined =
    value === undefined
      ? undefined
      : (work, row) => {
          const frame = new Frame(unit, work);
          frame.set(it, row);
          return value(frame);
        };
  const counts = ruleOf(field, "counts up");
  const places = (names: readonly string[]) => names.map((name) => info.at.get(name) ?? -1);
  return {
    place,
    field,
    first: firstOf(unit, info, field),
    needed: !field.type.orAbsent && !field.name.startsWith("#"),
    reads: starts !== undefined && freeNames(starts.value.code).has("it"),
    onCreate: set?.onCreate === true ? later : undefined,
    onUpdate: set?.onUpdate === true || (set?.changes.length ?? 0) > 0 ? later : undefined,
    changes: places(set?.changes ?? []),
    counts:
      counts === undefined
        ? undefined
        : { from: BigInt(counts.from), within: places(counts.within) },
    countsChanges: counts?.onEveryChange === true,
    hash: ruleOf(field, "kept as")?.hash,
    keptGap: gapOf(unit.model, field, "how it is kept"),
    order: orderRule(field),
  };
}

/** Compiles the fields of one resource. */
export function compileFields(model: Model, info: ResourceInfo): FieldMakers {
  const unit = new Unit(model);
  return { info, makers: info.fields.map((_, place) => makerOf(unit, info, place)) };
}

/** The gap of a field about a subject, if one is recorded. */
function gapOf(model: Model, field: Field, subject: string): string | undefined {
  const id = `${field.id}/gap ${subject}`;
  return model.gaps.get(id)?.blocking === true ? id : undefined;
}

/** How a request ends that would store a row in which this field has no value. */
export function noValue(model: Model, field: Field): Ending {
  const gap =
    gapOf(model, field, "starts") ??
    model.plan.gaps.find(
      (one) => one.blocking && one.id.startsWith(`${field.id}/`) && /value|starts/.test(one.id),
    )?.id;
  return { is: "gap", gap: gap ?? `${field.id}/starts`, silent: gap === undefined };
}

/** Items in the order in which the field keeps them. */
function inOrder(maker: FieldMaker, list: readonly Value[]): readonly Value[] {
  const { type } = maker.field.type;
  if (maker.order === undefined || type.kind !== "list") return list;
  const kind = type.of.type.kind;
  const compare = orderOf(
    ["integer", "decimal", "number", "timestamp", "duration", "date"].includes(kind)
      ? kind
      : "string",
  ) as (a: Value, b: Value) => number;
  const sign = maker.order === "descending" ? -1 : 1;
  return list.toSorted((a, b) => sign * compare(a, b));
}

/** A value as a column holds it: the key of a row; hashed where stated; a list in its order. */
export function storedValue(work: Work, maker: FieldMaker, value: Value): Value {
  const kind = maker.field.type.type.kind;
  if (kind === "list" && Array.isArray(value)) return inOrder(maker, value);
  if (kind === "secret" && maker.keptGap !== undefined && value !== null && value !== undefined) {
    throw new Stop({ is: "gap", gap: maker.keptGap });
  }
  if (kind === "reference" && typeof value === "object" && value !== null) {
    return (value as Row).key;
  }
  if (kind === "number" && value === 0) return 0;
  const { hash: kept } = maker;
  if (kept === undefined || kept.kind === "plain" || typeof value !== "string") return value;
  const { hash } = work.ambient.hooks;
  if (hash === undefined) throw new Stop({ is: "unsupported", item: maker.field.id });
  return hash(kept, value);
}
