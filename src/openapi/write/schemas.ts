/** Schemas of every dialect as JSON Schema 2020-12, each named one once; others get a name. */
import { type Description, languageOf } from "../model/index.ts";
import { type Node, type Place, textAt } from "../tree/index.ts";
import { isObject, type Json, jsonOf, listOf, objectOf } from "./json.ts";
import { KEPT, sound } from "./sound.ts";
import { isCode } from "./words.ts";

/** Where named schemas stand in OpenAPI 3. */
export const COMPONENTS = "#/components/schemas/";

/** A named schema as it is written. */
interface WrittenSchema {
  readonly name: string;
  /** Undefined: it is in another language, such as Avro. */
  readonly value: Json | undefined;
  readonly place: Place;
  /** It has no name in the file: a reference leads to it. */
  readonly isFound: boolean;
}

/** A token of a JSON Pointer in a URI fragment (RFC 6901, sections 3 and 6). */
const tokenOf = (name: string): string =>
  encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")).replaceAll("%24", "$");

/** Whether a heading can have the name. */
const isName = (name: string): boolean => isCode(name) && !name.startsWith("{");

/** Keywords whose value is a list of schemas. */
export const LISTS = ["allOf", "anyOf", "oneOf", "prefixItems"];
/** Keywords whose value is an object of schemas. */
export const MAPS = ["properties", "patternProperties", "dependentSchemas", "$defs", "definitions"];
/** Keywords whose value is a schema. */
export const SINGLE = [
  ...["items", "additionalProperties", "not", "if", "then", "else", "contains"],
  ...["propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"],
  "additionalItems",
];

/** Writes schemas; what references lead to elsewhere is named and written, too. */
export class SchemaWriter {
  private readonly description: Description;
  private readonly names = new Map<Node, string>();
  private readonly taken = new Set<string>();
  /** The names in the document, in the order of the description. */
  private readonly written: string[] = [];
  private readonly found: { name: string; node: Node }[] = [];
  /** OpenAPI 3.0 and Swagger have a dialect of their own. */
  private readonly isOld: boolean;

  constructor(description: Description) {
    this.description = description;
    const { kind, version } = description;
    this.isOld = kind === "swagger" || (kind === "openapi" && version.startsWith("3.0"));
    const fine = description.schemas.filter(({ name }) => isName(name));
    for (const { name } of fine) this.taken.add(name);
    for (const { name, node } of description.schemas) {
      const written = isName(name) ? name : this.freeName(name);
      this.written.push(written);
      if (!this.names.has(node)) this.names.set(node, written);
    }
  }

  /** Every named schema, those that references have led to behind them. To be asked for last. */
  all(): WrittenSchema[] {
    const { schemas } = this.description;
    const written = schemas.map(({ name, node, place }, at): WrittenSchema => {
      const own = this.written[at] ?? name;
      const value = this.unwrapped(node);
      const named = own === name || !isObject(value) ? value : { ...value, "x-lacuna-name": name };
      return { name: own, value: named, place, isFound: false };
    });
    // Writing one can find more.
    for (let index = 0; index < this.found.length; index += 1) {
      const { name, node } = this.found[index] as { name: string; node: Node };
      written.push({ name, value: this.of(node), place: node, isFound: true });
    }
    return written;
  }

  /** One schema, with references by the names of this file. */
  of(node: Node): Json {
    return this.converted(jsonOf(node, this.description.files), node);
  }

  /** AsyncAPI 3 may wrap a schema with the language that it is in. */
  private unwrapped(node: Node): Json | undefined {
    const format = textAt(node, "schemaFormat");
    const inner = node.kind === "map" ? node.get("schema") : undefined;
    if (this.description.kind !== "asyncapi" || format === undefined || inner === undefined) {
      return this.of(node);
    }
    return languageOf(format) === "schema" ? this.of(inner) : undefined;
  }

  /** The name of a schema; one that has none gets it of `wanted`. Undefined: it is not read. */
  nameOf(node: Node, wanted: string): string | undefined {
    const ref = textAt(node, "$ref");
    if (ref !== undefined) {
      const found = this.refTo(ref, node);
      return found === undefined ? undefined : nameIn(found);
    }
    const known = this.names.get(node);
    if (known !== undefined) return known;
    const name = this.freeName(wanted);
    this.names.set(node, name);
    this.found.push({ name, node });
    return name;
  }

  /** The reference to what a `$ref` leads to; undefined: to nothing that is read. */
  private refTo(ref: string, node: Node): string | undefined {
    const { refs, kind, schemas } = this.description;
    const place = { file: node.file, start: node.start, end: node.end };
    const own = kind === "swagger" ? "#/definitions/" : COMPONENTS;
    const deep = node.file === 0 && ref.startsWith(own) && ref.slice(own.length).includes("/");
    const target = refs.target(ref, place).node;
    if (target === undefined || !this.isRead(target)) return undefined;
    const known = this.names.get(target);
    if (known !== undefined) return `${COMPONENTS}${tokenOf(known)}`;
    if (deep && schemas.length > 0) return `${COMPONENTS}${ref.slice(own.length)}`;
    const name = this.freeName(ref);
    this.names.set(target, name);
    this.found.push({ name, node: target });
    return `${COMPONENTS}${tokenOf(name)}`;
  }

