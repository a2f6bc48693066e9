/** Writes what a call is given and reads what it says, as JSON whose digits no language loses. */
import { type Call, isScalar, type Part, type ValueType } from "../../plan/index.ts";
import { type MissingAt, resolverOf } from "../checks/inputs.ts";
import type { CompilerServices } from "../compile/services.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Members, Value } from "../ports/index.ts";
import { FailureCollector } from "../read/failure-collector.ts";
import { compileValue } from "../read/value.ts";
import { typeColumn } from "../show/types.ts";
import { isJsonObject, type Json } from "../wire/json.ts";
import { parseJson } from "../wire/parse.ts";
import { passed } from "../wire/passed.ts";
import { Wrong } from "../wire/wrong.ts";

type Named = Call["given"][number];

/** Compiles the writer of an object with a member for each name; one without a value is absent. */
export function compileGiving(
  services: CompilerServices,
  given: readonly Named[],
): (tx: Transaction, values: Members) => string {
  const columns = given.map((one) => ({
    name: JSON.stringify(one.name),
    of: one.name,
    write: typeColumn(services, passed(one.type, "string"), "given"),
  }));
  return (tx, values) => {
    const members = columns.flatMap(({ name, of, write }) => {
      const text = write(tx, [values.get(of) as Value])[0];
      return text === undefined ? [] : [`${name}:${text}`];
    });
    return `{${members.join(",")}}`;
  };
}

/** A number may be written as a number or as the text of its digits, at any depth. */
function withNumbers(
  parts: readonly Part[],
  { type }: ValueType,
  raw: Json | undefined,
): Json | undefined {
  if (isScalar(type)) {
    const isNumber = type.kind === "integer" || type.kind === "decimal";
    return isNumber && typeof raw === "string" ? { numberText: raw } : raw;
  }
  switch (type.kind) {
    case "list":
      return Array.isArray(raw)
        ? (raw as readonly Json[]).map((one) => withNumbers(parts, type.of, one) as Json)
        : raw;
    case "map":
      return isJsonObject(raw)
        ? new Map([...raw].map(([name, one]) => [name, withNumbers(parts, type.of, one) as Json]))
        : raw;
    case "structure": {
      const part = parts.find((one) => one.name === type.name);
      if (part === undefined || !isJsonObject(raw)) return raw;
      const types = new Map(part.fields.map((field) => [field.name, field.type]));
      const read = (name: string, one: Json): Json => {
        const inside = types.get(name);
        return inside === undefined ? one : (withNumbers(parts, inside, one) as Json);
      };
      return new Map([...raw].map(([name, one]) => [name, read(name, one)]));
    }
    case "reference":
      return raw;
  }
}

/** Reads one member; a text tells what is wrong with it. */
export type ReadMember = (
  tx: Transaction,
  raw: Json | undefined,
) => { readonly value: Value } | string;

/** Compiles the reader of a named value: of what a call says, or again of what it was given. */
export function compileReading(
  services: CompilerServices,
  { name, type }: Named,
  told: "said" | "again" = "said",
): ReadMember {
  const { partTypes } = services.model.plan;
  const read = compileValue(
    { type: passed(type, "number"), rules: [], form: "json", told, byCode: true },
    services.model.wire,
  );
  const missing: MissingAt = () => () => ({ is: "fault", message: name });
  // What was given had rows, which are put back by their keys.
  const resolve = told === "said" ? resolverOf(services, type, missing) : undefined;
  return (tx, raw) => {
    const sink = new FailureCollector(tx.ambient, new Set());
    const value = read(withNumbers(partTypes, type, raw), sink);
    const [inside] = sink.failures(!(value instanceof Wrong));
    if (value instanceof Wrong || inside !== undefined) {
      const what = inside ?? (value as Wrong);
      const where = inside?.field ? ` (\`${inside.field}\`)` : "";
      return `\`${name}\` is not as stated: ${what.condition}${where}`;
    }
    if (value === undefined) return type.orAbsent ? { value } : `\`${name}\` is absent`;
    if (value === null || resolve === undefined) return { value };
    const found = resolve(tx, value);
    const isStepOutcome = typeof found === "object" && found !== null && "is" in found;
    return isStepOutcome ? `\`${name}\` names no row` : { value: found };
  };
}

/** The members of a JSON object; a text tells why it is none. */
export function membersOf(text: string): ReadonlyMap<string, Json> | string {
  const parsed = parseJson(text);
  if (!parsed.ok) return `it is no JSON: ${parsed.message}`;
  const [twice] = parsed.repeated;
  if (twice !== undefined) return `\`${twice.path}\` stands twice`;
  return isJsonObject(parsed.value) ? parsed.value : "it is no object";
}
