/** A document as a client in TypeScript: one file on `fetch`, without packages. */
import { gapOf, isStated, type Part, type Resource, statedOf } from "../../plan/index.ts";
import { pathsOf } from "../openapi/operations.ts";
import { Sections } from "../openapi/sections.ts";
import { isObject, type Json, type JsonObject } from "../schemas/json.ts";
import { namedSchemas, variantSchemas } from "../schemas/named.ts";
import { givenMembers, objectSchema } from "../schemas/objects.ts";
import { World } from "../schemas/world.ts";
import type { Exporter } from "../types.ts";
import { docComment, gapNote, notesOf, placeOf } from "./comments.ts";
import { type Method, methodsOf } from "./methods.ts";
import { Names, pascal, TYPE_NAMES } from "./names.ts";
import { MEMBERS, MESSAGES, OPENING, SENDING, TYPES } from "./runtime.ts";
import { credentialsOf } from "./schemes.ts";
import { RANGES } from "./statuses.ts";
import { alternatives, behind, typeOf, type Writing } from "./types.ts";

const PREFIX = "#/components/schemas/";
const SENT = /^(.+)\.(new|changed|merged)(\.form)?$/;
const MODES = { new: "New", changed: "Changed", merged: "Merged" } as const;

/** The name of the type of a schema: `Line.new` is `NewLine`. */
function typeName(key: string): string {
  const [, name = key, mode, form] = SENT.exec(key) ?? [];
  const plain = pascal(
    name.replaceAll(/-(\d+)-/g, (_, code) => String.fromCodePoint(Number(code))),
  );
  const more = form === undefined ? "" : "InForm";
  return mode === undefined ? plain : `${MODES[mode as keyof typeof MODES]}${plain}${more}`;
}

function declared(name: string, type: string): string {
  return type.startsWith("{") && type.endsWith("}") && !/^\}.*[|&]/m.test(type)
    ? `export interface ${name} ${type}`
    : `${behind(`export type ${name} =`, type)};`;
}

/** Types of what is sent to make a resource or to change it, of those that some body holds. */
function givenTypes(w: World, sent: Writing, types: Names): Map<string, [string, string]> {
  const found = new Map<string, [name: string, text: string]>();
  for (const endpoint of w.plan.endpoints) {
    const content = statedOf(endpoint.body)?.content;
    if (content === undefined || content.is === "type") continue;
    const owner: Resource | Part | undefined =
      w.resources.get(content.resource) ?? w.parts.get(content.resource);
    if (owner === undefined) continue;
    const members = givenMembers(w, owner, { mode: content.is }, endpoint);
    const text = typeOf(sent, objectSchema(members, "where needed"));
    const name = `${MODES[content.is]}${pascal(owner.name)}`;
    const isTaken = [...found.values()].some(([one]) => one === name);
    if (!text.startsWith("{") || found.has(text) || isTaken) continue;
    const line = placeOf(sent.file, w.from.lineOf(owner.id));
    const what = content.is === "new" ? "to make one" : "to change one";
    const comment = docComment([`\`${owner.name}\`, as it is sent ${what} (${line}).`]);
    const given = types.claim(name, "Model");
    found.set(text, [given, `${comment}${declared(given, text)}`]);
  }
  return found;
}

function about(w: World, file: string): string {
  const { version } = w.plan.versioning;
  const title = `${w.plan.title}${isStated(version) ? `, version ${version.value}` : ""}`;
  return `// A client of ${title.replaceAll(/\s+/g, " ")}.
// Written by \`lacuna export ${file} --to typescript\`: change the document, not this file.
//
// Answers. A method gives one of the answers that the document states, told apart by their status,
// so that the compiler knows which body is there and which errors are left to deal with. It does
// not throw for a 4xx: an error that is stated is an answer like others, and what is thrown has no
// type in TypeScript. Who wants success or an exception says so: \`await ok(client.method(...))\`
// is the body of a success. An answer that is not stated throws an UnstatedAnswer; a request that
// fails, or is ended by its signal, rejects as fetch does.
//
// Numbers. No digit is lost in silence: a number that JavaScript cannot hold throws an
// InexactNumber, in an answer and in a request. Integers may be sent as bigints; to receive larger
// ones, or decimals to reckon with, give a \`parseJson\` of your own. What the document sends as
// text is text here.`;
}

/** Where requests go below the base address, and how names nest in forms. */
function constants(w: World, file: string): string {
  const { basePath, nesting } = w.plan.about;
  const gap = gapOf(basePath);
  const said =
    gap === undefined ? [] : [gapNote(file, w.gap(gap)), "The base address must end with it."];
  const path = (statedOf(basePath) ?? "").replace(/\/+$/, "");
  const form = statedOf(nesting) ?? "brackets";
  return `${docComment(said)}const BASE_PATH = ${JSON.stringify(path)};
const NESTING: "brackets" | "dots" = ${JSON.stringify(form)};`;
}

function errorNames(w: World): string {
  const names = w.plan.errors.map(({ name }) => JSON.stringify(name));
  if (names.length === 0) return "";
  const type = behind("export type ErrorName =", alternatives(names));
  return `/** Errors that the document names. */\n${type};`;
}

