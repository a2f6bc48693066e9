/** Compares the schemas of two plans, by their names. */
import type { Schema } from "../plan/index.ts";
import { type Compare, each, type Members, tellAdded, tellGone, told, wording } from "./found.ts";
import { paired } from "./pairs.ts";

const members: Members<Schema> = {
  id: wording,
  name: wording,
  schema: told("schema changed"),
  // It follows from the schema and from where values of it stand.
  asText: wording,
};

/** A schema that stands in a type has no name: another one is another type. */
const named = (all: readonly Schema[] = []): readonly Schema[] =>
  all.filter(({ name }) => !name.startsWith("{"));

/** Compares the schemas that have headings. */
export const schemaList: Compare<readonly Schema[] | undefined> = (before, now, on) => {
  const { both, gone, added } = paired(named(before), named(now), ({ name }) => name);
  for (const { id, name } of gone) tellGone({ ...on, about: name }, "schema removed", id);
  for (const { id, name } of added) tellAdded({ ...on, about: name }, "schema added", id);
  for (const [old, one] of both) {
    each(members, old, one, { ...on, about: one.name, before: old.id, now: one.id });
  }
};
