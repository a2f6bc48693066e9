/** The parts of a document that a file in AsyncAPI states, and what of it is kept as it is. */
import {
  type AsyncMessage,
  type AsyncModel,
  type AsyncOperation,
  type AsyncSchema,
  type Description,
  reachIn,
} from "../model/index.ts";
import { type Place, textAt } from "../tree/index.ts";
import { type Json, type JsonObject, objectOf, without } from "./json.ts";
import type { SchemaWriter } from "./schemas.ts";
import { NameMaker } from "./words.ts";

/** Under this name a file in AsyncAPI stands in the block that is kept of it. */
const ASYNCAPI = "x-asyncapi";

/** What the sections are written with. */
export interface AsyncAbout {
  readonly description: Description;
  readonly schemas: SchemaWriter;
  /** `file:line:column`. */
  locator(place: Place): string;
}

interface AsyncWriting extends AsyncAbout {
  readonly reach: ReturnType<typeof reachIn>;
}

/** Sections of the parts in which a file in AsyncAPI has something. */
export interface AsyncParts {
  /** Behind the sentences of What the service does. */
  readonly service: readonly string[];
  readonly endpoints: readonly string[];
  /** The whole part, without its heading. */
  readonly events: readonly string[];
}

/** A text in a code span: what such a span cannot hold is left out. */
const code = (text: string): string =>
  `\`${text.replaceAll(/[^\x20-\x7e]|[`|]/g, "_").trim() || "_"}\``;

/** A line that tells what stands at a place. */
const quote = ({ locator }: AsyncAbout, text: string, place: Place): string[] => [
  `> ${text}: from \`${locator(place)}\`.`,
  "",
];

/** What of the file no other section holds: all but its named schemas, whose names are kept. */
export function keptOf(whole: JsonObject): JsonObject {
  const components = objectOf(whole["components"]);
  const schemas = objectOf(components["schemas"]);
  const foreign = Object.entries(schemas).filter(([, each]) => objectOf(each)["schemaFormat"]);
  const kept: Record<string, Json> = { ...without(whole, ["components"]) };
  const rest: Record<string, Json> = without(components, ["schemas"]);
  if (foreign.length > 0) rest["schemas"] = Object.fromEntries(foreign);
  if (Object.keys(rest).length > 0) kept["components"] = rest;
  const names = Object.keys(schemas);
  return { [ASYNCAPI]: { ...kept, ...(names.length === 0 ? {} : { "x-lacuna-schemas": names }) } };
}

/** The name of the schema that a message carries; it gets one where it has none. */
function schemaSaid({ schemas }: AsyncAbout, schema: AsyncSchema, name: string): string {
  if (schema.language !== "schema") {
    return `in ${code(schema.format ?? "another language")}, which is not taken over`;
  }
  const own = schemas.nameOf(schema.node, name);
  return own === undefined ? "of a schema that is not read" : `of the schema ${code(own)}`;
}

function messageSaid(about: AsyncAbout, message: AsyncMessage): string {
  const { name, payload, headers } = message;
  const carried = payload && `a payload ${schemaSaid(about, payload, name)}`;
  const beside = headers && `headers ${schemaSaid(about, headers, `${name}.headers`)}`;
  const both = [carried, beside].filter((each) => each !== undefined);
  return `${code(name)}${both.length === 0 ? "" : ` with ${both.join(" and ")}`}`;
}

/** `the channel `orders` at `orders/{id}` over `mqtt` for `user``: what is stated of where. */
function whereSaid(operation: AsyncOperation, about: AsyncWriting): string {
  const { channel, security } = operation;
  const { address, name = "" } = channel ?? {};
  const { protocols } = about.reach(channel);
  const at = typeof address === "string" ? ` at ${code(address)}` : "";
  const over = protocols.length === 0 ? "" : ` over ${protocols.map(code).join(" or ")}`;
  const names = (security ?? []).map((each) => code(each.name ?? "a scheme of its own"));
  const who = names.length === 0 ? "" : ` for ${names.join(" or ")}`;
  return `the channel ${code(name)}${at}${over}${who}`;
}

const operationName = (operation: AsyncOperation): string =>
  operation.name ?? `${operation.channel?.name ?? ""} ${operation.word}`;

