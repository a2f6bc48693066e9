/** What a method takes: one object with what stands in path, query, header, cookie and body. */
import type { Json, JsonObject } from "../schemas/json.ts";
import { docComment, gapNote, notesOf } from "./comments.ts";
import { memberName } from "./names.ts";
import { indented, memberLine, typeOf, type Writing } from "./types.ts";

/** How a body is sent: its media type, and how values stand in it. */
interface SentBody {
  readonly media: string | undefined;
  readonly as: "json" | "form" | "parts" | "bytes";
}

/** What a method takes, and what the sending must know of it. */
export interface Taken {
  /** Lines of the type; undefined: nothing is taken. */
  readonly text: string | undefined;
  /** What is not shown of it. */
  readonly notes: readonly string[];
  readonly needed: boolean;
  readonly body: SentBody | undefined;
  /** Members of the query that are neither text nor a list. */
  readonly query: readonly (readonly [name: string, form: string])[];
}

const PLACES = ["path", "query", "header", "cookie"] as const;

interface Group {
  readonly name: string;
  readonly type: string;
  readonly needed: boolean;
  readonly notes: readonly string[];
}

function schemaOf(parameter: JsonObject): JsonObject {
  const content = Object.values((parameter["content"] ?? {}) as JsonObject)[0] as JsonObject;
  const schema = (parameter["schema"] ?? content?.["schema"] ?? {}) as JsonObject;
  const gap = parameter["x-lacuna-gap"];
  const { description } = parameter;
  return {
    ...schema,
    ...(gap === undefined ? {} : { "x-lacuna-gap": gap }),
    ...(description === undefined ? {} : { description }),
    ...(parameter["deprecated"] === true ? { deprecated: true } : {}),
  };
}

function group(w: Writing, place: string, parameters: readonly JsonObject[]): Group[] {
  const own = parameters.filter((one) => one["in"] === place);
  if (own.length === 0) return [];
  const lines = own.map((one) => {
    const schema = schemaOf(one);
    const needed = one["required"] === true;
    return memberLine(w, { name: String(one["name"]), schema, needed }, typeOf(w, schema));
  });
  const needed = own.some((one) => one["required"] === true);
  return [{ name: place, type: `{\n${lines.join("")}}`, needed, notes: [] }];
}

/** How a body of the media type is written. */
function formOf(media: string, schema: Json | undefined): SentBody["as"] {
  const [type = ""] = media.toLowerCase().split(";");
  if (/[/+]json$/.test(type.trim())) return "json";
  if (schema === undefined) return "bytes";
  if (type.trim() === "application/x-www-form-urlencoded") return "form";
  return type.trim() === "multipart/form-data" ? "parts" : "bytes";
}

interface BodyTaken {
  readonly group: Group;
  readonly sent: SentBody;
}

function bodyOf(w: Writing, operation: JsonObject): BodyTaken | undefined {
  const hidden = operation["x-lacuna-request-body"] as JsonObject | undefined;
  if (hidden !== undefined) {
    const bodies = hidden["x-lacuna-bodies"];
    const [first = hidden] = Array.isArray(bodies) ? (bodies as JsonObject[]) : [];
    const notes = [
      gapNote(w.file, first["x-lacuna-gap"]),
      "It is sent as it is given: text, bytes, a Blob or a form, without a Content-Type.",
    ];
    const group = { name: "body", type: "unknown", needed: false, notes };
    return { group, sent: { media: undefined, as: "bytes" } };
  }
  const body = operation["requestBody"] as JsonObject | undefined;
  if (body === undefined) return undefined;
  const all = Object.entries((body["content"] ?? {}) as JsonObject);
  const json = all.find(([media]) => formOf(media, true) === "json");
  const [media = "", content] = json ?? all[0] ?? [];
  const schema = (content as JsonObject | undefined)?.["schema"];
  const as = formOf(media, schema);
  const others = all.map(([one]) => one).filter((one) => one !== media);
  const notes = [
    ...(as === "bytes" ? [`Sent as it is, as \`${media}\`.`] : notesOf(w.file, schema)),
    ...(others.length === 0 ? [] : [`The service takes ${others.join(", ")}, too.`]),
  ];
  const group = {
    name: "body",
    type: as === "bytes" ? "Blob | ArrayBuffer | string" : typeOf(w, schema),
    needed: body["required"] === true,
    notes,
  };
  const isAny = media.includes("*");
  return { group, sent: { media: isAny ? undefined : media, as } };
}

/** What stands between the items of a list that is one value in the query. */
const JOINED: Readonly<Record<string, string>> = {
  form: ",",
  spaceDelimited: " ",
  pipeDelimited: "|",
};

function queryForms(parameters: readonly JsonObject[]): [string, string][] {
  return parameters.flatMap((one): [string, string][] => {
    if (one["in"] !== "query") return [];
    const name = String(one["name"]);
    if (one["content"] !== undefined) return [[name, "json"]];
    const style = String(one["style"] ?? "form");
    if (style === "deepObject") return [[name, "brackets"]];
    const isJoined = one["explode"] === false || style !== "form";
    const between = isJoined ? JOINED[style] : undefined;
    return between === undefined ? [] : [[name, between]];
  });
}

/** What the method of an operation takes. */
export function takenBy(w: Writing, operation: JsonObject): Taken {
  const parameters = (operation["parameters"] ?? []) as readonly JsonObject[];
  const body = bodyOf(w, operation);
  const groups = [
    ...PLACES.flatMap((place) => group(w, place, parameters)),
    ...(body === undefined ? [] : [body.group]),
  ];
  const hidden = (operation["x-lacuna-inputs"] ?? []) as readonly JsonObject[];
  const notes = hidden.map((one) => gapNote(w.file, one["x-lacuna-gap"]));
  const lines = groups.map(({ name, type, needed, notes: said }) => {
    const optional = needed
      ? `: ${type}`
      : `?: ${type === "unknown" ? type : `${type} | undefined`}`;
    return `  ${indented(`${docComment(said)}${memberName(name)}${optional};`)}\n`;
  });
  return {
    text: lines.length === 0 ? undefined : `{\n${lines.join("")}}`,
    notes,
    needed: groups.some((one) => one.needed),
    body: body?.sent,
    query: queryForms(parameters),
  };
}
