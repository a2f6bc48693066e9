/** The checks that a request goes through: what each consults, and the ends that it can make. */
import { never } from "../../base/index.ts";
import { isScalar } from "../type-kinds.ts";
import type {
  CheckKind,
  Endpoint,
  FailureCondition,
  FailureRow,
  Input,
  ItemId,
  Limit,
  Refusal,
  Resource,
  Rule,
  Service,
  ValueType,
} from "../types/index.ts";
import { partIn, referredIn } from "./kinds.ts";
import { Uses } from "./uses.ts";

/** What a check answers with: a refusal of its own, or a row of the failure table. */
export interface Refused {
  readonly id: ItemId;
  readonly refusal: Refusal;
  /** It is told with others that are met at once. */
  readonly together?: true;
}

export interface Stage {
  readonly uses: Uses;
  readonly ends: readonly Refused[];
}

/** Conditions that can occur at an endpoint. */
export type Conditions = ReadonlySet<FailureCondition>;

/**
 * `nowhere`: at no endpoint. `before`: before any step. `query`: before
 * there is a look at the body. `outer`: before it is read.
 * `anywhere`: at any time.
 */
type Where = CheckKind | "nowhere" | "before" | "actors" | "query" | "outer" | "anywhere";

/** Where a condition of the closed list is met. */
const FOUND_BY: Readonly<Record<FailureCondition, Where>> = {
  "unknown path": "nowhere",
  "unknown method": "nowhere",
  "no version": "before",
  "unknown version": "before",
  "other media type": "outer",
  "body absent": "inputs",
  "body not expected": "inputs",
  "malformed body": "inputs",
  "repeated member": "inputs",
  "unknown member": "inputs",
  "not settable": "inputs",
  absent: "inputs",
  null: "inputs",
  empty: "inputs",
  "wrong type": "inputs",
  "too short": "inputs",
  "too long": "inputs",
  "too small": "inputs",
  "too large": "inputs",
  "too few items": "inputs",
  "too many items": "inputs",
  "not matching": "inputs",
  "not one of": "inputs",
  "repeated item": "inputs",
  "no member given": "inputs",
  "unknown query parameter": "query",
  "repeated query parameter": "query",
  "malformed query": "query",
  "no credentials": "caller",
  "bad credentials": "caller",
  "bad credentials where optional": "caller",
  "not permitted": "actors",
  "fault inside": "anywhere",
  "time passed": "anywhere",
  "malformed request": "nowhere",
  "unknown HTTP version": "nowhere",
  "unknown transfer coding": "nowhere",
  "unknown expectation": "nowhere",
  "target too long": "nowhere",
  "header section too large": "nowhere",
  "body too large": "nowhere",
  "sender too slow": "nowhere",
};

/** Rows that can speak at the endpoint: its own before the general ones. */
function failureRows(service: Service, endpoint: Endpoint, occurs: Conditions): FailureRow[] {
  const own = new Set(endpoint.failures.map((row) => row.condition));
  const general = service.failures.filter((row) => !own.has(row.condition));
  return [...endpoint.failures, ...general].filter(
    (row) => occurs.has(row.condition) && FOUND_BY[row.condition] !== "nowhere",
  );
}

/** Where several failures can be met by one request. */
const TOGETHER: ReadonlySet<Where> = new Set(["inputs", "query", "outer"]);

/** Whether a request that meets a failure there can meet another one behind it. */
function othersBeside(
  service: Service,
  endpoint: Endpoint,
  { occurs, where }: { readonly occurs: Conditions; readonly where: Where },
): boolean {
  const rows = failureRows(service, endpoint, occurs);
  const errors = rows.flatMap((row) => (row.answer.is === "error" ? [row.condition] : []));
  const isBeside = endpoint.inputs.some((one) => one.in !== "body");
  if (isBeside || errors.includes("unknown query parameter")) return true;
  if (where === "outer") return errors.includes("repeated query parameter");
  return errors.filter((one) => TOGETHER.has(FOUND_BY[one])).length > 1;
}

/** The failure rows that a check answers with, and those by which it goes on (`ignored`). */
export function failureStage(
  service: Service,
  endpoint: Endpoint,
  at: { readonly occurs: Conditions; readonly where: Where },
): Stage {
  const uses = new Uses(service, endpoint);
  const rows = failureRows(service, endpoint, at.occurs).filter(
    (row) => FOUND_BY[row.condition] === at.where,
  );
  const ends = rows.flatMap((row): Refused[] => {
    const { answer, id } = row;
    if (answer.is === "gap") return [{ id, refusal: answer }];
    if (answer.is !== "error") {
      uses.add(id);
      return [];
    }
    const refusal: Refusal = { is: "error", id, error: answer.error, with: [] };
    const isTold = TOGETHER.has(at.where) && othersBeside(service, endpoint, at);
    return [isTold ? { id, refusal, together: true } : { id, refusal }];
  });
  return { uses, ends };
}