function operationSaid(about: AsyncWriting, operation: AsyncOperation): string {
  const { action, messages, reply } = operation;
  const said = messages.map((each) => messageSaid(about, each));
  const what = said.length === 0 ? "what it does not name" : said.join(", ");
  const verb = action === "send" ? "sends" : "receives";
  const way = action === "send" ? "to" : "from";
  const replies = reply?.messages.map((each) => messageSaid(about, each)) ?? [];
  const answer = replies.length === 0 ? "what it does not name" : replies.join(", ");
  const back = reply === undefined ? "" : `; the reply is ${answer}`;
  const name = code(operationName(operation));
  return `${name} ${verb} ${what} ${way} ${whereSaid(operation, about)}${back}`;
}

/** A request over HTTP that the service makes. */
const isWebhook = ({ action, bindings }: AsyncOperation): boolean =>
  action === "send" &&
  bindings.some(({ name, node }) => name === "http" && textAt(node, "method") !== undefined);

const WEBHOOK = [
  "- Receivers: not shown",
  "- Address: not shown",
  "- Sent as: not shown",
  "- Signature: not shown",
  "- Delivered when: not shown",
  "- Attempts: not shown",
  "- After the last attempt: not shown",
  "- Guarantee: not shown",
  "- Order of arrival: not shown",
  "",
];

/** An event of the table, and the operations that send it. */
interface Sent {
  readonly name: string;
  readonly by: AsyncOperation[];
}

/** Each message that is sent is an event, once. */
function eventsOf(sending: readonly AsyncOperation[]): Sent[] {
  const taken = new Set<string>();
  const found = new Map<object, Sent>();
  for (const operation of sending) {
    for (const message of operation.messages) {
      const key = message.node ?? message.place;
      const known = found.get(key);
      if (known !== undefined) known.by.push(operation);
      else found.set(key, { name: eventName(message.name, taken), by: [operation] });
    }
  }
  return [...found.values()];
}

/** A word that no other event has. */
function eventName(text: string, taken: Set<string>): string {
  const base = text.replaceAll(/[^\x21-\x7e]+|[`|]/g, "_").slice(0, 200) || "message";
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
  taken.add(name);
  return name;
}

function eventLines(about: AsyncWriting, model: AsyncModel): string[] {
  const sending = model.operations.filter(({ action }) => action === "send");
  if (sending.length === 0) return ["Events, notifications and callbacks: not shown.", ""];
  const names = new NameMaker();
  const hooks = new Map(
    sending.filter(isWebhook).map((each) => [each, names.of(operationName(each))]),
  );
  const events = eventsOf(sending);
  const rows = events.map(({ name, by }) => {
    const to = by.map((each) => hooks.get(each));
    // It goes elsewhere, too, which this language has no words for.
    const isAll = to.every((each) => each !== undefined);
    const sent = isAll ? to.map((each) => `webhook \`${each}\``).join("; ") : "not shown";
    return `| \`${name}\` | not shown | not shown | ${sent} |`;
  });
  const silent = [
    ...(events.length === 0 ? ["events"] : []),
    "notifications",
    ...(hooks.size === 0 ? ["callbacks"] : []),
  ].join(" and ");
  const table = ["| Event | About | Data | Sent to |", "|---|---|---|---|", ...rows, ""];
  return [
    `${silent.charAt(0).toUpperCase()}${silent.slice(1)}: not shown.`,
    "",
    ...sending.flatMap((each) => quote(about, operationSaid(about, each), each.place)),
    ...(events.length === 0 ? [] : table),
    ...[...hooks].flatMap(([each, name]) => [
      `### \`${name}\`, a webhook`,
      "",
      ...quote(about, `It is ${code(operationName(each))}`, each.place),
      ...WEBHOOK,
    ]),
  ];
}

/** What a file in AsyncAPI states, by the parts of a document; undefined for other files. */
export function asyncParts(given: AsyncAbout): AsyncParts | undefined {
  const { async: model } = given.description;
  if (model === undefined) return undefined;
  const about: AsyncWriting = { ...given, reach: reachIn(model) };
  const receiving = model.operations.filter(({ action }) => action === "receive");
  return {
    service: model.servers.flatMap(({ name, protocol, address, place }) => {
      const at = address === undefined ? "" : ` at ${code(address)}`;
      const over = protocol === undefined ? "" : ` over ${code(protocol)}`;
      return quote(about, `Messages go by the server ${code(name)}${at}${over}`, place);
    }),
    endpoints: receiving.flatMap((each) => quote(about, operationSaid(about, each), each.place)),
    events: eventLines(about, model),
  };
}
