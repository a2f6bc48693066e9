/** Names that PostgreSQL takes as they are. */
import type { Schema } from "../schema/schema.ts";
import { StorageFault } from "../sqlite/fault.ts";

/** The server cuts what is longer without a word, so that two names may become one. */
const NAME_BYTES = 63;

/** Throws `StorageFault` for a name that is too long. */
export function judgeNames({ tables }: Schema): void {
  const names = [...tables.values()].flatMap(({ name, columns, lists, indexes }) => [
    ...[name, ...lists.values(), ...indexes.map((one) => one.name)],
    ...columns.flatMap((one) => [one.name, one.there ?? ""]),
  ]);
  const long = names.find((one) => Buffer.byteLength(one) > NAME_BYTES);
  if (long === undefined) return;
  throw new StorageFault(
    "SCHEMA",
    `the name \`${long}\` of a table or column would be longer than the ${NAME_BYTES} bytes that ` +
      "PostgreSQL takes: shorten the name of the resource or field, or keep it in a file",
  );
}
