/** A description, and what comes back when it is imported and exported: compared by meaning. */
import { isDeepStrictEqual } from "node:util";
import { check, plan } from "../../src/check/index.ts";
import { type Description, describe, writtenDocument } from "../../src/openapi/index.ts";
import { OperationWriter } from "../../src/openapi/write/operations.ts";
import { SchemaWriter } from "../../src/openapi/write/schemas.ts";
import { read } from "../../src/read/index.ts";
import { exportedText } from "../export/exported.ts";

type Json = unknown;

/** What differs: its kind, where, and both sides as JSON text. */
export interface Difference {
  readonly kind: string;
  readonly at: string;
  readonly was: string;
  readonly is: string;
}

/** What came of one description. */
export interface Again {
  /** Messages of errors that `check` has for the imported document. */
  readonly errors: readonly string[];
  readonly differences: readonly Difference[];
}

/**
 * Members that say the same when they are left out: `required: false` is the default, an empty
 * `content` states no media type, a media type with the schema `{}` takes anything, as one without.
 */
function saysNothing(key: string, value: Json): boolean {
  if (key.startsWith("x-lacuna")) return true;
  if (key === "required") return value === false;
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return (key === "content" || key === "schema") && isEmpty;
}

function normal(value: Json): Json {
  if (Array.isArray(value)) return value.map(normal);
  if (typeof value !== "object" || value === null || JSON.isRawJSON(value)) return value;
  const inner = Object.entries(value).map(([key, one]) => [key, normal(one)] as const);
  const members = inner.filter(([key, one]) => !saysNothing(key, one));
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface Whole {
  readonly operations: ReadonlyMap<string, Readonly<Record<string, Json>>>;
  readonly schemas: ReadonlyMap<string, Json>;
}

function whole(description: Description): Whole {
  const schemas = new SchemaWriter(description);
  const operations = new OperationWriter(description, schemas);
  return {
    operations: new Map(
      description.operations.map((each) => {
        const { method, path, parameters, requestBody, responses, rest } = operations.of(each);
        const byName = parameters.map((one) => [`${one["in"]} ${one["name"]}`, one]);
        return [
          `${method} ${path}`,
          {
            parameters: Object.fromEntries(byName) as Json,
            requestBody: requestBody ?? null,
            responses,
            // What an export makes up for readers, where the file had nothing.
            callbacks: rest["callbacks"] ?? null,
            deprecated: rest["deprecated"] ?? false,
            security:
              each.security?.map((one) => one.map(({ scheme, scopes }) => [scheme, scopes])) ??
              null,
          },
        ];
      }),
    ),
    schemas: new Map(
      schemas.all().flatMap(({ name, value, isFound }) => {
        const original = (value as Record<string, string> | null)?.["x-lacuna-name"] ?? name;
        return isFound ? [] : [[original, value] as const];
      }),
    ),
  };
}

function* compared(was: Whole, now: Whole): Generator<Difference> {
  const text = (value: Json): string => JSON.stringify(value) ?? "";
  for (const [at, parts] of was.operations) {
    const others = now.operations.get(at);
    if (others === undefined) yield { kind: "operation gone", at, was: at, is: "" };
    for (const [kind, part] of Object.entries(others === undefined ? {} : parts)) {
      const [before, after] = [normal(part), normal(others?.[kind])];
      if (!isDeepStrictEqual(before, after)) {
        yield { kind, at, was: text(before), is: text(after) };
      }
    }
  }
  for (const at of now.operations.keys()) {
    if (!was.operations.has(at)) yield { kind: "operation more", at, was: "", is: at };
  }
  for (const [at, schema] of was.schemas) {
    // `true` takes what `{}` takes.
    const open = (one: Json): Json => (one === true ? {} : normal(one));
    const [before, after] = [open(schema), open(now.schemas.get(at))];
    if (!isDeepStrictEqual(before, after)) {
      yield { kind: "schema", at, was: text(before), is: text(after) };
    }
  }
}

/** Imports a description, checks the document, exports it, and compares what comes back. */
export function again(description: Description, file: string): Again {
  const document = Buffer.from(writtenDocument(description, file));
  const checked = check(read(document));
  const errors = checked.findings.flatMap((one) => (one.severity === "error" ? [one.message] : []));
  if (plan(checked) === undefined) return { errors, differences: [] };
  const text = exportedText(file, document, description.version.startsWith("3.2") ? "3.2" : "3.1");
  const back = describe(file, Buffer.from(text), () => "nothing else is there");
  return { errors, differences: [...compared(whole(description), whole(back))] };
}
