/** Makes of what a row had by one plan what it has by another: what is new in it has its value. */
import { type Field, isScalar, type Plan, type ValueType } from "../../plan/index.ts";
import type { Value } from "../../run/index.ts";

/** Of a field that rows did not have before: the value that the document states for them. */
export type FirstValue = (field: Field) => Value;

/** The values of a row by names of fields. */
export type Named = ReadonlyMap<string, Value>;

type Fill = (value: Value) => Value;

/** Fills parts that are kept inside values, at any depth. */
class Parts {
  readonly #before: Plan;
  readonly #now: Plan;
  readonly #first: FirstValue;
  readonly #known = new Map<string, { fill: Fill | undefined }>();

  constructor(before: Plan, now: Plan, first: FirstValue) {
    this.#before = before;
    this.#now = now;
    this.#first = first;
  }

  /** Undefined: values stay as they are. */
  ofType({ type: before }: ValueType, { type: now }: ValueType): Fill | undefined {
    if (isScalar(before) || isScalar(now)) return undefined;
    if (before.kind === "structure" && now.kind === "structure") {
      return this.#ofPart(before.name, now.name);
    }
    if (before.kind === "list" && now.kind === "list") {
      const fill = this.ofType(before.of, now.of);
      return fill && there((value) => (value as readonly Value[]).map(fill));
    }
    if (before.kind === "map" && now.kind === "map") {
      const fill = this.ofType(before.of, now.of);
      return (
        fill &&
        there((value) => new Map([...(value as Named)].map(([name, one]) => [name, fill(one)])))
      );
    }
    return undefined;
  }

  /** A part may hold itself, so that what is filled in is found when the first value comes. */
  #ofPart(before: string, now: string): Fill | undefined {
    const [old, part] = [
      this.#before.partTypes.find((one) => one.name === before),
      this.#now.partTypes.find((one) => one.name === now),
    ];
    if (old === undefined || part === undefined) return undefined;
    const name = JSON.stringify([before, now]);
    return there((value) => {
      let found = this.#known.get(name);
      if (found === undefined) {
        found = { fill: undefined };
        this.#known.set(name, found);
        found.fill = this.#members(old.fields, part.fields);
      }
      return found.fill === undefined ? value : found.fill(value);
    });
  }

  #members(before: readonly Field[], now: readonly Field[]): Fill | undefined {
    const known = new Map(before.map((one) => [one.name, one]));
    const added = now.filter(({ name }) => !known.has(name));
    const inner = now.flatMap((field) => {
      const old = known.get(field.name);
      const fill = old && this.ofType(old.type, field.type);
      return fill === undefined ? [] : [[field.name, fill] as const];
    });
    if (added.length === 0 && inner.length === 0) return undefined;
    return (value) => {
      const made = new Map(value as Named);
      for (const [name, fill] of inner) if (made.has(name)) made.set(name, fill(made.get(name)));
      for (const field of added) {
        const first = this.#first(field);
        if (first !== undefined) made.set(field.name, first);
      }
      return made;
    };
  }
}

const there =
  (fill: Fill): Fill =>
  (value) =>
    value === null || value === undefined ? value : fill(value);

/** Compiles what rows of a resource of the second plan have. */
export function compileHeirs(
  before: Plan,
  now: Plan,
  first: FirstValue,
): (before: readonly Field[], now: readonly Field[]) => (values: Named) => Named {
  const parts = new Parts(before, now, first);
  return (old, fields) => {
    const known = new Map(old.map((one) => [one.name, one]));
    const fills = fields.map((field) => {
      const was = known.get(field.name);
      if (was !== undefined) return { name: field.name, fill: parts.ofType(was.type, field.type) };
      let value: { readonly is: Value } | undefined;
      const fill = (): Value => {
        value ??= { is: first(field) };
        return value.is;
      };
      return { name: field.name, fill };
    });
    return (values) => {
      const made = new Map<string, Value>();
      for (const { name, fill } of fills) {
        const value = values.get(name);
        made.set(name, fill === undefined ? value : fill(value));
      }
      return made;
    };
  };
}
