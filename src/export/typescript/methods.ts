/** The methods of the class: one for each endpoint, one for each stream. */
import type { Event } from "../../plan/index.ts";
import { gapOf, statedOf } from "../../plan/index.ts";
import type { JsonObject } from "../schemas/json.ts";
import type { World } from "../schemas/world.ts";
import { type Given, givenBy } from "./answers.ts";
import { docComment, gapNote, placeOf } from "./comments.ts";
import { type Taken, takenBy } from "./inputs.ts";
import { camel, METHOD_NAMES, Names, pascal } from "./names.ts";
import { indented, type Writing } from "./types.ts";

/** What is written of an operation: its types, and its method. */
export interface Method {
  readonly types: string;
  readonly member: string;
  readonly ranges: readonly string[];
}

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operation: JsonObject;
}

const METHODS = ["get", "head", "post", "put", "patch", "delete", "options", "trace"];

/** The operations of Path Item Objects, those of which the format knows nothing among them. */
function operationsIn(paths: JsonObject): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as JsonObject).flatMap(([key, one]): Operation[] => {
      if (METHODS.includes(key)) {
        return [{ method: key.toUpperCase(), path, operation: one as JsonObject }];
      }
      if (key !== "x-lacuna-operations" && key !== "additionalOperations") return [];
      return Object.entries(one as JsonObject).map(([name, operation]) => {
        const [method = "", own = path] = name.split(" ");
        return { method, path: own, operation: operation as JsonObject };
      });
    }),
  );
}

/** The path, in which a parameter that takes the rest says so. */
function templateOf({ path, operation }: Operation): string {
  const parameters = (operation["parameters"] ?? []) as readonly JsonObject[];
  const rest = parameters.filter((one) => one["x-lacuna-rest"] === true).map((one) => one["name"]);
  return path
    .replaceAll("...}", "}")
    .replaceAll(/\{([^}]+)\}/g, (whole, name) => (rest.includes(name) ? `{${name}...}` : whole));
}

function schemesOf(w: World, operation: JsonObject): string[] {
  const security = operation["security"] as readonly JsonObject[] | undefined;
  // It is not shown who may ask: a credential that is given is sent.
  if (security === undefined) return w.plan.schemes.map(({ name }) => name);
  return security.flatMap((one) => Object.keys(one));
}

/** The entry that the sending reads. */
function entryOf(w: World, one: Operation, taken: Taken, given: Given): string {
  const { body, query } = taken;
  const schemes = schemesOf(w, one.operation);
  const list = (items: readonly string[]): string => `[${items.join(", ")}]`;
  const text = (value: string | undefined): string => JSON.stringify(value) ?? "undefined";
  const members = [
    `method: ${text(one.method)}`,
    `path: ${text(templateOf(one))}`,
    ...(schemes.length === 0 ? [] : [`schemes: ${list(schemes.map(text))}`]),
    ...(query.length === 0
      ? []
      : [`query: { ${query.map(([name, form]) => `${text(name)}: ${text(form)}`).join(", ")} }`]),
    ...(body === undefined ? [] : [`body: [${text(body.media)}, ${text(body.as)}]`]),
    `statuses: ${list(given.statuses)}`,
    ...(given.files.length === 0 ? [] : [`files: ${list(given.files)}`]),
  ];
  return `{\n${members.map((each) => `  ${each},\n`).join("")}}`;
}

/** What is said above a method. */
function notesOf(w: World, file: string, one: Operation): string[] {
  const { operation, method, path } = one;
  const section = operation["x-lacuna-section"] as JsonObject | undefined;
  const summary = String(operation["summary"] ?? "");
  const title = summary === "" ? "" : `${summary.charAt(0).toUpperCase()}${summary.slice(1)}: `;
  const who = operation["x-lacuna-who"];
  const gaps = (operation["x-lacuna-gaps"] ?? []) as readonly JsonObject[];
  const endpoint = w.endpoints.get(`endpoints/${method} ${path}`);
  const key = statedOf(endpoint?.idempotency?.header);
  const time = endpoint?.idempotency && statedOf(endpoint.idempotency.kept);
  const kept = time === undefined ? "" : ` (kept ${time})`;
  const deprecated = operation["deprecated"] === true;
  const description = operation["description"];
  return [
    `${title}\`${method} ${path}\` (${placeOf(file, section?.["line"])}).`,
    ...(typeof description === "string" ? ["", description] : []),
    ...(Array.isArray(who) ? ["", `Asked by: ${who.join(", ")}.`] : []),
    ...(key === undefined
      ? []
      : ["", `Sent again under the same \`${key}\`, it is done once${kept}.`]),
    ...(gaps.length === 0 ? [] : ["", "What is not shown ends in an UnstatedAnswer:"]),
    ...gaps.map(({ subject, line }) => `- ${subject} (${placeOf(file, line)})`),
    ...(deprecated ? ["", "@deprecated"] : []),
  ];
}

