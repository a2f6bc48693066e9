/** Which conditions of the closed list can occur at an endpoint, by what it reads and asks. */
import { never } from "../../base/index.ts";
import { type ConditionEntry, failureConditions } from "../../language/index.ts";
import {
  type Endpoint,
  type FailureCondition,
  type Field,
  isStated,
  type Rule,
  type Service,
  type ValueType,
} from "../../plan/index.ts";
import type { RuleContext } from "./context.ts";
import { hasMembers, isJsonBody } from "./media.ts";

/** What of the context is asked here. */
type Facts = Pick<RuleContext, "service" | "resources" | "parts" | "always">;

type Occurs = ConditionEntry["occurs"];

/** Names of conditions. */
export type Conditions = ReadonlySet<FailureCondition>;

const byOccurs = new Map<Occurs, FailureCondition[]>();
for (const { name, occurs } of failureConditions) {
  byOccurs.set(occurs, [...(byOccurs.get(occurs) ?? []), name]);
}

interface Reading {
  readonly found: Set<Occurs>;
  /** Takes the name of each part that is met. */
  readonly part: (name: string) => void;
  /** In a JSON body; elsewhere a value is text and is never null. */
  readonly json: boolean;
}

function addRule(found: Set<Occurs>, rule: Rule): void {
  switch (rule.kind) {
    case "characters":
      if ((rule.min ?? 0) > 0) found.add("shortest");
      if (rule.max !== undefined) found.add("longest");
      return;
    case "items":
      if ((rule.min ?? 0) > 0) found.add("fewest items");
      if (rule.max !== undefined) found.add("most items");
      return;
    case "range":
      if (rule.min !== undefined) found.add("smallest");
      if (rule.max !== undefined) found.add("greatest");
      return;
    case "matches":
    case "scheme":
      found.add("pattern");
      return;
    case "not empty":
      found.add("not empty rule");
      return;
    case "different items":
      found.add("different items");
      return;
    case "at least one member":
      found.add("one member");
      return;
    case "empty becomes null":
    case "empty means absent":
    case "trimmed":
    case "absent means":
    case "holds":
    case "starts":
    case "set":
    case "counts up":
    case "unique":
    case "kept as":
    case "random":
    case "key":
    case "when gone":
    case "order":
    case "gap":
      return;
    default:
      never(rule);
  }
}

const LISTED = new Set(["one of", "state", "event name", "error name"]);

function addType(at: Reading, value: ValueType): void {
  const { type } = value;
  if (LISTED.has(type.kind)) at.found.add("one of");
  if (type.kind !== "json" && (at.json || (type.kind !== "string" && type.kind !== "secret"))) {
    at.found.add("typed input");
  }
  const takesNull = value.orNull || type.kind === "json" || type.kind === "schema";
  if (at.json && !takesNull) at.found.add("null member");
  if (type.kind === "list" || type.kind === "map") addType(at, type.of);
  if (type.kind === "structure") at.part(type.name);
}

function addFields(at: Reading, fields: readonly Field[], kind: "create" | "update"): void {
  at.found.add("members");
  for (const field of fields) {
    const given = field[kind].is;
    if (given === "no") {
      at.found.add("not settable");
      continue;
    }
    if (given === "required" || given === "required when") at.found.add("needed member");
    addType(at, field.type);
    for (const rule of field.rules) addRule(at.found, rule);
  }
}

/** What can occur in each part, with the parts inside it: spread from the inner to the outer. */
function partConditions(c: Facts): Map<string, Set<Occurs>> {
  const found = new Map<string, Set<Occurs>>();
  const outer = new Map<string, string[]>();
  for (const [name, part] of c.parts) {
    const own = new Set<Occurs>();
    found.set(name, own);
    const inner = (other: string) => {
      const all = outer.get(other);
      if (all === undefined) outer.set(other, [name]);
      else all.push(name);
    };
    addFields({ found: own, part: inner, json: true }, part.fields, "create");
  }
  const open = [...found.keys()];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const own = found.get(name) ?? new Set<Occurs>();
    for (const other of outer.get(name) ?? []) {
      const into = found.get(other) ?? new Set<Occurs>();
      const before = into.size;
      for (const one of own) into.add(one);
      if (into.size > before) open.push(other);
    }
  }
  return found;
}

function reading(general: General, found: Set<Occurs>, json: boolean): Reading {
  return {
    found,
    json,
    part: (name) => {
      for (const one of general.parts.get(name) ?? []) found.add(one);
    },
  };
}

interface Place {
  readonly c: Facts;
  readonly endpoint: Endpoint;
  readonly general: General;
  readonly found: Set<Occurs>;
}

/** What an object of members can have wrong as a whole. */
function addObject({ found, json }: Pick<Reading, "found" | "json">): void {
  found.add("members");
  if (json) found.add("typed input").add("null member");
}

