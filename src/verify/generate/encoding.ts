/** How a body stands in a request: as JSON, a form, parts, or the bytes of a file or a text. */
import { type Endpoint, type Plan, statedOf } from "../../plan/index.ts";
import {
  bodyFormat,
  isJsonNumber,
  isJsonObject,
  type Json,
  nameAt,
  parseJson,
  parseMediaType,
  partsOfFile,
  readFile,
  writeJson,
} from "../../run/index.ts";

/** What is sent, and under which `Content-Type`. */
interface Content {
  readonly mediaType: string;
  readonly body: string;
}

type Way = "json" | "form" | "multipart" | "file" | "text";

/** A name and its value, as a form has them. */
type Pair = readonly [name: string, value: string];

/** No text that is made has it. */
const BOUNDARY = "==lacuna==";

/** A `data` URL (RFC 2397) of a text. */
export function fileOf(text: string): string {
  return `data:text/plain;base64,${Buffer.from(text).toString("base64")}`;
}

/** The media type that bodies of the endpoint have; of a range one within it. */
function mediaTypeOf(plan: Plan, { format }: Endpoint): string {
  const stated = format ?? statedOf(plan.about.bodyFormat) ?? "application/json";
  return stated.replace(/\/\*/, stated.startsWith("image/") ? "/png" : "/plain");
}

function wayOf(plan: Plan, endpoint: Endpoint): Way {
  const format = bodyFormat(parseMediaType(mediaTypeOf(plan, endpoint))?.essence ?? "");
  if (format !== undefined) return format;
  const content = statedOf(endpoint.body)?.content;
  return content?.is === "type" && content.type.type.kind === "file" ? "file" : "text";
}

const textOf = (value: Json): string => {
  if (value === null) return "";
  return isJsonNumber(value) ? value.numberText : String(value);
};

/** The names and values by which what stands at a path is sent. */
function pairsIn(plan: Plan, value: Json, path: readonly (string | number)[]): readonly Pair[] {
  const nesting = statedOf(plan.about.nesting);
  if (Array.isArray(value)) {
    // Where names do not nest, each item has the name of the list.
    return value.flatMap((one, i) =>
      pairsIn(plan, one, nesting === undefined ? path : [...path, i]),
    );
  }
  if (!isJsonObject(value)) return [[nameAt(path, nesting), textOf(value)]];
  return [...value].flatMap(([key, one]) => pairsIn(plan, one, [...path, key]));
}

const written = (pair: Pair): string => pair.map(encodeURIComponent).join("=");

/** The names and values of a query by which a parameter is given as a JSON text. */
export function urlEncoded(plan: Plan, json: string, name: string): readonly string[] {
  const read = parseJson(json);
  return read.ok ? pairsIn(plan, read.value, [name]).map(written) : [];
}

const bytesOf = (base64: string): string => Buffer.from(base64, "base64").toString();

function partOf([name, value]: Pair): string {
  const quoted = name.replaceAll('"', "%22");
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted}"`;
  const file = readFile(value);
  if (file === undefined) return `${head}\r\n\r\n${value}\r\n`;
  const { mediaType, base64 } = partsOfFile(file);
  return `${head}; filename="file"\r\nContent-Type: ${mediaType}\r\n\r\n${bytesOf(base64)}\r\n`;
}

/** The body that a JSON text stands for; one that was made to be no JSON stays as it is. */
export function encoded(plan: Plan, endpoint: Endpoint, json: string): Content {
  const mediaType = mediaTypeOf(plan, endpoint);
  const way = wayOf(plan, endpoint);
  const read = way === "json" ? undefined : parseJson(json);
  const members = read?.ok === true && isJsonObject(read.value) ? [...read.value] : undefined;
  const pairs = members?.flatMap(([name, one]) => pairsIn(plan, one, [name]));
  if (way === "multipart") {
    const body = pairs && `${pairs.map(partOf).join("")}--${BOUNDARY}--\r\n`;
    return { mediaType: `${mediaType}; boundary="${BOUNDARY}"`, body: body ?? json };
  }
  if (way === "form") return { mediaType, body: pairs?.map(written).join("&") ?? json };
  if (read?.ok !== true) return { mediaType, body: json };
  const text = textOf(read.value);
  const file = way === "file" ? readFile(text) : undefined;
  return { mediaType, body: file === undefined ? text : bytesOf(partsOfFile(file).base64) };
}

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;

/** A value of a form as JSON: what reads as a number may be one. */
const valueOf = (text: string): Json => (NUMBER.test(text) ? { numberText: text } : text);

/** The values of a form by their names; several of one name are a list. */
function membersOf(pairs: readonly Pair[]): Json {
  const found = new Map<string, Json[]>();
  for (const [name, value] of pairs) {
    found.set(name, [...(found.get(name) ?? []), valueOf(value)]);
  }
  return new Map([...found].map(([name, all]) => [name, all.length === 1 ? (all[0] ?? "") : all]));
}

const PART = new RegExp(
  'Content-Disposition: form-data; name="([^"]*)"(?:; filename="file"\r\nContent-Type: ([^\r]*))?' +
    "\r\n\r\n([\\s\\S]*?)\r\n--",
  "g",
);

/** The JSON text that a body was made of, as far as its form tells; names are as they are sent. */
export function decoded(plan: Plan, endpoint: Endpoint, body: string): string {
  const way = wayOf(plan, endpoint);
  if (way === "json") return body;
  if (way === "form") return writeJson(membersOf([...new URLSearchParams(body)]));
  if (way === "multipart") {
    const pairs = [...body.matchAll(PART)].map(([, name = "", mediaType, value = ""]): Pair => {
      const base64 = Buffer.from(value).toString("base64");
      return [
        name.replaceAll("%22", '"'),
        mediaType === undefined ? value : `data:${mediaType};base64,${base64}`,
      ];
    });
    return writeJson(membersOf(pairs));
  }
  return JSON.stringify(way === "file" ? fileOf(body) : body);
}
