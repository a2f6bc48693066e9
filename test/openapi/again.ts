/** A description, and what comes back when it is imported and exported: compared by meaning. */
import { isDeepStrictEqual } from "node:util";
import { check, plan } from "../../src/check/index.ts";
import { type Json as ExactJson, exactJson, unfolded } from "../../src/export/schemas/json.ts";
import { type Description, describe, writtenDocument } from "../../src/openapi/index.ts";
import type { Operation } from "../../src/openapi/model/index.ts";
import { textAt } from "../../src/openapi/tree/index.ts";
import { OperationWriter } from "../../src/openapi/write/operations.ts";
import { SchemaWriter } from "../../src/openapi/write/schemas.ts";
import { read } from "../../src/read/index.ts";
import { exportedText } from "../export/exported.ts";
import { officialFaults } from "../export/official.ts";

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
  /** What the official schema of its version has against the export. */
  readonly faults: readonly string[];
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

/** What references name schemas by, and the names that these had in the file. */
type Names = ReadonlyMap<string, string>;

const REFERENCE = /^(#\/components\/schemas\/)([^/]+)/;

/** A reference with the name that the schema had: OpenAPI lets it have fewer letters. */
function named(ref: string, names: Names): string {
  return ref.replace(REFERENCE, (_, start: string, token: string) => {
    const name = decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
    return `${start}${names.get(name) ?? name}`;
  });
}

function normal(value: Json, names: Names): Json {
  if (Array.isArray(value)) return value.map((one) => normal(one, names));
  if (typeof value !== "object" || value === null || JSON.isRawJSON(value)) return value;
  const inner = Object.entries(value).map(([key, one]) => {
    const isNamed = key === "$ref" && typeof one === "string";
    return [key, isNamed ? named(one, names) : normal(one, names)] as const;
  });
  const members = inner.filter(([key, one]) => !saysNothing(key, one));
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Members = Readonly<Record<string, Json>>;

/** What a description says, one operation at a time: large ones have many. */
class Said {
  readonly description: Description;
  readonly schemas: SchemaWriter;
  readonly names: Names;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly #writer: OperationWriter;

  constructor(description: Description) {
    this.description = description;
    this.schemas = new SchemaWriter(description);
    this.#writer = new OperationWriter(description, this.schemas);
    this.names = new Map(
      description.schemas.map(({ name, node }) => {
        // The name of a reference is that of what it leads to.
        const isOther = textAt(node, "$ref") !== undefined;
        const written = isOther ? name : (this.schemas.nameOf(node, name) ?? name);
        return [written, textAt(node, "x-lacuna-name") ?? name];
      }),
    );
    this.operations = new Map(
      description.operations.map((one) => [`${one.method} ${one.path}`, one]),
    );
  }

  /** The name of a security scheme in the file, where it is another in an export. */
  #scheme(name: string): string {
    const found = this.description.securitySchemes.find((one) => one.name === name);
    return textAt(found?.node, "x-lacuna-name") ?? name;
  }

  of(operation: Operation): Members {
    const { parameters, requestBody, responses, rest } = this.#writer.of(operation);
    const { security } = operation;
    const byName = parameters.map((one): [string, Json] => {
      const key = `${one["in"]} ${one["name"]}`;
      // A parameter of a path is required, whether that is said or not.
      return [key, one["in"] === "path" ? { ...one, required: true } : one];
    });
    const found = {
      parameters: Object.fromEntries(byName),
      requestBody: requestBody ?? null,
      responses,
      // What an export makes up for readers, where the file had nothing.
      callbacks: rest["callbacks"] ?? null,
      deprecated: rest["deprecated"] ?? false,
      security:
        security?.map((one) => one.map(({ scheme, scopes }) => [this.#scheme(scheme), scopes])) ??
        null,
    };
    return normal(found, this.names) as Members;
  }

  /** The named schemas. To be asked for last. */
  named(): Map<string, Json> {
    const all = this.schemas.all().filter(({ isFound }) => !isFound);
    return new Map(
      all.map(({ name, value }) => [
        this.names.get(name) ?? name,
        // `true` takes what `{}` takes.
        value === true ? {} : normal(value, this.names),
      ]),
    );
  }
}

/** The parameters without those of the path that the file names there alone. */
function declared(after: Members, before: Members, path: string): Members {
  const isOwn = (key: string): boolean =>
    key.startsWith("path ") && !Object.hasOwn(before, key) && path.includes(`{${key.slice(5)}}`);
  return Object.fromEntries(Object.entries(after).filter(([key]) => !isOwn(key)));
}

function* compared(was: Said, now: Said): Generator<Difference> {
  const text = (value: Json): string => JSON.stringify(value) ?? "";
  for (const [at, operation] of was.operations) {
    const other = now.operations.get(at);
    if (other === undefined) {
      yield { kind: "operation gone", at, was: at, is: "" };
      continue;
    }
    const others = now.of(other);
    for (const [kind, before] of Object.entries(was.of(operation))) {
      const isList = kind === "parameters";
      const after = isList
        ? declared(others[kind] as Members, before as Members, operation.path)
        : others[kind];
      if (!isDeepStrictEqual(before, after)) {
        yield { kind, at, was: text(before), is: text(after) };
      }
    }
  }
  for (const at of now.operations.keys()) {
    if (!was.operations.has(at)) yield { kind: "operation more", at, was: "", is: at };
  }
  const others = now.named();
  for (const [at, before] of was.named()) {
    const after = others.get(at);
    if (!isDeepStrictEqual(before, after)) {
      yield { kind: "schema", at, was: text(before), is: text(after) };
    }
  }
}

/** The export with what OpenAPI does not let stand where it stood back in its place. */
function inPlace(text: string): string {
  if (!text.includes('"x-lacuna-kept"')) return text;
  return JSON.stringify(unfolded(exactJson(text) as ExactJson));
}

/** Errors of a document, and its export where it has none. */
function exportOf(document: Uint8Array, file: string, version: "3.1" | "3.2") {
  const checked = check(read(document));
  const errors = checked.findings.flatMap((one) => (one.severity === "error" ? [one.message] : []));
  return plan(checked) === undefined
    ? { errors, text: "" }
    : { errors, text: exportedText(file, document, version) };
}

/** Imports a description, checks the document, exports it, and compares what comes back. */
export function again(description: Description, file: string): Again {
  const version = description.version.startsWith("3.2") ? "3.2" : "3.1";
  const document = Buffer.from(writtenDocument(description, file));
  const { errors, text } = exportOf(document, file, version);
  if (text === "") return { errors, differences: [], faults: [] };
  const faults = officialFaults(JSON.parse(text), version);
  const back = describe(file, Buffer.from(inPlace(text)), () => "nothing else is there");
  return { errors, differences: [...compared(new Said(description), new Said(back))], faults };
}