function rangeTypes(methods: readonly Method[]): string {
  const used = [...new Set(methods.flatMap(({ ranges }) => ranges))].sort();
  const types = used.map((name) => alternatives((RANGES[name] ?? []).map(String)));
  return used.map((name, i) => `${behind(`type ${name} =`, types[i] ?? "never")};`).join("\n");
}

class Writer {
  readonly w: World;
  readonly file: string;
  readonly types = new Names(TYPE_NAMES);
  readonly #names = new Map<string, string>();
  /** Types that some other type holds. */
  readonly #used = new Set<string>();

  constructor(w: World, file: string) {
    this.w = w;
    this.file = file;
  }

  /** The name of the type that stands for a schema. */
  nameOf(ref: string): string {
    const known = this.#names.get(ref);
    if (known !== undefined) return known;
    const name = this.types.claim(typeName(ref.slice(PREFIX.length)), "Model");
    this.#names.set(ref, name);
    return name;
  }

  writing(sent: boolean, named?: ReadonlyMap<string, string>): Writing {
    const nameOf = (ref: string): string | undefined => {
      if (!ref.startsWith(PREFIX) || ref.slice(PREFIX.length).includes("/")) return undefined;
      this.#used.add(ref);
      return this.nameOf(ref);
    };
    return { file: this.file, sent, nameOf, ...(named === undefined ? {} : { named }) };
  }

  named(
    schemas: readonly (readonly [string, Json])[],
    lines: ReadonlyMap<string, number>,
  ): string[] {
    const written = schemas.map(([key, schema]) => {
      const isSent = SENT.test(key);
      const name = this.nameOf(`${PREFIX}${key}`);
      const line = lines.get(key);
      const place = line === undefined ? [] : [`\`${key}\` (${placeOf(this.file, line)}).`];
      const comment = docComment([...place, ...notesOf(this.file, schema)]);
      return [key, `${comment}${declared(name, typeOf(this.writing(isSent), schema))}`] as const;
    });
    const known = new Set(schemas.map(([key]) => `${PREFIX}${key}`));
    // A reference that an import kept may lead nowhere.
    const nowhere = [...this.#used].flatMap((ref) =>
      known.has(ref) ? [] : [declared(this.nameOf(ref), "unknown")],
    );
    // What is kept inside alone has no members, and nothing shows it.
    const shown = written.flatMap(([key, text]) =>
      this.#used.has(`${PREFIX}${key}`) || text.includes("{\n") ? [text] : [],
    );
    return [...shown, ...nowhere];
  }
}

function linesOf(schemas: readonly (readonly [string, JsonObject])[]): Map<string, number> {
  return new Map(
    schemas.flatMap(([key, { "x-lacuna-section": section }]) => {
      const line = (section as JsonObject | undefined)?.["line"];
      return typeof line === "number" ? [[key, line] as const] : [];
    }),
  );
}

/** The paths, with the responses that they refer to in their places. */
function resolved(paths: JsonObject, responses: JsonObject): JsonObject {
  const of = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
  const each = (all: JsonObject, change: (one: JsonObject) => JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(all).map(([name, one]) => [name, isObject(one) ? change(one) : one]),
    );
  const response = (one: JsonObject): JsonObject => {
    const name = /^#\/components\/responses\/(.+)$/.exec(String(one["$ref"]))?.[1];
    return name === undefined ? one : of(responses[name]);
  };
  const operation = (one: JsonObject): JsonObject =>
    isObject(one["responses"]) ? { ...one, responses: each(one["responses"], response) } : one;
  const item = (one: JsonObject): JsonObject => {
    const others = one["x-lacuna-operations"];
    const own = each(one, operation);
    return isObject(others) ? { ...own, "x-lacuna-operations": each(others, operation) } : own;
  };
  return each(paths, item);
}

/** Writes the client. */
export const typescript: Exporter = (from) => {
  const w = new World(from, PREFIX);
  const file = from.file.split(/[\\/]/).at(-1) ?? from.file;
  const sections = new Sections(from.spec);
  const { paths, responses } = pathsOf({ w, sections, version: "3.1" });
  const named = namedSchemas(w, (id) => sections.of(id));
  const writer = new Writer(w, file);
  for (const [key] of named) writer.nameOf(`${PREFIX}${key}`);
  const given = givenTypes(w, writer.writing(true), writer.types);
  const read = writer.writing(false);
  const byText = new Map([...given].map(([text, [name]]) => [text, name]));
  const methods = methodsOf(w, resolved(paths, responses), {
    sent: writer.writing(true, byText),
    read,
    types: writer.types,
  });
  const variants = variantSchemas(w);
  const { types, table } = credentialsOf(w, file);
  const hasStreams = w.plan.streams.some(({ path }) => isStated(path));
  const blocks = [
    about(w, file),
    TYPES,
    types,
    errorNames(w),
    ...writer.named([...named, ...variants], linesOf(named)),
    ...[...given.values()].map(([, text]) => text),
    rangeTypes(methods),
    ...methods.map((one) => one.types),
    constants(w, file),
    SENDING,
    table,
    ...(hasStreams ? [MESSAGES] : []),
    `${docComment([`${w.plan.title}: a method for each endpoint.`])}export class Client {
${[MEMBERS, ...(hasStreams ? [OPENING] : []), ...methods.map((one) => one.member)].join("\n\n")}
}`,
  ];
  return `${blocks.filter((one) => one !== "").join("\n\n")}\n`;
};
