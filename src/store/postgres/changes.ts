/** What writing a row changes, and what rows of certain keys depend on. */
import type { Value } from "../../run/index.ts";
import type { Table } from "../schema/schema.ts";
import { type Change, type Depends, rowsBehind } from "./depends.ts";
import type { Held } from "./wire.ts";

function valueIn({ column }: Table, values: readonly Value[], field: string): Value {
  return values[column.get(field)?.index ?? -1];
}

/** What rows of certain keys depend on. */
export function ofKeys(keys: readonly number[]): Pick<Depends, "keys" | "behind"> {
  return { keys, behind: rowsBehind({ isIn: () => true, most: Infinity, isByKey: true }) };
}

/** What is written where a row gets values. `held`: those, as they are sent. */
export function changeOf(
  table: Table,
  key: number,
  values: readonly Value[],
  held: readonly Held[],
): Change {
  const now = (field: string): unknown => valueIn(table, values, field);
  return { table: table.name, key, now, row: () => [String(key), ...givenAs(table, held)] };
}

/** What was sent as the server gives it (PostgreSQL's documentation, "Boolean Type"). */
function givenAs({ columns }: Table, sent: readonly Held[]): readonly Held[] {
  const kinds = columns.flatMap(({ kind, there }) => (there === undefined ? [kind] : [kind, ""]));
  return sent.map((one, i) => (kinds[i] === "boolean" && one !== null ? (one[0] ?? "") : one));
}

/** The same of a row that is there before and behind. `was`: its values before, where known. */
export function stayingOf(table: Table, change: Change, was: readonly Value[] | undefined): Change {
  const stays = true;
  if (was === undefined) return { ...change, stays };
  return { ...change, stays, was: (field) => valueIn(table, was, field) };
}