/** What every request to the endpoint meets before any step. */
export function routeStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  uses.answer(service.about.basePath);
  uses.add(endpoint.id);
  uses.answer(service.about.crossOrigin);
  const { chosenBy, version } = service.versioning;
  uses.answer(chosenBy);
  if (chosenBy.is === "stated" && chosenBy.value.by !== "path") uses.answer(version);
  return { uses, ends: [] };
}

/** Whether all may ask without credentials, so that none are read. */
function isOpen(service: Service, endpoint: Endpoint): boolean {
  const { who } = endpoint;
  if (who.is !== "stated") return who.is === "none";
  return who.value.every((name) =>
    service.actors.some((actor) => actor.name === name && actor.holds.is === "always"),
  );
}

/** Who may ask, of the callers that are known. */
export function actorsStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const who = endpoint.who.is === "stated" ? endpoint.who.value : [];
  for (const actor of service.actors.filter(({ name }) => who.includes(name))) {
    uses.add(actor.id);
    if (actor.holds.is !== "always") uses.expression(uses.answer(actor.holds));
  }
  return { uses, ends: [] };
}

/** Whether somebody must be known, and who it is. */
export function callerStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  uses.answer(endpoint.who);
  if (isOpen(service, endpoint)) return { uses, ends: [] };
  const ends = service.schemes.flatMap((scheme): Refused[] => {
    uses.add(scheme.id);
    const credential = uses.answer(scheme.credential);
    uses.answer(scheme.sent);
    if (credential?.is === "jwt") {
      uses.expression(credential.key === "jwks" ? credential.jwks : credential.key);
      const { issuer, audience, lifetime, clockSkew } = scheme;
      for (const one of [issuer, audience, lifetime, clockSkew]) uses.answer(one);
    }
    const caller = uses.answer(scheme.caller);
    if (caller === undefined) return [];
    uses.reads(caller.resource);
    uses.expression(caller.where);
    return [{ id: `${scheme.id}/caller`, refusal: caller.otherwise }];
  });
  return { uses, ends };
}

/** Whether the limit counts requests, bytes or time of this endpoint. */
function counts(limit: Limit, endpoint: Endpoint): boolean {
  const { counts: what } = limit;
  switch (what.is) {
    case "requests":
      return what.endpoint === undefined || `endpoints/${what.endpoint}` === endpoint.id;
    case "body bytes":
    case "header bytes":
    case "path bytes":
    case "request time":
    case "gap":
      return true;
    case "rows kept":
    case "sum":
      return false;
    default:
      return never(what);
  }
}

/** Every limit that counts requests, bytes or time of the endpoint. */
export function limitsStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const ends = service.limits.flatMap((limit): Refused[] => {
    if (!counts(limit, endpoint)) return [];
    uses.limit(limit.id);
    if (limit.counts.is === "requests") uses.answer(service.limitAnswers.sent);
    const { whenPassed } = limit;
    return whenPassed.is === "stated" ? [{ id: limit.id, refusal: whenPassed.value }] : [];
  });
  return { uses, ends };
}

function rule(uses: Uses, one: Rule): void {
  uses.add(one.id);
  if (one.kind === "holds") {
    uses.expression(one.condition);
    uses.refusal(one.otherwise);
  }
  if (one.kind === "absent means") uses.expression(one.value);
}

/** What reading a value of the type consults: parts inside it, and rows that references name. */
function typeRead(uses: Uses, service: Service, { type }: ValueType): void {
  if (isScalar(type)) {
    uses.type({ type, ...PLAIN });
    return;
  }
  switch (type.kind) {
    case "list":
    case "map":
      typeRead(uses, service, type.of);
      return;
    case "structure": {
      const part = service.partTypes.find((one) => one.name === type.name);
      if (part === undefined || uses.items.has(part.id)) return;
      uses.add(part.id);
      fieldsRead(uses, service, { fields: part.fields, column: "create" });
      return;
    }
    case "reference":
      uses.type({ type: { kind: "reference", resource: type.resource }, ...PLAIN });
      return;
    default:
      never(type);
  }
}

const PLAIN = { orNull: false, orAbsent: false } as const;

interface Reading {
  readonly fields: Resource["fields"];
  readonly column: "create" | "update";
}

function fieldsRead(uses: Uses, service: Service, { fields, column }: Reading): void {
  for (const field of fields) {
    uses.add(field.id);
    const given = field[column];
    if (given.is === "no") continue;
    if (given.is === "required when") uses.expression(given.condition);
    typeRead(uses, service, field.type);
    for (const one of field.rules) rule(uses, one);
  }
}