function addBody({ c, endpoint, general, found }: Place): void {
  const rows = endpoint.inputs.filter((input) => input.in === "body");
  const { body } = endpoint;
  if (body.is === "gap") return;
  if (!isStated(body) && rows.length === 0) {
    found.add("no body");
    return;
  }
  const at = reading(general, found, isJsonBody(c, endpoint));
  found.add("body");
  if (hasMembers(c, endpoint)) found.add("structured body");
  if (rows.length > 0) addObject(at);
  if (rows.some((input) => input.needed === "yes")) found.add("needed body");
  if (!isStated(body)) return;
  const { content, member, rules } = body.value;
  if (member !== undefined) found.add("members").add("needed member").add("needed body");
  for (const rule of rules) addRule(found, rule);
  if (content.is === "type") {
    found.add("needed body");
    addType(at, content.type);
    return;
  }
  addObject(at);
  const owner = c.resources.get(content.resource) ?? c.parts.get(content.resource);
  const mode = content.is === "new" ? "create" : "update";
  const fields = owner?.fields ?? [];
  if (fields.some((field) => field[mode].is === "required")) found.add("needed body");
  addFields(at, fields, mode);
}

function addInputs({ c, endpoint, general, found }: Place): void {
  const json = isJsonBody(c, endpoint);
  for (const input of endpoint.inputs) {
    if (input.gaps?.in !== undefined || input.gaps?.type !== undefined) continue;
    if (input.needed === "yes" && input.in !== "path") found.add("needed member");
    addType(reading(general, found, json && input.in === "body"), input.type);
    for (const rule of input.rules) addRule(found, rule);
  }
}

/** What holds at every endpoint alike. */
interface General {
  /** Actors that hold for every caller. */
  readonly anyCaller: ReadonlySet<string>;
  /** Whether a limit on the time to answer leaves open what is answered. */
  readonly late: boolean;
  /** Whether requests name the version that they want. */
  readonly chosen: boolean;
  /** What can occur in a part. */
  readonly parts: ReadonlyMap<string, ReadonlySet<Occurs>>;
}

function choosesVersion({
  service: {
    versioning: { chosenBy },
  },
}: Facts): boolean {
  return isStated(chosenBy) && chosenBy.value.by !== "path";
}

/** Gathers it once for all endpoints. */
export function generalOf(c: Facts): General {
  return {
    parts: partConditions(c),
    anyCaller: new Set(
      c.service.actors
        .filter(
          ({ holds }) =>
            isStated(holds) && holds.value.code.op === "literal" && holds.value.code.value === true,
        )
        .map((actor) => actor.name),
    ),
    chosen: choosesVersion(c),
    late: c.service.limits.some(
      (limit) => limit.counts.is === "request time" && limit.whenPassed.is === "gap",
    ),
  };
}

function addCaller({ c, endpoint, general, found }: Place): void {
  if (!isStated(endpoint.who) || c.service.schemes.length === 0) return;
  const who = endpoint.who.value;
  const open = who.filter((actor) => c.always.has(actor)).length;
  if (open === who.length) return;
  if (open > 0) {
    found.add("optional credentials");
    return;
  }
  found.add("credentials needed").add("credentials");
  if (!who.some((actor) => general.anyCaller.has(actor))) found.add("actors");
}

/** The conditions that can occur at an endpoint. */
export function conditionsAt(c: Facts, endpoint: Endpoint, general: General): Conditions {
  const found = new Set<Occurs>(["always"]);
  const place: Place = { c, endpoint, general, found };
  addBody(place);
  addInputs(place);
  addCaller(place);
  if (general.late) found.add("time-out");
  if (general.chosen) found.add("version choice");
  const names = new Set([...found].flatMap((one) => byOccurs.get(one) ?? []));
  // A query comes to every endpoint; repeating one of its parameters needs one.
  names.add("unknown query parameter").add("malformed query");
  if (endpoint.inputs.some((input) => input.in === "query" && input.type.type.kind !== "list")) {
    names.add("repeated query parameter");
  }
  return names;
}

/** The conditions that can occur at each endpoint of a service. */
export function conditionsOf(service: Service): (endpoint: Endpoint) => Conditions {
  const facts: Facts = {
    service,
    resources: new Map(service.resources.map((one) => [one.name, one])),
    parts: new Map(service.partTypes.map((one) => [one.name, one])),
    always: openActors(service),
  };
  const general = generalOf(facts);
  return (endpoint) => conditionsAt(facts, endpoint, general);
}

/** The same, with the conditions that can occur where nothing is read of a body. */
export function occurrencesOf(
  service: Service,
): (endpoint: Endpoint) => { readonly occurs: Conditions; readonly unread: Conditions } {
  const conditions = conditionsOf(service);
  return (endpoint) => {
    const inputs = endpoint.inputs.filter((one) => one.in !== "body");
    const unread = conditions({ ...endpoint, body: { is: "none", id: endpoint.id }, inputs });
    const occurs = conditions(endpoint);
    return { occurs, unread: new Set([...unread].filter((one) => occurs.has(one))) };
  };
}

/** Actors that hold without credentials. */
function openActors({ actors }: Service): Set<string> {
  return new Set(actors.filter(({ holds }) => holds.is === "always").map(({ name }) => name));
}
