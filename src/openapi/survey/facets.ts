/** What a description says of each of the 28 facets. */
import { parts } from "../../language/index.ts";
import type { Description } from "../model/index.ts";
import { type MapNode, type Node, type Place, textAt } from "../tree/index.ts";
import { classOf, isClientError, isDefault, isSuccess } from "./answers.ts";
import type { Mention, Topic } from "./mentions.ts";
import type { Used } from "./schemas.ts";
import type { FacetStatus, SurveyPart } from "./types.ts";
import type { StateMember } from "./wholes.ts";

/** What facets are told from. */
export interface Seen {
  readonly description: Description;
  readonly schemas: readonly Used[];
  /** Objects with a member that lists states. */
  readonly states: ReadonlyMap<MapNode, StateMember>;
  readonly mentions: ReadonlyMap<Topic, readonly Mention[]>;
}

/** A status with the place that shows it. */
export type Found = readonly [status: FacetStatus, place?: Place];

/** Keywords that say which values are allowed. */
export const CONSTRAINTS = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems"],
  ...["minProperties", "maxProperties", "enum", "const", "required"],
];

export const SILENT: Found = ["silent"];

/** Stated where there is a place. */
export const stated = (place: Place | undefined): Found =>
  place === undefined ? SILENT : ["stated", place];

/** Where a member stands, if there is one. */
export const keyOf = (node: MapNode, key: string): Place | undefined =>
  node.indexOf(key) < 0 ? undefined : node.keyPlace(key);

/** Where a schema has one of these keywords. */
export function withKey({ schemas }: Seen, keys: readonly string[]): Place | undefined {
  for (const { node } of schemas) {
    const key = keys.find((each) => node.indexOf(each) >= 0);
    if (key !== undefined) return node.keyPlace(key);
  }
  return undefined;
}

/** Stated, else mentioned in prose, else silent. */
export function orMentioned(seen: Seen, topic: Topic, place?: Place): Found {
  if (place !== undefined) return stated(place);
  const [first] = seen.mentions.get(topic) ?? [];
  return first === undefined ? SILENT : ["mentioned", first.place];
}

/** A limit is stated by what counts and how much; an answer that supposes it mentions it. */
function limit(seen: Seen, topic: Topic, statuses: readonly string[]): Found {
  for (const { responses } of seen.description.operations) {
    const found = responses.find((each) => statuses.includes(each.status));
    if (found !== undefined) return ["mentioned", found.place];
  }
  return orMentioned(seen, topic);
}

/** A member of the file's `info`. */
export const info = (seen: Seen, key: string): Node | undefined => {
  const node = seen.description.root.get("info");
  return node?.kind === "map" ? node.get(key) : undefined;
};

/** Where a text stands that says something. */
export const written = (node: Node | undefined): Place | undefined =>
  node?.kind === "scalar" && String(node.value ?? "").trim() !== "" ? node : undefined;

const answer = (
  { description }: Seen,
  of: (each: Description["operations"][number]["responses"][number]) => boolean,
): Place | undefined => {
  for (const { responses } of description.operations) {
    const found = responses.find(of);
    if (found !== undefined) return found.place;
  }
  return undefined;
};

/** Everybody may ask everything: stated by an empty list, and by nothing else. */
function openToAll({ description }: Seen): Place | undefined {
  const { operations, root } = description;
  const isOpen = operations.every((each) => each.security?.length === 0);
  return isOpen && operations.length > 0
    ? (keyOf(root, "security") ?? operations[0]?.place)
    : undefined;
}

/** Whether a scheme is stated. */
export function scheme(seen: Seen): Found {
  const [first] = seen.description.securitySchemes;
  if (first !== undefined) return stated(first.place);
  const open = openToAll(seen);
  return open === undefined ? SILENT : ["none", open];
}

/** The first scheme for which a predicate holds. */
export function schemeWith(seen: Seen, of: (node: MapNode) => boolean): Found {
  const { securitySchemes } = seen.description;
  if (securitySchemes.length === 0) return scheme(seen);
  return stated(securitySchemes.find(({ node }) => of(node))?.place);
}

const saysFormat = (node: MapNode): boolean =>
  textAt(node, "type") === "basic" ||
  textAt(node, "scheme")?.toLowerCase() === "basic" ||
  textAt(node, "bearerFormat") !== undefined;

const saysWhere = (node: MapNode): boolean =>
  ["apiKey", "basic", "http"].includes(textAt(node, "type") ?? "");

/** What tells each facet, by its name. */
export type FacetTable = Readonly<Record<string, (seen: Seen) => Found>>;

