/** Which rows the names of steps stand for, and which rows and fields a step itself touches. */
import { never } from "../base/index.ts";
import type { Code, Type } from "../expr/index.ts";
import { hiddenRules } from "./hidden-rules.ts";
import type { Field, Resource, Routine, Service, Step } from "./types/index.ts";

/** The row that a name of the steps stands for: one of a resource, or the very row. */
export interface NamedRow {
  readonly resource: string;
  readonly isOwn: boolean;
  /** Steps before have made it: no time has passed for it. */
  readonly isNew?: true;
}

export type RowNames = ReadonlyMap<string, NamedRow>;

const some = (resource: string): NamedRow => ({ resource, isOwn: false });

function made({ resource, unlessThere }: Extract<Step, { kind: "create" }>): NamedRow {
  return unlessThere ? some(resource) : { ...some(resource), isNew: true };
}

function rowOf(type: Type): string | undefined {
  if (type.kind === "row") return type.resource;
  return type.kind === "nullable" || type.kind === "list" ? rowOf(type.of) : undefined;
}

/** The row, or one of the rows, that code gives; undefined: it gives none. */
function rowGiven(code: Code, names: RowNames): NamedRow | undefined {
  if (code.op === "name" && names.has(code.name)) return names.get(code.name);
  const resource = rowOf(code.type);
  return resource === undefined ? undefined : some(resource);
}

/** The row that a name or dotted name means; undefined: that is not known. */
export function rowNamed(
  resources: readonly Resource[],
  names: RowNames,
  name: string,
): NamedRow | undefined {
  const [first = "", ...rest] = name.split(".");
  return rest.reduce((row, member) => {
    const owner = resources.find((one) => one.name === row?.resource);
    const type = owner?.fields.find((one) => one.name === member)?.type.type;
    return type?.kind === "reference" ? some(type.resource) : undefined;
  }, names.get(first));
}

/** Takes the row that a step gives a name; a name that stands for no row any more is forgotten. */
export function bindRow(step: Step, names: Map<string, NamedRow>): void {
  const bound = boundBy(step, names);
  if (bound === undefined) return;
  if (bound.row === undefined) names.delete(bound.as);
  else names.set(bound.as, bound.row);
}

function boundBy(
  step: Step,
  names: RowNames,
): { readonly as: string; readonly row: NamedRow | undefined } | undefined {
  switch (step.kind) {
    case "let one":
      return { as: step.as, row: some(step.resource) };
    case "create":
      return step.as === undefined ? undefined : { as: step.as, row: made(step) };
    case "let":
      return { as: step.as, row: rowGiven(step.value.code, names) };
    case "for each":
      return { as: step.as, row: rowGiven(step.in.code, names) };
    case "let every":
      return { as: step.as, row: undefined };
    case "check":
    case "check tag":
    case "require":
    case "order":
    case "page":
    case "page after":
    case "set":
    case "set from":
    case "delete":
    case "delete every":
    case "fire":
    case "may fire":
    case "emit":
    case "call":
    case "do":
    case "respond":
    case "refuse":
    case "when":
    case "cases":
    case "any order":
    case "gap":
      return undefined;
    default:
      return never(step);
  }
}

/** The rows that steps under a name are given where a step does them: they know no other name. */
export function rowsGiven(
  { given }: Routine,
  step: Extract<Step, { kind: "do" }>,
  names: RowNames,
): Map<string, NamedRow> {
  const inside = new Map<string, NamedRow>();
  for (const { name, type } of given) {
    const value = step.with.find((one) => one.name === name)?.value;
    const row = value === undefined ? undefined : rowGiven(value.code, names);
    if (row !== undefined) inside.set(name, row);
    else if (type.type.kind === "reference") inside.set(name, some(type.type.resource));
  }
  return inside;
}

/** The fields that change when one of some does, as the rules of the others state it. */
export function changedWith(
  fields: readonly Field[],
  names: Iterable<string>,
): ReadonlySet<string> {
  const changed = new Set(names);
  for (let size = -1; size !== changed.size; ) {
    size = changed.size;
    for (const field of fields) {
      const follows = field.rules.some(
        (rule) =>
          (rule.kind === "set" &&
            (rule.onUpdate || rule.changes.some((one) => changed.has(one)))) ||
          (rule.kind === "counts up" && rule.onEveryChange),
      );
      if (follows || hiddenRules(field) !== undefined) changed.add(field.name);
    }
  }
  return changed;
}

/** What a step itself does to a row, or to rows of a resource. `row` undefined: to any. */
export type OwnTouch =
  | { readonly is: "made"; readonly row: NamedRow }
  | { readonly is: "gone"; readonly row: NamedRow | undefined }
  | {
      readonly is: "changed";
      readonly row: NamedRow | undefined;
      /** Without those that follow from them. */
      readonly fields: readonly string[];
    };

/** What the step itself does to rows, besides the steps in it; undefined: nothing. */
export function touchOf(
  { resources }: Pick<Service, "resources">,
  step: Step,
  names: RowNames,
): OwnTouch | undefined {
  if (step.kind === "create") return { is: "made", row: some(step.resource) };
  if (step.kind === "delete every") return { is: "gone", row: some(step.resource) };
  if (step.kind !== "delete" && step.kind !== "set" && step.kind !== "set from") return undefined;
  const row = rowNamed(resources, names, step.target);
  if (step.kind === "delete") return { is: "gone", row };
  if (step.kind === "set") return { is: "changed", row, fields: [step.field] };
  // What a client may change.
  const all = resources.find(({ name }) => name === row?.resource)?.fields ?? [];
  const given = all.filter(({ update }) => update.is !== "no");
  return { is: "changed", row, fields: given.map(({ name }) => name) };
}