  /** Whether references lead on from here to something, and not in a circle. */
  private isRead(node: Node): boolean {
    const seen = new Set<Node>();
    let at: Node | undefined = node;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      const ref = textAt(at, "$ref");
      if (ref === undefined) return true;
      at = this.description.refs.target(ref, { file: at.file, start: at.start, end: at.end }).node;
    }
    return false;
  }

  /** A name made of the end of a reference, which no other schema has. */
  private freeName(ref: string): string {
    const end = ref.split(/[/#]/).findLast((each) => each !== "") ?? "schema";
    const words = end.replace(/\.(json|ya?ml)$/i, "").replaceAll(/[^A-Za-z0-9._-]+/g, "_");
    const base = /[A-Za-z0-9]/.test(words) ? words : "schema";
    let name = base;
    for (let count = 2; this.taken.has(name); count += 1) name = `${base}_${count}`;
    this.taken.add(name);
    return name;
  }

  private converted(value: Json, node: Node): Json {
    if (!isObject(value) || node.kind !== "map") return typeof value === "boolean" ? value : {};
    const member = (key: string): Node => node.get(key) as Node;
    const result: Record<string, Json> = Object.create(null) as Record<string, Json>;
    for (const [key, each] of Object.entries(value)) {
      const inner = member(key);
      if (key === "$ref" && typeof each === "string") {
        const found = this.refTo(each, node);
        // What it would say is not known: neither is what counts beside it.
        if (found === undefined) return { [KEPT]: value };
        result[key] = found;
      } else if (SINGLE.includes(key) && inner.kind !== "list")
        result[key] = this.converted(each, inner);
      else if ((LISTS.includes(key) || key === "items") && inner.kind === "list") {
        const name = key === "items" ? "prefixItems" : key;
        result[name] = listOf(each).map((one, at) => this.converted(one, inner.items[at] as Node));
      } else if (MAPS.includes(key) && inner.kind === "map") {
        result[key] = Object.fromEntries(
          Object.entries(objectOf(each)).map(([one, schema]) => [
            one,
            this.converted(schema, inner.get(one) as Node),
          ]),
        );
      } else result[key] = each;
    }
    if (this.description.kind === "asyncapi") return sound(fromDraft7(result));
    return sound(this.isOld ? modern(result) : result);
  }
}

/** The name of the schema that a reference names, in whole or in part. */
function nameIn(ref: string): string {
  const [token = ""] = ref.slice(COMPONENTS.length).split("/");
  return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
}

/** Keywords that mean nothing where they stand, and would mean something in 2020-12. */
function ignored(keywords: Readonly<Record<string, Json | undefined>>): Record<string, Json> {
  const all = Object.entries(keywords).flatMap(([name, value]): [string, Json][] =>
    value === undefined ? [] : [[name, value]],
  );
  return all.length === 0 ? {} : { "x-lacuna-ignored": Object.fromEntries(all) };
}

/** A reference alone: beside `$ref` nothing counts in these dialects. */
function reference({ $ref = "", ...beside }: Record<string, Json>): Record<string, Json> {
  return { $ref, ...ignored(beside) };
}

/** Schemas of AsyncAPI, which are of draft 7, in the words of 2020-12. */
function fromDraft7(schema: Record<string, Json>): Record<string, Json> {
  if (schema["$ref"] !== undefined) return reference(schema);
  const { $schema, additionalItems, dependencies, ...rest } = schema;
  const result: Record<string, Json> = { ...rest };
  const isListed = result["prefixItems"] !== undefined;
  if (additionalItems !== undefined && isListed) result["items"] = additionalItems;
  // Without a list of items it says nothing.
  Object.assign(result, ignored({ $schema, ...(!isListed && { additionalItems }) }));
  const needs = Object.entries(objectOf(dependencies));
  const required = needs.filter(([, value]) => Array.isArray(value));
  const schemas = needs.filter(([, value]) => !Array.isArray(value));
  if (required.length > 0) result["dependentRequired"] = Object.fromEntries(required);
  if (schemas.length > 0) result["dependentSchemas"] = Object.fromEntries(schemas);
  return result;
}

/** OpenAPI 3.0 and Swagger 2.0 schemas in the words of 2020-12. */
function modern(schema: Record<string, Json>): Record<string, Json> {
  if (schema["$ref"] !== undefined) return reference(schema);
  const { nullable, exclusiveMinimum, exclusiveMaximum, collectionFormat, ...rest } = schema;
  const result: Record<string, Json> = { ...rest };
  // How a list within a list is written, OpenAPI 3 has no words for.
  if (collectionFormat !== undefined) result["x-lacuna-swagger"] = { collectionFormat };
  const unbound = {
    ...exclusive(result, ["exclusiveMinimum", "minimum"], exclusiveMinimum),
    ...exclusive(result, ["exclusiveMaximum", "maximum"], exclusiveMaximum),
  };
  if (result["type"] === "file") {
    result["type"] = "string";
    result["format"] ??= "binary";
  }
  if (typeof result["discriminator"] === "string") {
    result["discriminator"] = { propertyName: result["discriminator"] };
  }
  // `nullable` counts beside `type` alone: OpenAPI 3.0.3, Schema Object.
  const isTyped = typeof result["type"] === "string";
  if (nullable === true && isTyped) result["type"] = [result["type"] as string, "null"];
  const idle = nullable === true && !isTyped ? { nullable } : {};
  return Object.assign(result, ignored({ ...unbound, ...idle }));
}

/** `exclusiveMinimum: true` beside `minimum` is a bound of its own since draft 6; what is idle. */
function exclusive(
  schema: Record<string, Json>,
  [key, bound]: readonly [string, string],
  value: Json | undefined,
): Record<string, Json> {
  if (value === undefined || value === false) return {};
  if (value !== true) {
    schema[key] = value;
    return {};
  }
  const limit = schema[bound];
  // It says of a bound that it is none: without one it says nothing.
  if (limit === undefined) return { [key]: value };
  delete schema[bound];
  schema[key] = limit;
  return {};
}
