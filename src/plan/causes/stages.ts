/** The checks that a request goes through: what each consults, and the ends that it can make. */
import { never } from "../../base/index.ts";
import { deprecationOf, endingsOf } from "../ends.ts";
import type {
  CheckKind,
  Endpoint,
  FailureCondition,
  FailureRow,
  ItemId,
  Limit,
  Refusal,
  Service,
} from "../types/index.ts";
import { Uses } from "./uses.ts";

/** What a check answers with: a refusal of its own, or a row of the failure table. */
export interface Refused {
  readonly id: ItemId;
  readonly refusal: Refusal;
  /** The resource of which no row was found. */
  readonly lacks?: string;
  /** The rows that can be met at once with it, and are told with it. */
  readonly together?: readonly ItemId[];
}

export interface Stage {
  readonly uses: Uses;
  readonly ends: readonly Refused[];
}

/** Conditions that can occur at an endpoint. */
export type Conditions = ReadonlySet<FailureCondition>;

/** Conditions that speak of a body of which nothing is read. */
const UNREAD: Conditions = new Set([
  "other media type",
  "body absent",
  "body not expected",
  "malformed body",
]);

/**
 * `nowhere`: at no endpoint. `before`: before any step. Of inputs, in this order: `query`: before
 * any of them; `outer`: before the body is read; `beside`: in what is read beside it; `inputs`: in
 * any; `unnamed`: when all is read. `anywhere`: at any time.
 */
type Where =
  | CheckKind
  | "nowhere"
  | "before"
  | "actors"
  | "query"
  | "outer"
  | "beside"
  | "unnamed"
  | "anywhere";

/** Where a condition of the closed list is met. */
const FOUND_BY: Readonly<Record<FailureCondition, Where>> = {
  "unknown path": "nowhere",
  "unknown method": "nowhere",
  "no version": "before",
  "unknown version": "before",
  "other media type": "outer",
  "body absent": "inputs",
  "body not expected": "outer",
  "malformed body": "outer",
  "repeated member": "unnamed",
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
  "unknown query parameter": "unnamed",
  "repeated query parameter": "beside",
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
  "too busy": "nowhere",
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
const TOGETHER: ReadonlySet<Where> = new Set(["query", "outer", "beside", "inputs", "unnamed"]);

interface At {
  readonly occurs: Conditions;
  /** Those of them that can occur where no body is read. */
  readonly unread: Conditions;
  readonly where: Where;
  /** No other condition. */
  readonly only?: FailureCondition;
}

/** The rows that a request can meet besides one. */
function rowsBeside(
  service: Service,
  endpoint: Endpoint,
  { occurs, unread }: At,
  row: FailureRow,
): ItemId[] {
  const others = UNREAD.has(row.condition) ? unread : occurs;
  return (
    failureRows(service, endpoint, others)
      .filter(({ id, condition }) => id !== row.id && TOGETHER.has(FOUND_BY[condition]))
      // That is told first, and so never beside another one.
      .filter(({ condition }) => condition !== "malformed query")
      .map(({ id }) => id)
  );
}

/** Whether a request that meets a failure there can meet another one behind it. */
function othersBeside(service: Service, endpoint: Endpoint, { occurs, where }: At): boolean {
  const rows = failureRows(service, endpoint, occurs);
  const errors = rows.flatMap((row) => (row.answer.is === "error" ? [row.condition] : []));
  const isBeside = endpoint.inputs.some((one) => one.in !== "body");
  if (isBeside || errors.includes("unknown query parameter")) return true;
  if (where === "outer") return errors.includes("repeated query parameter");
  return errors.filter((one) => TOGETHER.has(FOUND_BY[one])).length > 1;
}

/** The failure rows that a check answers with, and those by which it goes on (`ignored`). */
export function failureStage(service: Service, endpoint: Endpoint, at: At): Stage {
  const uses = new Uses(service, endpoint);
  const all = failureRows(service, endpoint, at.occurs);
  const rows = all.filter(
    ({ condition }) =>
      FOUND_BY[condition] === at.where && (at.only === undefined || at.only === condition),
  );
  // A body that need not be there is passed before anything else is read.
  const absent = all.find(({ condition }) => condition === "body absent");
  if (at.where === "outer" && absent?.answer.is === "ignored") uses.add(absent.id);
  const ends = rows.flatMap((row): Refused[] => {
    const { answer, id } = row;
    if (answer.is === "gap") return [{ id, refusal: answer }];
    if (answer.is !== "error") {
      uses.add(id);
      return [];
    }
    const refusal: Refusal = { is: "error", id, error: answer.error, with: [] };
    const isTold = TOGETHER.has(at.where) && othersBeside(service, endpoint, at);
    const together = rowsBeside(service, endpoint, at, row);
    return [isTold ? { id, refusal, together } : { id, refusal }];
  });
  return { uses, ends };
}

/** What answers of the endpoint tell of when it goes. */
function ending({ versioning }: Service, { id }: Endpoint, uses: Uses): void {
  const { endFields } = versioning;
  const name = id.slice(id.indexOf("/") + 1);
  const row = deprecationOf(versioning, name);
  if (row === undefined || endFields === undefined) return;
  uses.answer(endFields);
  const endings = endingsOf(versioning, name);
  if (endings.length > 0) uses.add(row.id);
  for (const { day } of endings) uses.answer(day);
}

/** What every request to the endpoint meets before any step. */
export function routeStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  uses.answer(service.about.basePath);
  uses.add(endpoint.id);
  for (const { id, value } of endpoint.headers ?? []) {
    uses.add(id);
    uses.expression(uses.answer(value));
  }
  uses.answer(service.about.crossOrigin);
  const { chosenBy, version } = service.versioning;
  uses.answer(chosenBy);
  if (chosenBy.is === "stated" && chosenBy.value.by !== "path") uses.answer(version);
  ending(service, endpoint, uses);
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

/** The actors of whom one must hold. */
function actorsOf({ actors }: Service, { who }: Endpoint): Service["actors"] {
  const names = who.is === "stated" ? who.value : [];
  return actors.filter(({ name }) => names.includes(name));
}

/** Who may ask, of the callers that are known. */
export function actorsStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  for (const actor of actorsOf(service, endpoint)) {
    uses.add(actor.id);
    if (actor.holds.is !== "always") uses.expression(uses.answer(actor.holds));
  }
  return { uses, ends: [] };
}

