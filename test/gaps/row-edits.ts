/** Other values in rows of a service: what they may be, and how they come into a row. */
import { type Plan, withClocks } from "../../src/plan/index.ts";
import type { OpenStore } from "../../src/store/index.ts";
import { changesOf, dueOf, type RowChange } from "../why/edits.ts";
import type { RowEdit } from "./play.ts";

const fieldsOf = (plan: Plan, resource: string) =>
  withClocks(plan).resources.find(({ name }) => name === resource)?.fields ?? [];

/** Puts the value into the row, where there is one. */
export function write(
  store: OpenStore,
  plan: Plan,
  { resource, key, field, value }: RowEdit,
): void {
  const place = fieldsOf(plan, resource).findIndex(({ name }) => name === field);
  store.begin("write");
  const row = store.session.get(resource, key);
  if (row !== undefined && place >= 0) {
    store.session.update(resource, key, row.values.with(place, value));
  }
  store.commit();
}

/** Values with the names of their fields. */
function named(plan: Plan, { edits }: RowChange): RowEdit[] {
  return edits.map(({ resource, key, place, value }): RowEdit => {
    return { resource, key, field: fieldsOf(plan, resource)[place]?.name ?? "", value };
  });
}

const NAMED_MAX = 4;

/** Each reference of the last row of a resource, to other rows. */
function references({ session }: OpenStore, plan: Plan): RowEdit[] {
  return plan.resources.flatMap(({ name: resource, fields }) => {
    const row = session.all(resource).at(-1);
    return fields.flatMap(({ name: field, type: { type } }): RowEdit[] => {
      if (row === undefined || type.kind !== "reference") return [];
      const rows = session.all(type.resource).slice(-NAMED_MAX);
      return rows.map((one) => ({ resource, key: row.key, field, value: one.key }));
    });
  });
}

/** Other values of single fields: states, times, numbers, other rows, and what other rows have. */
export function editsOf(store: OpenStore, plan: Plan, now: bigint): RowEdit[] {
  const changes = changesOf(plan, store.session, now);
  return [...references(store, plan), ...changes.flatMap((one) => named(plan, one))];
}

/** For each transition on time values by which all rows that it takes fall due at once. */
export function dueEditsOf(store: OpenStore, plan: Plan, now: bigint): RowEdit[][] {
  return dueOf(plan, store.session, now)
    .filter(({ what }) => what.endsWith(", all"))
    .map((one) => named(plan, one));
}
