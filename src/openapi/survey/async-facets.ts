/** What a file in AsyncAPI says of each of the 28 facets. */
import type { AsyncModel, AsyncOperation } from "../model/index.ts";
import { type MapNode, type Place, textAt } from "../tree/index.ts";
import {
  CONSTRAINTS,
  type FacetTable,
  type Found,
  info,
  keyOf,
  orMentioned,
  type Seen,
  SILENT,
  scheme,
  schemeWith,
  stated,
  withKey,
  written,
} from "./facets.ts";

const NOTHING: AsyncModel = { servers: [], channels: [], operations: [], messages: [] };

const modelOf = ({ description }: Seen): AsyncModel => description.async ?? NOTHING;

/** The first operation for which a predicate holds. */
const operation = (seen: Seen, of: (each: AsyncOperation) => boolean): AsyncOperation | undefined =>
  modelOf(seen).operations.find(of);

/** Where an operation says which method of HTTP it has. */
const methodAt = ({ bindings }: AsyncOperation): Place | undefined =>
  bindings
    .filter(({ name }) => name === "http")
    .map(({ node }) => keyOf(node, "method"))
    .find((place) => place !== undefined);

/** Schemes whose type says what a credential is. */
const CREDENTIALS = [
  ...["userPassword", "X509", "symmetricEncryption", "asymmetricEncryption"],
  ...["plain", "scramSha256", "scramSha512", "gssapi"],
];

const saysFormat = (node: MapNode): boolean =>
  CREDENTIALS.includes(textAt(node, "type") ?? "") ||
  textAt(node, "scheme")?.toLowerCase() === "basic" ||
  textAt(node, "bearerFormat") !== undefined;

const saysWhere = (node: MapNode): boolean =>
  ["apiKey", "httpApiKey", "http"].includes(textAt(node, "type") ?? "");

/** A scheme may stand where it is asked for, and nowhere else. */
function schemeAsked(seen: Seen): Found {
  const { operations, servers } = modelOf(seen);
  const named = scheme(seen);
  if (named[0] !== "silent") return named;
  return stated([...operations, ...servers].find(({ security }) => security?.length)?.place);
}

const payloadAt = (messages: AsyncOperation["messages"]): Place | undefined =>
  messages.find(({ payload }) => payload !== undefined)?.payload?.place;

const silent = (): Found => SILENT;

export const ASYNC_FACETS: FacetTable = {
  purpose: (seen) => stated(written(info(seen, "description"))),
  behaviour: (seen) => stated(keyOf(seen.description.root, "servers")),
  // A schema says how something is sent, not that the service keeps it.
  resources: silent,
  fields: (seen) => stated(withKey(seen, ["properties"])),
  types: (seen) => stated(withKey(seen, ["type", "allOf", "anyOf", "oneOf", "enum", "const"])),
  constraints: (seen) => stated(withKey(seen, CONSTRAINTS)),
  states: silent,
  transitions: (seen) => orMentioned(seen, "transitions"),
  methods: (seen) => {
    const found = operation(seen, (each) => each.action === "receive" && !!methodAt(each));
    return stated(found && methodAt(found));
  },
  paths: (seen) => {
    const found = operation(seen, (each) => each.action === "receive" && !!methodAt(each));
    return stated(typeof found?.channel?.address === "string" ? found.channel.place : undefined);
  },
  "request payloads": (seen) => {
    const isRead = (each: AsyncOperation): boolean =>
      each.action === "receive" && payloadAt(each.messages) !== undefined;
    return stated(payloadAt(operation(seen, isRead)?.messages ?? []));
  },
  "response payloads": (seen) => {
    const isAnswered = (each: AsyncOperation): boolean =>
      each.action === "receive" && payloadAt(each.reply?.messages ?? []) !== undefined;
    return stated(payloadAt(operation(seen, isAnswered)?.reply?.messages ?? []));
  },
  scheme: schemeAsked,
  credentials: (seen) => schemeWith(seen, saysFormat),
  headers: (seen) => schemeWith(seen, saysWhere),
  "token handling": (seen) => orMentioned(seen, "token handling"),
  events: (seen) => stated(operation(seen, (each) => each.action === "send")?.place),
  notifications: (seen) => {
    const isStream = (each: AsyncOperation): boolean =>
      each.action === "send" && methodAt(each) === undefined;
    return stated(operation(seen, isStream)?.place);
  },
  callbacks: (seen) => {
    const isHook = (each: AsyncOperation): boolean =>
      each.action === "send" && methodAt(each) !== undefined;
    return orMentioned(seen, "events", operation(seen, isHook)?.place);
  },
  "error codes": silent,
  "status codes": silent,
  "error payloads": silent,
  "rate limits": (seen) => orMentioned(seen, "rate limits"),
  "size limits": (seen) => orMentioned(seen, "size limits"),
  "time-outs": (seen) => orMentioned(seen, "time-outs"),
  quotas: (seen) => orMentioned(seen, "quotas"),
  "versioning scheme": (seen) => stated(written(info(seen, "version"))),
  "compatibility rules": (seen) => orMentioned(seen, "compatibility rules"),
};
