/** What an endpoint can answer: each status with its bodies and headers. */
import {
  type Endpoint,
  type ErrorDefinition,
  endingsOf,
  everyStep,
  type FailureRow,
  gapOf,
  type HttpCondition,
  type ItemId,
  isStated,
  type Limit,
  type StatedAnswer,
  type Step,
  statedOf,
  type WayToEnd,
  waysToEnd,
} from "../../plan/index.ts";
import type { Json, JsonObject } from "../schemas/json.ts";
import { typeSchema } from "../schemas/types.ts";
import type { World } from "../schemas/world.ts";
import { bodyOf, headerSchema } from "./answer-bodies.ts";
import { contentOf, type Media, mediaOf } from "./media.ts";
import { statusName } from "./statuses.ts";

type Respond = Extract<Step, { kind: "respond" }>;

/** A header of an answer: `sure` where each answer of its kind has it. */
interface Header {
  readonly schema: JsonObject;
  readonly sure: boolean;
}

/** One way to answer with a status. */
interface Way {
  readonly status: number;
  readonly error?: string;
  readonly body?: { readonly media: Media; readonly schema: Json | undefined };
  readonly headers: ReadonlyMap<string, Header>;
  /** What it shows, some of which may not be shown itself. */
  readonly shown?: ReadonlySet<ItemId>;
}

const TEXT: JsonObject = { type: "string" };
const NOT_MODIFIED_STATUS = 304;
const CHALLENGED_STATUS = 401;

/** What HTTP itself asks: it can be met by a request to any endpoint. */
const HTTP: ReadonlySet<string> = new Set<HttpCondition>([
  "malformed request",
  "unknown HTTP version",
  "unknown transfer coding",
  "unknown expectation",
  "target too long",
  "header section too large",
  "body too large",
  "sender too slow",
  "too busy",
]);

/** Look-ups over the plan that all endpoints share. */
interface Known {
  readonly w: World;
  readonly responds: ReadonlyMap<string, Respond>;
  readonly errors: ReadonlyMap<string, ErrorDefinition>;
  readonly limits: ReadonlyMap<string, Limit>;
}

/** What makes the responses of endpoints. */
interface Responses {
  /** `responses`, and the gaps in which a request can end. */
  of(endpoint: Endpoint): JsonObject;
  /** Each error as an endpoint answers it that says nothing of its own about it, by its name. */
  readonly errors: ReadonlyMap<string, JsonObject>;
}

/** Compiles what makes the responses of endpoints. */
export function responsesOf(w: World): Responses {
  const { plan } = w;
  const steps = [
    plan.prologue,
    ...plan.endpoints.map((one) => one.steps),
    ...plan.routines.map((one) => one.steps),
    ...plan.machines.flatMap(({ transitions }) => transitions.map(({ then }) => then)),
  ];
  const responds = everyStep(steps.flat()).flatMap((step) =>
    step.kind === "respond" ? [[step.id, step] as const] : [],
  );
  const known: Known = {
    w,
    responds: new Map(responds),
    errors: new Map(plan.errors.map((one) => [one.name, one])),
    limits: new Map(plan.limits.map((one) => [one.id, one])),
  };
  return { of: (endpoint) => endpointResponses(known, endpoint), errors: errorsOf(known) };
}

function errorsOf(known: Known): Map<string, JsonObject> {
  const { plan } = known.w;
  const own = { headers: plan.headers ?? [], id: "" };
  const found = new Map<string, JsonObject>();
  for (const { name: error } of plan.errors) {
    const retries = plan.limits.some(({ whenPassed }) => {
      const refusal = statedOf(whenPassed);
      return refusal?.is === "error" && refusal.error === error && refusal.retryAfter === true;
    });
    const way = errorWay(known, own, { error, retries });
    if (way !== undefined) found.set(error, responseOf(known.w, String(way.status), [way], []));
  }
  return found;
}

/** What of an endpoint decides on headers of all its answers. */
type Headed = Pick<Endpoint, "headers" | "id" | "idempotency">;