function inputRead(uses: Uses, service: Service, input: Input): void {
  uses.add(input.id);
  uses.add(...Object.values(input.gaps ?? {}));
  typeRead(uses, service, input.type);
  for (const one of input.rules) rule(uses, one);
}

function ruleRefusals(rules: readonly Rule[]): Refused[] {
  return rules.flatMap((one) =>
    one.kind === "holds" ? [{ id: one.id, refusal: one.otherwise }] : [],
  );
}

/** Every input beside the body. */
export function besideStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const beside = endpoint.inputs.filter((one) => one.in !== "body");
  for (const input of beside) inputRead(uses, service, input);
  return { uses, ends: beside.flatMap((one) => ruleRefusals(one.rules)) };
}

/** Whether there is a body, and of which media type. */
export function outerStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const stated = uses.answer(endpoint.body);
  const hasBody = stated !== undefined || endpoint.inputs.some((one) => one.in === "body");
  if (endpoint.formatGap !== undefined) uses.add(endpoint.formatGap);
  if (hasBody) {
    if (endpoint.format === undefined) uses.answer(service.about.bodyFormat);
    else uses.add(`${endpoint.id}/body format`);
  }
  return { uses, ends: [] };
}

/** What a body holds. */
export function bodyStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const ends: Refused[] = [];
  const { body } = endpoint;
  const stated = body.is === "stated" ? body.value : undefined;
  for (const input of endpoint.inputs.filter((one) => one.in === "body")) {
    inputRead(uses, service, input);
    ends.push(...ruleRefusals(input.rules));
  }
  if (stated !== undefined) {
    for (const one of stated.rules) rule(uses, one);
    const { content } = stated;
    if (content.is === "type") typeRead(uses, service, content.type);
    else {
      const { resource } = content;
      const owner = [...service.resources, ...service.partTypes].find(
        (one) => one.name === resource,
      );
      const fields = owner?.fields ?? [];
      if (owner !== undefined) uses.add(owner.id);
      fieldsRead(uses, service, { fields, column: content.is === "new" ? "create" : "update" });
      ends.push(...fields.flatMap((field) => ruleRefusals(field.rules)));
    }
  }
  return { uses, ends };
}

/** The rows that the inputs name. */
export function namesStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const parts = new Set<string>();
  const follow = ({ type }: ValueType): void => {
    for (const one of referredIn({ type, ...PLAIN })) uses.reads(one);
    const name = partIn(type);
    if (name === undefined || parts.has(name)) return;
    parts.add(name);
    const part = service.partTypes.find((one) => one.name === name);
    for (const field of part?.fields ?? []) follow(field.type);
  };
  for (const one of endpoint.inputs) follow(one.type);
  const body = endpoint.body.is === "stated" ? endpoint.body.value.content : undefined;
  if (body?.is === "type") follow(body.type);
  if (body === undefined || body.is === "type") return { uses, ends: [] };
  const owner = service.resources.find((one) => one.name === body.resource);
  const column = body.is === "new" ? "create" : "update";
  for (const one of owner?.fields ?? []) if (one[column].is !== "no") follow(one.type);
  const ends = (owner?.invariants ?? []).flatMap((one): Refused[] =>
    one.kind === "missing" ? [{ id: one.id, refusal: one.otherwise }] : [],
  );
  return { uses, ends };
}

/** The idempotency key and its questions. */
export function keyStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const key = endpoint.idempotency;
  if (key === undefined) return { uses, ends: [] };
  uses.add(key.id);
  for (const one of [key.kept, key.per, key.sameBody, key.keeps, key.compares]) uses.answer(one);
  const ends = [key.otherBody, key.running].flatMap((answer): Refused[] => {
    if (answer.is === "gap") return [{ id: answer.gap, refusal: answer }];
    if (answer.is !== "stated" || answer.value === "wait") return [];
    return [{ id: answer.id, refusal: answer.value as Refusal }];
  });
  return { uses, ends };
}

/** The rows that Path bullets name. */
export function pathsStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const ends = endpoint.bindings.map((one): Refused => {
    uses.add(one.id);
    uses.reads(one.resource);
    const field = uses.resource(one.resource)?.fields.find((each) => each.name === one.by);
    // Of a field that rows are found by, no more than whether its values are numbers matters.
    if (field?.type.type.kind === "integer") uses.add(field.id);
    uses.expression(one.where);
    uses.refusal(one.otherwise);
    return { id: one.id, refusal: one.otherwise };
  });
  return { uses, ends };
}
