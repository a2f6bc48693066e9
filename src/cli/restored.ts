/** A file that was exported, as the document that it was exported from. */
import { type ExportOptions, exporters, restore } from "../export/index.ts";
import { type Description, plainRoot } from "../openapi/index.ts";
import { exportable } from "./exportable.ts";

/** The document, and what of the file a new export of it would not give: edited since. */
interface Restored {
  readonly text: string;
  readonly edited: readonly string[];
}

type Json = unknown;
type JsonObject = Readonly<Record<string, Json>>;

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Levels at which objects are told apart: `paths`, a path, a method. */
const LEVELS = 3;

/** Where two files differ, by the members that lead there. */
function* differences(one: Json, other: Json, at: readonly string[]): Generator<string> {
  if (at.length < LEVELS && isObject(one) && isObject(other)) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      yield* differences(one[key], other[key], [...at, key]);
    }
  } else if (JSON.stringify(sorted(one)) !== JSON.stringify(sorted(other))) yield at.join(" › ");
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

/** Undefined: the file was not exported by `lacuna export`. */
export function restored(description: Description): Restored | undefined {
  const file: Json = JSON.parse(JSON.stringify(plainRoot(description)));
  const text = restore(file);
  if (text === undefined) return undefined;
  const from = exportable({ file: "spec.md", bytes: Buffer.from(text) });
  if (!("plan" in from)) return { text, edited: ["the document in it, which has errors"] };
  const form = description.kind === "asyncapi" ? "asyncapi" : "openapi";
  const openapi: ExportOptions["openapi"] = description.version.startsWith("3.2") ? "3.2" : "3.1";
  const again: Json = JSON.parse(exporters[form]?.(from, { openapi }) ?? "null");
  return { text, edited: [...differences(file, again, [])] };
}
