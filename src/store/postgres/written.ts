/** Values as columns of PostgreSQL take them. */
import type { Value } from "../../run/index.ts";
import type { Column } from "../schema/columns.ts";
import { toKept } from "./text.ts";
import type { Held } from "./wire.ts";

/** A value of a column as it is sent. */
export function writtenAs({ kind, to }: Column, value: Value): Held {
  if (value === null || value === undefined) return null;
  const held = to(value);
  if (kind === "boolean") return held === 1 ? "true" : "false";
  return typeof held === "string" ? toKept(held) : String(held);
}
