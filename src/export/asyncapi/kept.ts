/** A file in AsyncAPI that a document was made of: what of it the document keeps as it is. */
import type { Spec } from "../../spec/index.ts";
import { exactJson, type Json, type JsonObject } from "../schemas/json.ts";

const ASYNCAPI = "x-asyncapi";
/** The schemas that the file named itself: others got their names from whoever imported it. */
const NAMES = "x-lacuna-schemas";

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The file as the document keeps it; undefined: it was made of none. */
export interface Kept {
  readonly file: JsonObject;
  readonly schemas: readonly string[];
}

/** What a block `json openapi` of the first part keeps of a file in AsyncAPI. */
export function keptOf({ parts }: Spec): Kept | undefined {
  const fences = parts[0]?.sections.flatMap((each) => each.fences) ?? [];
  for (const { block, content } of fences) {
    if (block !== "openapi") continue;
    const { [NAMES]: names, ...file } = objectOf(objectOf(exactJson(content.text))[ASYNCAPI]);
    if (Object.keys(file).length === 0) continue;
    const schemas = (Array.isArray(names) ? (names as readonly Json[]) : []).map(String);
    return { file, schemas };
  }
  return undefined;
}

/** Levels of a file at which members are named: the file, its components, their kinds. */
const LEVELS = 3;

/** Objects laid over objects, member by member, down to some level; everything else replaces. */
function over(base: Json | undefined, top: Json | undefined, levels: number): Json | undefined {
  if (levels === 0 || !isObject(base) || !isObject(top)) return top === undefined ? base : top;
  const keys = new Set([...Object.keys(base), ...Object.keys(top)]);
  const members = [...keys].map((key) => [key, over(base[key], top[key], levels - 1)]);
  return Object.fromEntries(members) as JsonObject;
}

/** What is written, below what is kept. A file of 2.x has no place for what 3.x says. */
export function withKept(written: JsonObject, { file }: Kept): JsonObject {
  const operations = objectOf(file["operations"]);
  const isSame = String(file["asyncapi"]).startsWith("3");
  const { channels, operations: own, servers, ...rest } = written;
  // A webhook that was made of an operation is that operation.
  const added = isSame
    ? Object.entries(objectOf(own)).filter(([name]) => operations[name] === undefined)
    : [];
  const names = added.map(([name]) => name);
  const only = (all: Json | undefined): JsonObject =>
    Object.fromEntries(Object.entries(objectOf(all)).filter(([name]) => names.includes(name)));
  const more =
    added.length === 0
      ? {}
      : { channels: only(channels), operations: Object.fromEntries(added), servers: servers ?? {} };
  return objectOf(over({ ...rest, ...more }, file, LEVELS));
}
