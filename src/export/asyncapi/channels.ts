/** Webhooks and streams: each a channel, and an operation that sends to it. */
import {
  type Event,
  gapOf,
  isStated,
  type Stream,
  statedOf,
  type Webhook,
} from "../../plan/index.ts";
import type { Sections } from "../openapi/sections.ts";
import { securityOf } from "../openapi/security.ts";
import type { Json, JsonObject } from "../schemas/json.ts";
import { ownName, type World } from "../schemas/world.ts";
import { dataMessage, webhookMessage } from "./messages.ts";
import type { Lines } from "./said.ts";

/** What is written of one webhook or stream, under one name. */
export interface Written {
  readonly name: string;
  readonly channel: JsonObject;
  readonly operation: JsonObject;
}

/** What they are written with. */
export interface Pen {
  readonly w: World;
  readonly lines: Lines;
  readonly sections: Sections;
  readonly events: ReturnType<typeof eventsByTarget>;
  /** Names of webhooks: a stream may have the same one. */
  readonly hooks: ReadonlySet<string>;
}

const BINDING = "0.3.0";

/** The name of a server among the servers. */
export const SERVERS = { webhook: "receivers", stream: "service" } as const;

type To = keyof typeof SERVERS;

/** Events by where they are sent, found in one pass: `webhook hooks`. */
export function eventsByTarget({ plan }: World): ReadonlyMap<string, readonly Event[]> {
  const found = new Map<string, Event[]>();
  for (const event of plan.events) {
    for (const key of new Set(statedOf(event.sentTo)?.map(({ to, name }) => `${to} ${name}`))) {
      const all = found.get(key) ?? [];
      all.push(event);
      found.set(key, all);
    }
  }
  return found;
}

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** A webhook and a stream may have one name. */
function nameOf({ hooks }: Pen, to: To, name: string): string {
  const isTaken = to === "stream" && hooks.has(name);
  return ownName(isTaken ? `${name}.stream` : name);
}

function channelOf(to: To, messages: readonly (readonly [string, JsonObject])[]): JsonObject {
  return {
    servers: [{ $ref: `#/servers/${SERVERS[to]}` }],
    ...(messages.length === 0 ? {} : { messages: Object.fromEntries(messages) }),
  };
}

function sending(
  name: string,
  messages: readonly string[],
  method: string | undefined,
): JsonObject {
  const channel = `#/channels/${escaped(name)}`;
  return {
    action: "send",
    channel: { $ref: channel },
    ...(messages.length === 0
      ? {}
      : { messages: messages.map((one) => ({ $ref: `${channel}/messages/${escaped(one)}` })) }),
    ...(method === undefined ? {} : { bindings: { http: { method, bindingVersion: BINDING } } }),
  };
}

/** Methods that the binding of HTTP knows. */
const METHODS = /^(GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS|CONNECT|TRACE)$/;

const methodOf = (method: string | undefined): string | undefined =>
  method !== undefined && METHODS.test(method) ? method : undefined;

/** A webhook: the address is in a row, so that no file can say it. */
export function webhookOf(pen: Pen, hook: Webhook): Written {
  const { w, lines, sections } = pen;
  const name = nameOf(pen, "webhook", hook.name);
  const events = pen.events.get(`webhook ${hook.name}`) ?? [];
  const messages = events.map((one) => [one.name, webhookMessage(w, hook, one)] as const);
  const answers = hook.onStatus.map(({ status }): [string, Json] => [
    String(status),
    lines.at(`${hook.id}/answer ${status}`),
  ]);
  const { receivers, address, sends, signature, delivered, attempts } = hook;
  return {
    name,
    channel: {
      address: null,
      ...channelOf("webhook", messages),
      ...lines.members({ address, receivers }),
      ...sections.of(hook.id),
    },
    operation: {
      ...sending(
        name,
        events.map((one) => one.name),
        methodOf(statedOf(sends)?.method),
      ),
      ...lines.members({
        ...{ "sent-as": sends, signature, delivered, attempts },
        ...{ "after-last": hook.afterLast, guarantee: hook.guarantee, order: hook.order },
      }),
      ...(answers.length === 0 ? {} : { "x-lacuna-on-status": Object.fromEntries(answers) }),
    },
  };
}

/** The parameters of an address; one that takes the rest of a path is written as others are. */
function parametersOf(path: string): JsonObject {
  const names = [...path.matchAll(/\{([^{}]*?)(?:\.\.\.)?\}/g)].map((each) => each[1] ?? "");
  const parameters = names.map((name): [string, Json] => [name, {}]);
  return names.length === 0 ? {} : { parameters: Object.fromEntries(parameters) };
}

/** Who may open a stream. What AsyncAPI cannot say of it stands beside. */
function whoOf(w: World, who: Stream["who"]): JsonObject {
  const { security, ...rest } = securityOf(w, who);
  const asked = (security ?? []) as readonly JsonObject[];
  const isOpen = asked.some((one) => Object.keys(one).length === 0);
  const names = asked.flatMap((one) => Object.keys(one));
  if (names.length === 0) return rest;
  if (isOpen) return { ...rest, "x-lacuna-optional-security": names };
  const refs = names.map((one) => ({ $ref: `#/components/securitySchemes/${escaped(one)}` }));
  return { security: refs, ...rest };
}

/** A stream of server-sent events. */
export function streamOf(pen: Pen, stream: Stream): Written {
  const { w, lines, sections } = pen;
  const name = nameOf(pen, "stream", stream.name);
  const events = pen.events.get(`stream ${stream.name}`) ?? [];
  const messages = events.map((one) => [one.name, dataMessage(w, one)] as const);
  const [method, path] = statedOf(stream.path)?.split(" ") ?? [];
  const gap = gapOf(stream.path) ?? stream.bindingGap;
  const { sees, resume, ends, heartbeat } = stream;
  return {
    name,
    channel: {
      ...(path === undefined
        ? {}
        : { address: path.replaceAll("...}", "}"), ...parametersOf(path) }),
      ...channelOf("stream", messages),
      "x-lacuna-form": "server-sent events",
      ...(gap === undefined ? {} : { "x-lacuna-gap": w.gap(gap) }),
      ...sections.of(stream.id),
    },
    operation: {
      ...sending(
        name,
        events.map((one) => one.name),
        methodOf(method),
      ),
      ...whoOf(w, stream.who),
      ...lines.members({ sees, resume, ends, heartbeat }),
    },
  };
}

/** Events that are sent nowhere, or of which it is not shown where. */
export function unsent({ w, lines }: Pen): [string, JsonObject][] {
  return w.plan.events
    .filter(({ sentTo }) => !isStated(sentTo) || sentTo.value.length === 0)
    .map((event) => [
      ownName(event.name),
      { ...dataMessage(w, event), ...lines.members({ "sent-to": event.sentTo }) },
    ]);
}