interface Streamed {
  readonly type: string;
}

/** The type of what a stream sends. */
function messageType(w: World, writing: Writing, name: string): Streamed {
  const events = w.plan.events.filter(({ sentTo }) =>
    statedOf(sentTo)?.some((one) => one.to === "stream" && one.name === name),
  );
  const types = events.map((event) => {
    const notes = docComment([
      `Of \`${event.about}\`${lineNote(w, writing, event)}.`,
      ...(gapOf(event.data) === undefined
        ? []
        : [gapNote(writing.file, w.gap(gapOf(event.data) ?? ""))]),
    ]);
    const shape = statedOf(event.data)?.shape;
    const ref = shape === undefined ? undefined : String(w.ref(shape)["$ref"]);
    const data = ref === undefined ? undefined : writing.nameOf(ref);
    const isNone = event.data.is === "none";
    const type = isNone ? "null" : (data ?? "unknown");
    return `\n${notes}| { event: ${JSON.stringify(event.name)}; data: ${type}; id?: string }`;
  });
  return { type: types.length === 0 ? " never" : types.map(indented).join("") };
}

function lineNote(w: World, { file }: Writing, event: Event): string {
  const line = w.from.lineOf(event.id);
  return line === undefined ? "" : ` (${placeOf(file, line)})`;
}

const HEAD_COLUMNS = 95;

/** The first line of a method, or its parameters below each other where it is long. */
function headOf(name: string, takes: readonly string[], gives: string): string {
  const line = `${name}(${takes.join(", ")}): ${gives}`;
  if (line.length <= HEAD_COLUMNS) return line;
  return `${name}(\n${takes.map((one) => `  ${one},\n`).join("")}): ${gives}`;
}

/** Methods of all operations, in their order. `types`: names of types that are given already. */
export function methodsOf(
  w: World,
  paths: JsonObject,
  { sent, read, types }: { readonly sent: Writing; readonly read: Writing; readonly types: Names },
): Method[] {
  const names = new Names(METHOD_NAMES);
  return operationsIn(paths).map((one): Method => {
    const { operation } = one;
    const name = names.claim(camel(String(operation["operationId"])), "_");
    const taken = takenBy(sent, operation);
    const given = givenBy(w, read, operation);
    const inputName = types.claim(`${pascal(name)}Input`, "_");
    const input =
      taken.text === undefined
        ? `${docComment(taken.notes)}export type ${inputName} = Record<string, never>;`
        : `${docComment(taken.notes)}export interface ${inputName} ${taken.text}`;
    const stream = operation["x-lacuna-stream"];
    const isStream = typeof stream === "string";
    const giveName = types.claim(`${pascal(name)}${isStream ? "Event" : "Result"}`, "_");
    const gives = isStream ? messageType(w, read, stream).type : (given.text ?? " never");
    const call = `${entryOf(w, one, taken, given)}, input, options`;
    const optional = taken.needed ? "" : " = {}";
    const takes = [`input: ${inputName}${optional}`, "options: RequestOptions = {}"];
    const answer = isStream ? `AsyncGenerator<${giveName}, void, void>` : `Promise<${giveName}>`;
    const body = `  return this.${isStream ? "#open" : "#send"}(${indented(call)});`;
    const comment = docComment(notesOf(w, read.file, one));
    const method = `${comment}${headOf(name, takes, answer)} {\n${body}\n}`;
    return {
      types: `${input}\n\nexport type ${giveName} =${gives};`,
      member: `  ${indented(method)}`,
      ranges: given.ranges,
    };
  });
}
