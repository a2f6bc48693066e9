/** The rows among what a call is given, at any depth: noted by their keys, and put back later. */
import { type Call, isScalar, type Part, type ValueType } from "../../plan/index.ts";
import type { GivenRow, Members, Row, Value } from "../ports/index.ts";

type Named = Call["given"][number];

type Key = Pick<GivenRow, "resource" | "key">;

/** The keys of the rows in a value, in the order in which they stand. */
function keysIn(parts: readonly Part[], { type }: ValueType, value: Value): readonly Key[] {
  if (isScalar(type) || value === null || value === undefined) return [];
  switch (type.kind) {
    case "reference": {
      const key = typeof value === "number" ? value : (value as Row).key;
      return [{ resource: type.resource, key }];
    }
    case "list":
      return (value as readonly Value[]).flatMap((one) => keysIn(parts, type.of, one));
    case "map":
      return [...(value as ReadonlyMap<string, Value>).values()].flatMap((one) =>
        keysIn(parts, type.of, one),
      );
    case "structure":
      return fieldsOf(parts, type.name).flatMap(({ name, type: inner }) =>
        keysIn(parts, inner, (value as ReadonlyMap<string, Value>).get(name)),
      );
  }
}

function fieldsOf(parts: readonly Part[], name: string): Part["fields"] {
  return parts.find((one) => one.name === name)?.fields ?? [];
}

/** Rows among the values of names, in their order. */
export function rowsGiven(
  parts: readonly Part[],
  given: readonly Named[],
  values: Members,
): readonly GivenRow[] {
  return given.flatMap(({ name, type }) =>
    keysIn(parts, type, values.get(name) as Value).map((row) => ({ name, ...row })),
  );
}

/** Gives the next row that was noted; undefined where it is gone. */
type NextRow = () => Row | undefined;

/** The value with the rows in place of what names them; a row that is gone is left out. */
export function withRows(
  parts: readonly Part[],
  { type }: ValueType,
  value: Value,
  next: NextRow,
): Value {
  if (isScalar(type) || value === null || value === undefined) return value;
  switch (type.kind) {
    case "reference":
      return next();
    case "list":
      return (value as readonly Value[])
        .map((one) => withRows(parts, type.of, one, next))
        .filter((one) => one !== undefined);
    case "map":
      return there(
        [...(value as ReadonlyMap<string, Value>)].map(
          ([name, one]) => [name, withRows(parts, type.of, one, next)] as const,
        ),
      );
    case "structure": {
      const members = value as ReadonlyMap<string, Value>;
      return new Map([
        ...members,
        ...fieldsOf(parts, type.name).map(
          ({ name, type: inner }) =>
            [name, withRows(parts, inner, members.get(name), next)] as const,
        ),
      ]);
    }
  }
}

function there(entries: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> {
  return new Map(entries.filter(([, one]) => one !== undefined));
}