function endpointResponses(known: Known, endpoint: Endpoint): JsonObject {
  const { w } = known;
  const ends = waysToEnd(w.plan, endpoint, w.from.occursAt(endpoint));
  const http = w.plan.failures.filter(({ condition }) => HTTP.has(condition));
  const ways = [
    ...ends.flatMap((end) => wayOf(known, endpoint, end) ?? []),
    ...http.flatMap((row) => failureWay(known, endpoint, row) ?? []),
  ];
  const byStatus = new Map<number, Way[]>();
  for (const way of ways) {
    const all = byStatus.get(way.status);
    if (all === undefined) byStatus.set(way.status, [way]);
    else all.push(way);
  }
  const stated = Map.groupBy((endpoint.answers ?? []).filter(isSaid), keyOf);
  const keys = new Set([
    ...[...byStatus.keys()].sort((a, b) => a - b).map(String),
    ...stated.keys(),
  ]);
  const all = [...keys].map((key): [string, Json] => [
    key,
    responseOf(w, key, byStatus.get(Number(key)) ?? [], stated.get(key) ?? []),
  ]);
  const gaps = endGaps(w, ends, known);
  return {
    ...(all.length === 0 ? {} : { responses: Object.fromEntries(all) }),
    ...(gaps.length === 0 ? {} : { "x-lacuna-gaps": gaps }),
  };
}

/** The gaps in which requests to the endpoint can end. */
function endGaps(w: World, ends: readonly WayToEnd[], known: Known): JsonObject[] {
  const marks = new Map<string, JsonObject>();
  for (const { id, status, error } of ends) {
    if (status !== undefined && status !== 501) continue;
    const definition = error === undefined ? undefined : known.errors.get(error);
    const gap = definition === undefined ? id : (gapOf(definition.status) ?? id);
    if (statedOf(definition?.status) !== undefined) continue;
    const mark = w.gap(gap);
    marks.set(JSON.stringify(mark), mark);
  }
  return [...marks.values()];
}

function wayOf(known: Known, endpoint: Endpoint, end: WayToEnd): Way | undefined {
  const { error, id, status } = end;
  if (error !== undefined) {
    const limit = known.limits.get(id);
    const whenPassed = statedOf(limit?.whenPassed);
    const way = errorWay(known, endpoint, { error, retries: whenPassed?.retryAfter === true });
    return way && { ...way, shown: end.shown };
  }
  const step = known.responds.get(id);
  if (step === undefined || status === undefined) return undefined;
  const { body, headers, tagged } = bodyOf(known.w, endpoint, step);
  if (status === NOT_MODIFIED_STATUS && step.status !== status) {
    const tag = new Map([["ETag", { schema: TEXT, sure: true }]]);
    return { status, headers: new Map([...everyHeader(known.w, endpoint), ...tag]) };
  }
  const tag: [string, Header][] = tagged ? [["ETag", { schema: TEXT, sure: true }]] : [];
  return {
    status: step.status,
    ...(body === undefined ? {} : { body }),
    headers: new Map([...everyHeader(known.w, endpoint), ...tag, ...headers]),
  };
}

function failureWay(known: Known, endpoint: Endpoint, { answer }: FailureRow): Way | undefined {
  if (answer.is !== "error") return undefined;
  return errorWay(known, endpoint, { error: answer.error, retries: false });
}

function errorWay(
  known: Known,
  endpoint: Headed,
  { error, retries }: { readonly error: string; readonly retries: boolean },
): Way | undefined {
  const { w } = known;
  const definition = known.errors.get(error);
  const status = statedOf(definition?.status);
  if (definition === undefined || status === undefined) return undefined;
  const headers = new Map(everyHeader(w, endpoint));
  for (const { name, value } of definition.headers) {
    const gap = gapOf(value);
    if (isStated(value)) headers.set(name, { schema: { const: value.value }, sure: true });
    if (gap !== undefined)
      headers.set(name, { schema: { "x-lacuna-gap": w.gap(gap) }, sure: false });
  }
  if (retries) headers.set("Retry-After", { schema: { type: "integer" }, sure: true });
  if (status === CHALLENGED_STATUS && w.plan.schemes.length > 0) {
    headers.set("WWW-Authenticate", { schema: TEXT, sure: true });
  }
  const { body } = definition;
  const gap = gapOf(body);
  if (gap !== undefined) {
    const hidden = { "x-lacuna-gap": w.gap(gap) };
    return { status, error, headers, body: { media: mediaOf(w, undefined), schema: hidden } };
  }
  if (!isStated(body)) return { status, error, headers };
  const media = mediaOf(w, w.shapes.get(body.value)?.contentType);
  return { status, error, headers, body: { media, schema: w.ref(body.value) } };
}