/** Whether somebody must be known, and who it is. */
export function callerStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  uses.answer(endpoint.who);
  // Of one that always holds nobody is asked who they are.
  uses.add(...actorsOf(service, endpoint).map(({ id }) => id));
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
    // Nobody is known yet of whom something would have to hold.
    uses.finds(caller.resource, false);
    uses.expression(caller.where);
    const { otherwise: refusal, resource: lacks } = caller;
    return [{ id: `${scheme.id}/caller`, refusal, lacks }];
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

/** Every limit that counts bytes or time of the endpoint, or its requests: sizes come first. */
export function limitsStage(
  service: Service,
  endpoint: Endpoint,
  counting: "sizes" | "requests",
): Stage {
  const uses = new Uses(service, endpoint);
  const ends = service.limits.flatMap((limit): Refused[] => {
    const isRate = limit.counts.is === "requests" || limit.counts.is === "gap";
    if (isRate !== (counting === "requests") || !counts(limit, endpoint)) return [];
    uses.limit(limit.id);
    if (limit.counts.is === "requests") uses.answer(service.limitAnswers.sent);
    const { whenPassed } = limit;
    return whenPassed.is === "stated" ? [{ id: limit.id, refusal: whenPassed.value }] : [];
  });
  return { uses, ends };
}

/** The idempotency key and its questions. */
export function keyStage(service: Service, endpoint: Endpoint): Stage {
  const uses = new Uses(service, endpoint);
  const key = endpoint.idempotency;
  if (key === undefined) return { uses, ends: [] };
  uses.add(key.id);
  for (const one of [key.kept, key.per, key.sameBody, key.keeps, key.compares]) uses.answer(one);
  uses.expression(key.mark?.value);
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
    uses.finds(one.resource);
    const field = uses.resource(one.resource)?.fields.find((each) => each.name === one.by);
    // Of a field that rows are found by, no more than whether its values are numbers matters;
    // beside a choice of conditions its values are compared one by one.
    const code = one.where?.code;
    const isCompared = code?.op === "call" && code.fn === "||";
    if (field !== undefined && (isCompared || field.type.type.kind === "integer")) {
      uses.add(field.id);
    }
    uses.expression(one.where);
    uses.refusal(one.otherwise);
    return { id: one.id, refusal: one.otherwise, lacks: one.resource };
  });
  return { uses, ends };
}
