/** Makes of what a row had by one plan what it has by another: what is new in it has its value. */
import type { Renames } from "../../change/index.ts";
import { type Field, isScalar, type Plan, type ValueType } from "../../plan/index.ts";
import type { Row, Session, Value } from "../../run/index.ts";
import type { KeptRow } from "./kept-rows.ts";

/** Of a field that rows did not have before: the value that the document states for them. */
export type FirstValue = (field: Field) => Value;

/** What a migration states of a field: its value, of each row as the first plan has it. */
export type Decided = (
  resource: string,
  field: string,
) => ((session: Session, row: Row) => Value) | undefined;

/** How values come from one plan to another. */
export interface Passage {
  readonly before: Plan;
  readonly now: Plan;
  readonly first: FirstValue;
  readonly renames: Renames;
  /** Default: nothing is decided. */
  readonly decided?: Decided | undefined;
}

/** The values of a row by names of fields. */
export type Named = ReadonlyMap<string, Value>;

type Fill = (value: Value) => Value;

/** Fills parts that are kept inside values, and says words anew, at any depth. */
class Inner {
  readonly #passage: Passage;
  readonly #known = new Map<string, { fill: Fill | undefined }>();

  constructor(passage: Passage) {
    this.#passage = passage;
  }

  /** Undefined: values stay as they are. `holder`: the resource or part of the second plan. */
  ofField(holder: string, old: Field, now: Field): Fill | undefined {
    const words = this.#passage.renames.words(holder, now.name);
    return this.#ofType(old.type, now.type, words);
  }

  #ofType(
    { type: before }: ValueType,
    { type: now }: ValueType,
    words: ReadonlyMap<string, string> | undefined,
  ): Fill | undefined {
    if (isScalar(before) || isScalar(now)) {
      return words && there((value) => words.get(value as string) ?? value);
    }
    if (before.kind === "structure" && now.kind === "structure") {
      return this.#ofPart(before.name, now.name);
    }
    if (before.kind === "list" && now.kind === "list") {
      const fill = this.#ofType(before.of, now.of, words);
      return fill && there((value) => (value as readonly Value[]).map(fill));
    }
    if (before.kind === "map" && now.kind === "map") {
      const fill = this.#ofType(before.of, now.of, words);
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
      this.#passage.before.partTypes.find((one) => one.name === before),
      this.#passage.now.partTypes.find((one) => one.name === now),
    ];
    if (old === undefined || part === undefined) return undefined;
    const name = JSON.stringify([before, now]);
    return there((value) => {
      let found = this.#known.get(name);
      if (found === undefined) {
        found = { fill: undefined };
        this.#known.set(name, found);
        found.fill = this.#members(part.name, old.fields, part.fields);
      }
      return found.fill === undefined ? value : found.fill(value);
    });
  }

  #members(part: string, before: readonly Field[], now: readonly Field[]): Fill | undefined {
    const known = new Map(before.map((one) => [one.name, one]));
    const members = now.map((field) => {
      const old = known.get(this.#passage.renames.field(part, field.name));
      return { field, old, fill: old && this.ofField(part, old, field) };
    });
    const isSame = members.every(
      ({ field, old, fill }) => old?.name === field.name && fill === undefined,
    );
    if (isSame && members.length === before.length) return undefined;
    return (value) => {
      const made = new Map<string, Value>();
      for (const { field, old, fill } of members) {
        const kept =
          old === undefined ? this.#passage.first(field) : (value as Named).get(old.name);
        const own = old === undefined || fill === undefined ? kept : fill(kept);
        if (own !== undefined) made.set(field.name, own);
      }
      return made;
    };
  }
}

const there =
  (fill: Fill): Fill =>
  (value) =>
    value === null || value === undefined ? value : fill(value);

/** Gives the values of a row of the second plan. `session`: of the store as the first has it. */
type Inherit = (row: KeptRow, session: Session) => Named;

/** Compiles what rows of resources of the second plan have, each by its name. */
export function compileHeirs(passage: Passage): (resource: string) => Inherit {
  const { before, now, first, renames, decided } = passage;
  const inner = new Inner(passage);
  return (resource) => {
    const name = renames.resource(resource);
    const old = fieldsOf(before, name);
    const known = new Map(old.map((one) => [one.name, one]));
    const fields = fieldsOf(now, resource).map((field) => {
      const value = decided?.(resource, field.name);
      const was = known.get(renames.field(resource, field.name));
      if (value !== undefined) return { field, value };
      if (was === undefined) return { field, value: once(() => first(field)) };
      return { field, was: was.name, fill: inner.ofField(resource, was, field) };
    });
    return ({ key, values }, session) => {
      const made = new Map<string, Value>();
      let row: Row | undefined;
      for (const { field, was, fill, value } of fields) {
        if (value !== undefined) {
          row ??= { resource: name, key, values: old.map((one) => values.get(one.name)) };
          made.set(field.name, value(session, row));
          continue;
        }
        const kept = values.get(was ?? "");
        made.set(field.name, fill === undefined ? kept : fill(kept));
      }
      return made;
    };
  };
}

function once(make: () => Value): () => Value {
  let made: { readonly is: Value } | undefined;
  return () => {
    made ??= { is: make() };
    return made.is;
  };
}

/** The fields of a resource; none where the plan has no such. */
export function fieldsOf({ resources }: Plan, name: string): readonly Field[] {
  return resources.find((one) => one.name === name)?.fields ?? [];
}