/** Headers that any answer of the endpoint may have. */
function everyHeader(w: World, endpoint: Headed): [string, Header][] {
  const { limitAnswers, limits, versioning } = w.plan;
  const found: [string, Header][] = [];
  const counted = limits.some(({ counts }) => counts.is === "requests");
  for (const name of (counted && statedOf(limitAnswers.sent)) || []) {
    found.push([name, { schema: TEXT, sure: false }]);
  }
  const item = endpoint.id.slice(endpoint.id.indexOf("/") + 1);
  for (const { field } of endingsOf(versioning, item)) {
    found.push([field, { schema: TEXT, sure: false }]);
  }
  const mark = endpoint.idempotency?.mark;
  if (mark !== undefined) {
    found.push([mark.name, { schema: headerSchema(w, mark.value), sure: false }]);
  }
  for (const { name, value } of endpoint.headers ?? []) {
    const gap = gapOf(value);
    if (isStated(value)) found.push([name, { schema: headerSchema(w, value.value), sure: false }]);
    if (gap !== undefined)
      found.push([name, { schema: { "x-lacuna-gap": w.gap(gap) }, sure: false }]);
  }
  return found;
}

/** Whether a row says anything: that others may come, and nothing of them, is no response. */
const isSaid = ({ status, media, body, meaning }: StatedAnswer): boolean =>
  status !== "any other" ||
  [media, body].some((one) => gapOf(one) === undefined) ||
  isStated(meaning);

/** The key of a row of a table of answers among responses. */
function keyOf({ status }: StatedAnswer): string {
  return status === "any other" ? "default" : status.toUpperCase();
}

/** The body that a row of a table of answers states, or the gap in its place. */
function statedBody(w: World, { media, body }: StatedAnswer): Way["body"] {
  const [noType, noBody] = [gapOf(media), gapOf(body)];
  if (!isStated(media) && noType === undefined) return undefined;
  const schema = isStated(body)
    ? typeSchema(w, body.value, { mode: "read" })
    : noBody === undefined
      ? undefined
      : { "x-lacuna-gap": w.gap(noBody) };
  return { media: isStated(media) ? { type: media.value } : { gap: noType ?? "" }, schema };
}

/** One Response Object for all ways to answer with its status. */
function responseOf(
  w: World,
  key: string,
  ways: readonly Way[],
  answers: readonly StatedAnswer[],
): JsonObject {
  const errors = [...new Set(ways.flatMap(({ error }) => error ?? []))];
  const names = [...new Set(ways.flatMap(({ headers }) => [...headers.keys()]))];
  const headers = names.map((name): [string, Json] => {
    const all = ways.flatMap((way) => way.headers.get(name) ?? []);
    const schemas = new Map(all.map(({ schema }) => [JSON.stringify(schema), schema]));
    const [only] = schemas.values();
    const schema =
      schemas.size === 1 && only !== undefined ? only : { anyOf: [...schemas.values()] };
    const isSure = all.length === ways.length && all.every(({ sure }) => sure);
    return [name, { ...(isSure ? { required: true } : {}), schema }];
  });
  const bodies = [
    ...ways.flatMap(({ body }) => body ?? []),
    ...answers.flatMap((one) => statedBody(w, one) ?? []),
  ];
  const [meaning] = answers.flatMap((one) => statedOf(one.meaning) ?? []);
  const name = /^\d+$/.test(key) ? statusName(Number(key)) : key;
  return {
    description: meaning ?? (errors.length === 0 ? name : errors.join(", ")),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...contentOf(w, bodies),
    ...(errors.length === 0 ? {} : { "x-lacuna-errors": errors }),
    ...w.gapsAmong(ways.flatMap(({ shown }) => [...(shown ?? [])])),
  };
}