const FACETS: FacetTable = {
  purpose: (seen) => stated(written(info(seen, "description")) ?? written(info(seen, "summary"))),
  behaviour: ({ description: { root } }) =>
    stated(keyOf(root, "servers") ?? keyOf(root, "basePath") ?? keyOf(root, "host")),
  // A schema says how something is sent, not that the service keeps it.
  resources: () => SILENT,
  fields: (seen) => stated(withKey(seen, ["properties"])),
  types: (seen) => stated(withKey(seen, ["type", "allOf", "anyOf", "oneOf", "enum", "const"])),
  constraints: (seen) => stated(withKey(seen, CONSTRAINTS)),
  // Values that are listed are no states of a thing yet: nobody has said what has them.
  states: ({ states }) => {
    const [first] = states.values();
    return first === undefined ? SILENT : ["mentioned", first.place];
  },
  transitions: (seen) => orMentioned(seen, "transitions"),
  methods: ({ description }) => stated(description.operations[0]?.place),
  paths: ({ description }) => stated(description.operations[0]?.place),
  "request payloads": ({ description }) =>
    stated(
      description.operations.find((each) => (each.body?.content.length ?? 0) > 0)?.body?.place ??
        description.operations.find((each) => each.parameters.length > 0)?.parameters[0]?.place,
    ),
  "response payloads": (seen) =>
    stated(answer(seen, (each) => isSuccess(each) && each.content.length > 0)),
  scheme,
  credentials: (seen) => schemeWith(seen, saysFormat),
  headers: (seen) => schemeWith(seen, saysWhere),
  "token handling": (seen) => {
    const none = scheme(seen);
    return none[0] === "none" ? none : orMentioned(seen, "token handling");
  },
  events: (seen) => orMentioned(seen, "events", outgoing(seen)),
  notifications: () => SILENT,
  callbacks: (seen) => orMentioned(seen, "events", outgoing(seen)),
  "error codes": (seen) => stated(errorCodes(seen)),
  "status codes": (seen) => stated(answer(seen, (each) => isError(each))),
  "error payloads": (seen) =>
    stated(answer(seen, (each) => (isError(each) || isDefault(each)) && each.content.length > 0)),
  "rate limits": (seen) => limit(seen, "rate limits", ["429"]),
  "size limits": (seen) => limit(seen, "size limits", ["413"]),
  "time-outs": (seen) => limit(seen, "time-outs", ["408", "504"]),
  quotas: (seen) => limit(seen, "quotas", ["507"]),
  "versioning scheme": (seen) => stated(written(info(seen, "version"))),
  "compatibility rules": (seen) => orMentioned(seen, "compatibility rules"),
};

const isError = (each: Parameters<typeof isClientError>[0]): boolean =>
  isClientError(each) || classOf(each) === "5";

/** What the service sends by itself. */
function outgoing({ description }: Seen): Place | undefined {
  const { webhooks, operations } = description;
  return (
    webhooks[0]?.place ??
    operations.find((each) => each.callbacks.length > 0)?.node.keyPlace("callbacks")
  );
}

/** Codes of errors: an enumeration in the body of a 4xx, 5xx or `default`. */
function errorCodes({ description }: Seen): Place | undefined {
  const { operations, refs } = description;
  const seen = new Set<Node>();
  for (const { responses } of operations) {
    for (const each of responses) {
      if (!isError(each) && !isDefault(each)) continue;
      for (const { schema } of each.content) {
        const node = refs.map(schema);
        if (node === undefined || seen.has(node)) continue;
        seen.add(node);
        const found = listedMember(node, refs);
        if (found !== undefined) return found;
      }
    }
  }
  return undefined;
}

/** The first member of an object that lists its values. */
function listedMember(node: MapNode, refs: Description["refs"]): Place | undefined {
  const properties = node.get("properties");
  if (properties?.kind !== "map") return undefined;
  for (const each of properties.values) {
    const member = refs.map(each);
    const found = member && (keyOf(member, "enum") ?? keyOf(member, "const"));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The nine parts with their facets, in the order of the notation. */
export function facetsOf(seen: Seen, table: FacetTable = FACETS): SurveyPart[] {
  const top = { file: 0, start: seen.description.root.start, end: seen.description.root.start + 1 };
  return parts.map(({ title, facets }) => ({
    name: title,
    facets: facets.map(({ name }) => {
      const [status, place = top] = table[name]?.(seen) ?? SILENT;
      return { name, status, place };
    }),
  }));
}
