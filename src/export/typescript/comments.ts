/** Comments of a client, and what of a schema is said in them. */
import type { Json, JsonObject } from "../schemas/json.ts";

const COLUMNS = 96;

/** Lines of at most so many columns, broken between words. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.trim().split(/\s+/)) {
    if (line !== "" && line.length + word.length >= columns) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines;
}

/** A doc comment and its line feed; empty where nothing is said. An empty text parts paragraphs. */
export function docComment(notes: readonly string[]): string {
  const said = notes.map((one) => one.replaceAll("*/", "*\\/"));
  const lines = said.flatMap((one) => (one === "" ? [""] : wrapped(one, COLUMNS)));
  const [only] = lines;
  if (only === undefined) return "";
  if (lines.length === 1) return `/** ${only} */\n`;
  return `/**\n${lines.map((one) => (one === "" ? " *\n" : ` * ${one}\n`)).join("")} */\n`;
}

/** A gap as it stands in an exported file, in words. */
export function gapNote(file: string, mark: Json | undefined): string {
  const { subject, line } = (mark ?? {}) as JsonObject;
  return `Not shown: ${subject} (${placeOf(file, line)}).`;
}

/** A line of the document. */
export function placeOf(file: string, line: Json | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}

const FORMATS: Readonly<Record<string, string>> = {
  "date-time": "A timestamp (RFC 3339).",
  date: "A date: `2024-02-29`.",
  duration: "A duration (ISO 8601).",
  "time zone": "A time zone.",
  file: "A file, as a data URL in base64.",
  "timestamp as unix seconds": "A time, in seconds since 1970.",
  "timestamp as unix milliseconds": "A time, in milliseconds since 1970.",
};

function text(value: Json | undefined): string {
  return JSON.stringify(value) ?? "";
}

/** `what` is one of them: `character`; more have an `s`. */
function between(least: Json | undefined, most: Json | undefined, what: string): string[] {
  const last = most ?? least;
  if (last === undefined) return [];
  const things = what === "" ? "" : ` ${what}${last === 1 ? "" : "s"}`;
  if (least === undefined) return [`At most ${text(most)}${things}.`];
  if (most === undefined) return [`At least ${text(least)}${things}.`];
  const from = least === most ? "Exactly" : `${text(least)} to`;
  return [`${from} ${text(most)}${things}.`];
}

/** What the numbers of a schema are, where a number of JavaScript may not do. */
function numberNotes(schema: JsonObject): string[] {
  const { type, multipleOf, pattern } = schema;
  const types: readonly Json[] = Array.isArray(type) ? type : [type];
  if (types.includes("integer") && schema["x-lacuna-type"] === undefined) return ["An integer."];
  if (types.includes("number") && multipleOf !== undefined) {
    const places = text(multipleOf).split(".")[1]?.length ?? 0;
    return [`A decimal with ${places} places: exact as it is, not when it is reckoned with.`];
  }
  if (pattern === "^-?(0|[1-9][0-9]*)$") return ["An integer, as text."];
  const places = /^\^-\?\(0\|\[1-9\]\[0-9\]\*\)\\\.\[0-9\]\{(\d+)\}\$$/.exec(String(pattern))?.[1];
  return places === undefined ? [] : [`A decimal with ${places} places, as text.`];
}

function limitNotes(schema: JsonObject): string[] {
  const { minLength, maxLength, minItems, maxItems, minProperties, maxProperties } = schema;
  return [
    ...between(minLength, maxLength, "character"),
    ...between(minItems, maxItems, "item"),
    ...between(minProperties, maxProperties, "member"),
    ...between(schema["minimum"], schema["maximum"], ""),
    ...between(schema["x-lacuna-minimum"], schema["x-lacuna-maximum"], ""),
    ...(schema["uniqueItems"] === true ? ["No two items are equal."] : []),
  ];
}

function deprecation(schema: JsonObject): string[] {
  if (schema["deprecated"] !== true) return [];
  const removed = schema["x-lacuna-removed-on"];
  const instead = schema["x-lacuna-instead"];
  const more = [
    ...(instead === undefined ? [] : [`Instead: ${instead}.`]),
    ...(removed === undefined ? [] : [`Removed on ${removed}.`]),
  ];
  return [["@deprecated", ...more].join(" ")];
}

/** What is said of a value besides its type. */
export function notesOf(file: string, schema: Json | undefined): string[] {
  if (schema === null || typeof schema !== "object" || Array.isArray(schema)) return [];
  const all = schema as JsonObject;
  const gap = all["x-lacuna-gap"];
  const holds = all["x-lacuna-holds"];
  const readers = all["x-lacuna-readers"];
  const code = all["x-lacuna-default"];
  const filled = all["default"] === undefined ? code : text(all["default"]);
  const form = FORMATS[String(all["x-lacuna-type"] ?? all["format"] ?? "")];
  const description = all["description"];
  return [
    ...(typeof description === "string" ? [description] : []),
    ...(form === undefined ? [] : [form]),
    ...numberNotes(all),
    ...limitNotes(all),
    ...(holds === undefined ? [] : [`Holds: \`${holds}\`.`]),
    ...(filled === undefined ? [] : [`Absent means \`${filled}\`.`]),
    ...(Array.isArray(readers) ? [`Read by: ${readers.join(", ")}.`] : []),
    ...(all["x-lacuna-read"] === undefined
      ? []
      : ["Only in the answer to the request that made it."]),
    ...(gap === undefined ? [] : [gapNote(file, gap)]),
    ...deprecation(all),
  ];
}
