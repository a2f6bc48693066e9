/**
 * Requests that the model refuses are mended: one part at a time is made otherwise, and kept where
 * the request comes as far or further (search-based test generation: McMinn, "Search-based software
 * test data generation: a survey", 2004).
 */
import type { Endpoint } from "../../plan/index.ts";
import type { InputFailure } from "../../run/index.ts";
import type { Request } from "../world/message.ts";
import type { Ran, Step } from "../world/world.ts";
import { changedBody, type Failing } from "./bodies.ts";
import { decoded, encoded } from "./encoding.ts";
import { referredBy } from "./kin.ts";
import type { Making } from "./making.ts";
import { rowsIn } from "./paths.ts";
import { refusingIn } from "./refusing.ts";
import { byOthers, requestTo } from "./requests.ts";
import { tagHeaders } from "./tags.ts";

/** A request that was tried in the model, what it comes to there, and what is wrong with it. */
export interface Tried {
  readonly request: Request;
  readonly ran: Ran;
  readonly wrong: readonly InputFailure[];
}

/** How often one request is changed, and how often in a row for nothing. */
const CHANGES = 40;
const VAIN = 12;
/** Failures that are told apart by their number. */
const FAILURES_MOST = 99;
const NOT_PASSED = new Set(["failed", "ended"]);

/** How far a request came: what it passed on its way, then how little is wrong with it. */
function reachOf({ ran: { outcome, trace }, wrong }: Tried): number {
  if (outcome.response.status < 400) return Number.POSITIVE_INFINITY;
  const passed = trace.filter(
    ([item, came]) => /\/(step|path) /.test(item) && !NOT_PASSED.has(came),
  );
  return passed.length * (FAILURES_MOST + 1) - Math.min(wrong.length, FAILURES_MOST);
}

/**
 * The request, or one that comes further. `run`: what a request comes to, done and undone;
 * undefined: it is not to be sent.
 */
export function mended(
  making: Making,
  { endpoint, first }: { readonly endpoint: Endpoint; readonly first: Request },
  run: (request: Request) => Tried | undefined,
): Tried | undefined {
  let at = run(first);
  let reach = at === undefined ? 0 : reachOf(at);
  for (let i = 0, vain = 0; i < CHANGES && vain < VAIN && at !== undefined; i++, vain++) {
    if (reach === Number.POSITIVE_INFINITY) break;
    const next = run(changedRequest(making, endpoint, at));
    if (next === undefined) continue;
    const came = reachOf(next);
    if (came > reach) vain = 0;
    if (came >= reach) [at, reach] = [next, came];
  }
  return at;
}

/** The chance that the part is changed that seems to be why it came no further. */
const AIMED = 0.75;

type Part = "caller" | "body" | "tag" | "path";

/** A body has the most that may be wrong. */
const PARTS: readonly Part[] = ["caller", "body", "body", "tag", "path"];

/** What has most likely kept a request from coming further; undefined: it may be anything. */
function blamedPart({ steps }: Endpoint, { ran: { trace }, wrong }: Tried): Part | undefined {
  const [ended] = trace.findLast(([, came]) => came === "ended") ?? [];
  const step = steps.find(({ id }) => id === ended);
  if (step?.kind === "check tag") return "tag";
  if (step?.kind !== "check") return undefined;
  // Another caller may have used up less of a limit.
  if (step.what === "caller" || step.what === "limits") return "caller";
  return step.what === "inputs" && wrong.some((one) => one.in === "body") ? "body" : "path";
}

/** The request with one part made otherwise, which may be any. */
export function varied(making: Making, endpoint: Endpoint, request: Request): Request {
  return withPart(making, endpoint, { request, part: making.random.pick(PARTS), failing: NONE });
}

/** The request with one part made otherwise that may be why it came no further. */
function changedRequest(making: Making, endpoint: Endpoint, at: Tried): Request {
  const { random } = making;
  const blamed = blamedPart(endpoint, at);
  const part = blamed !== undefined && random.chance(AIMED) ? blamed : random.pick(PARTS);
  return withPart(making, endpoint, { request: at.request, part, failing: failingIn(making, at) });
}

/** The request with one part made otherwise, or as another request to the endpoint has it. */
function withPart(
  making: Making,
  endpoint: Endpoint,
  at: { readonly request: Request; readonly part: Part; readonly failing: Failing },
): Request {
  const { request, part, failing } = at;
  if (part === "caller") return byOthers(making, endpoint, request);
  if (part === "tag") return withTag(making, endpoint, request);
  const other = requestTo({ ...making, again: 0 }, endpoint);
  if (part === "path" || request.body === undefined) {
    return { ...request, target: other.target, headers: other.headers };
  }
  const near = referredBy(making, rowsIn(making, endpoint, request.target));
  const { plan } = making;
  const plain = (body: string): string => decoded(plan, endpoint, body);
  const bodies = { body: plain(request.body), other: plain(other.body ?? "") };
  const json = changedBody({ ...making, near, focus: undefined }, bodies, failing);
  return { ...request, body: encoded(plan, endpoint, json).body };
}

const NONE: Failing = { path: undefined, numbers: [], names: new Set() };

/** What of the body is wrong, as far as it is known. */
function failingIn({ plan, random }: Making, at: Tried): Failing {
  const refusing = refusingIn(plan);
  const wrong = at.wrong.filter((one) => one.in === "body" && one.field !== null);
  if (wrong.length > 0) {
    const { field, refusal } = random.pick(wrong);
    const { numbers = [] } = refusing.get(refusal?.is === "error" ? refusal.id : "") ?? {};
    return { ...NONE, path: field?.split("."), numbers };
  }
  const isRefusal = ([item, came]: Step): boolean => came === "failed" && refusing.has(item);
  const [id = ""] = at.ran.trace.findLast(isRefusal) ?? [];
  const refused = refusing.get(id);
  return refused === undefined ? NONE : { ...refused, path: refused.on?.split(".") };
}

/** With the tag that the row of the path has now. */
function withTag(making: Making, endpoint: Endpoint, request: Request): Request {
  const tags = tagHeaders({ ...making, wrong: 0 }, endpoint, request.target);
  const names = new Set(tags.map(([name]) => name));
  return {
    ...request,
    headers: [...request.headers.filter(([name]) => !names.has(name)), ...tags],
  };
}
