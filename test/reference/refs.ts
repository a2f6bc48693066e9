/** Puts rows in place of the keys by which clients name them, wherever a type has a reference. */
import type { Endpoint, InputPlace, Refusal, ValueType } from "../../src/plan/index.ts";
import { meet } from "./coverage.ts";
import { equal, isList, isMap, isRef, type Ref, type Value } from "./values.ts";
import type { Ending, Work } from "./work.ts";
import { resourceOf } from "./world.ts";

/** A reference names no row: what the document states for it, or the input that is wrong. */
export class NamesNone extends Error {
  readonly refusal: Refusal | undefined;
  readonly input: string | null;

  constructor(refusal: Refusal | undefined, input: string | null = null) {
    super("a reference names no row");
    this.refusal = refusal;
    this.input = input;
  }

  ending(work: Work, names: Iterable<readonly [string, Value]>): Ending {
    if (this.refusal !== undefined) return work.refuse(this.refusal, names);
    return { is: "failures", failures: [{ condition: "wrong type", field: this.input }] };
  }
}

/** The row that a client names by its key, among those it may see. */
function rowOf(work: Work, resource: string, key: Value): Ref | undefined {
  const name = resourceOf(work.plan, resource).key ?? "";
  return work.first(resource, (row) => equal(work.field(row, name), key));
}

/** Throws what `none` makes for the place of a reference that names no row. */
export function resolveRefs(
  work: Work,
  { type }: ValueType,
  value: Value,
  none: (path: readonly string[]) => Error,
  path: readonly string[] = [],
  around: ReadonlyMap<string, readonly string[]> = new Map(),
): Value {
  if (value === null || value === undefined || isRef(value)) return value;
  switch (type.kind) {
    case "reference": {
      const row = rowOf(work, type.resource, value);
      meet("reference", row === undefined ? "names no row" : "names a row");
      if (row === undefined) throw none(path);
      return row;
    }
    case "list":
      return isList(value)
        ? value.map((one) => resolveRefs(work, type.of, one, none, path, around))
        : value;
    case "map":
      return isMap(value)
        ? new Map(
            [...value].map(([name, one]) => [
              name,
              resolveRefs(work, type.of, one, none, path, around),
            ]),
          )
        : value;
    case "structure": {
      const part = work.plan.partTypes.find((one) => one.name === type.name);
      if (part === undefined || !isMap(value)) return value;
      const made = new Map(value);
      // A part inside itself is answered for where it stands first.
      const own = around.get(part.name) ?? path;
      const inside = new Map(around).set(part.name, own);
      for (const { name, type: inner } of part.fields) {
        if (!made.has(name)) continue;
        made.set(name, resolveRefs(work, inner, made.get(name), none, [...own, name], inside));
      }
      return made;
    }
    default:
      return value;
  }
}

/** Changes what lies below a path of members; what is not there stays so. */
function below(of: Value, path: readonly string[], change: (value: Value) => Value): Value {
  const [name, ...rest] = path;
  if (name === undefined) return change(of);
  if (!isMap(of) || !of.has(name)) return of;
  return new Map([...of, [name, below(of.get(name), rest, change)]]);
}

/** The inputs of one place. Throws `NamesNone`. */
export function resolvePlace(
  work: Work,
  endpoint: Endpoint,
  place: InputPlace,
  inputs: ReadonlyMap<string, Value>,
): ReadonlyMap<string, Value> {
  const made = new Map(inputs);
  for (const { name, type, in: where } of endpoint.inputs) {
    if (where !== place || !made.has(name)) continue;
    const none = () => new NamesNone(undefined, name);
    made.set(name, resolveRefs(work, type, made.get(name), none));
  }
  return made;
}

/** The body: first the rows of the input table, then what the Body bullet says. */
export function resolveBody(work: Work, endpoint: Endpoint, sent: Value): Value {
  let body = sent;
  for (const { name, type, in: place } of endpoint.inputs) {
    if (place !== "body") continue;
    const none = () => new NamesNone(undefined, name);
    body = below(body, name.split("."), (value) => resolveRefs(work, type, value, none));
  }
  if (endpoint.body.is !== "stated") return body;
  const { content, member } = endpoint.body.value;
  const path = member?.split(".") ?? [];
  if (content.is === "type") {
    const none = () => new NamesNone(undefined, member ?? null);
    return below(body, path, (value) => resolveRefs(work, content.type, value, none));
  }
  const { fields, invariants } = resourceOf(work.plan, content.resource);
  return below(body, path, (value) => {
    if (!isMap(value)) return value;
    const made = new Map(value);
    for (const { name, type, ...field } of fields) {
      const given = content.is === "new" ? field.create : field.update;
      if (given.is === "no" || !made.has(name)) continue;
      const none = (at: readonly string[]): Error => {
        const dotted = at.join(".");
        const found = invariants.find((one) => one.kind === "missing" && one.field === dotted);
        return new NamesNone(
          found?.kind === "missing"
            ? found.otherwise
            : { is: "gap", gap: `${field.id}${dotted.slice(name.length)}/missing` },
        );
      };
      made.set(name, resolveRefs(work, type, made.get(name), none, [name]));
    }
    return made;
  });
}
