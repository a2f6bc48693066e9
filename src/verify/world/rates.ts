/** Limits on requests in windows, judged as the document states them. */
import type { Code, Type } from "../../expr/index.ts";
import {
  durationOf,
  gapOf,
  type ItemId,
  isStated,
  type Limit,
  type Plan,
  type Refusal,
  statedOf,
  unknownOf,
} from "../../plan/index.ts";
import {
  type Came,
  type CheckContext,
  compileRule,
  type Members,
  type Response,
} from "../../run/index.ts";
import { ratesOf } from "./edge.ts";
import { digest } from "./hooks.ts";
import type { Past } from "./past.ts";

/** A request that was let through, to be counted when its status is known. */
export interface Counted {
  readonly limit: Limit;
  readonly group: number;
  /** How many more may pass behind it. */
  readonly left: bigint;
}

/** What the rates say of one request. */
export interface RatesJudged {
  /** The group that `failed` refuses. */
  readonly group?: number;
  /** When a request of it may pass again. */
  readonly ends?: bigint;
  readonly refusal?: Refusal & { readonly retryAfter?: boolean };
  /** Seconds until a request may pass again. */
  readonly seconds?: bigint;
  readonly failed?: Limit;
  readonly passed: readonly Counted[];
  readonly headers: readonly (readonly [string, string])[];
}

interface Window {
  /** Microseconds since 1970. */
  readonly from: bigint;
  readonly seconds: bigint;
  ends(first: bigint): bigint;
}

const SECOND = 1_000_000n;

const rules = new WeakMap<Code, ReturnType<typeof compileRule>>();

/** The same as `compileRule`; code is compiled once. */
function ruleOf(code: Code): ReturnType<typeof compileRule> {
  if (!rules.has(code)) rules.set(code, compileRule(code));
  return rules.get(code);
}

/** The day of a zone that was looked at last. */
const days = new WeakMap<Code, { readonly settings: Members; readonly day: Day }>();

/** The window of a limit in which that instant lies. */
export function windowOf({ window }: Limit, settings: Members, now: bigint): Window {
  const stated = statedOf(window);
  if (stated === undefined) return { from: 0n, seconds: 0n, ends: () => now };
  if (stated.is === "day") return dayWindow(stated.zone.code, settings, now);
  const length = durationOf(stated.durationText);
  const seconds = length / SECOND;
  if (stated.is === "sliding") {
    return { from: now - length + 1n, seconds, ends: (first) => first + length };
  }
  const from = now - (((now % length) + length) % length);
  return { from, seconds, ends: () => from + length };
}

interface Day {
  /** Microseconds since 1970. */
  readonly from: bigint;
  readonly end: bigint;
}

function dayWindow(zone: Code, settings: Members, now: bigint): Window {
  const known = days.get(zone);
  const isKnown = known?.settings === settings && known.day.from <= now && now < known.day.end;
  const day = isKnown ? known.day : dayOf(zone, settings, now);
  if (!isKnown) days.set(zone, { settings, day });
  const { from, end } = day;
  return { from, seconds: (end - from) / SECOND, ends: () => end };
}

function dayOf(zone: Code, settings: Members, now: bigint): Day {
  const call = (fn: string, type: Type, args: readonly Code[]): Code => ({
    op: "call",
    fn,
    type,
    args,
  });
  const instant: Type = { kind: "timestamp" };
  const date: Type = { kind: "date" };
  const today = call("date_of", date, [{ op: "name", type: instant, name: "now" }, zone]);
  const one: Code = { op: "literal", type: { kind: "integer" }, value: "1" };
  const at = (day: Code): bigint =>
    compileRule(call("start_of", instant, [day, zone]))?.(undefined, {
      now,
      settings,
      digest,
    }) as bigint;
  return { from: at(today), end: at(call("add_days", date, [today, one])) };
}

function groupOf(limit: Limit, { caller }: CheckContext): number | undefined {
  const per = statedOf(limit.per)?.is;
  if (per === "caller") return caller?.key;
  return per === "address" || per === "everyone" ? 0 : undefined;
}

function amountOf({ amount, id }: Limit, context: CheckContext, settings: Members) {
  if (!isStated(amount)) return undefined;
  const rule = ruleOf(amount.value.value.code);
  const { now } = context.ambient;
  const value = rule ? rule(undefined, { now, settings, digest }) : context.amount?.(id);
  return typeof value === "bigint" ? value : undefined;
}

interface Judging {
  readonly settings: Members;
  readonly past: Past;
  /** Windows are taken to begin so much later, for what is counted in them. */
  readonly shift?: bigint | undefined;
  /** The limit of which others have used all that it lets through. */
  readonly usedUp?: string | undefined;
}

/** Judges a request to an endpoint by all rates that count it. */
export function judgeRates(
  plan: Plan,
  context: CheckContext,
  { settings, past, shift = 0n, usedUp }: Judging,
): RatesJudged {
  const endpoint = plan.endpoints[context.invocation.endpoint];
  const { now } = context.ambient;
  const passed: Counted[] = [];
  const headers: (readonly [string, string])[] = [];
  for (const limit of endpoint === undefined ? [] : ratesOf(plan, endpoint)) {
    const gap = unknownOf(limit) ?? gapOf(plan.limitAnswers.sent);
    const group = groupOf(limit, context);
    const amount = group === undefined ? undefined : amountOf(limit, context, settings);
    if (gap !== undefined && (unknownOf(limit) !== undefined || amount !== undefined)) {
      return { refusal: { is: "gap", gap }, passed, headers };
    }
    if (group === undefined || amount === undefined) continue;
    const window = windowOf(limit, settings, now);
    const unknown = past.before(window.from);
    if (unknown !== undefined) return { refusal: { is: "gap", gap: unknown }, passed, headers };
    const known = context.session.counters.tallies(limit.name, group, window.from + shift);
    const left = (window.ends(known[0] ?? now) - now + SECOND - 1n) / SECOND;
    const seconds = left < 1n ? 1n : left;
    const used = limit.name === usedUp ? amount : BigInt(known.length);
    headers.push(...told(plan, limit, { amount, used, window, seconds }));
    if (used >= amount) {
      const { whenPassed, id } = limit;
      const refusal = statedOf(whenPassed) ?? { is: "gap", gap: gapOf(whenPassed) ?? id };
      // A request that a limit refuses is counted by none.
      const ends = window.ends(known[0] ?? now);
      return { refusal, seconds, failed: limit, group, ends, passed: [], headers };
    }
    passed.push({ limit, group, left: amount - used - 1n });
  }
  return { passed, headers };
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), if stated. */
function told(
  { limitAnswers: { sent } }: Plan,
  { name, amount: stated }: Limit,
  at: {
    readonly amount: bigint;
    readonly used: bigint;
    readonly window: Window;
    readonly seconds: bigint;
  },
): readonly (readonly [string, string])[] {
  if (isStated(stated) && stated.value.atLeast) return [];
  const left = at.amount - at.used - 1n;
  const texts: Readonly<Record<string, string>> = {
    "RateLimit-Policy": `"${name}";q=${at.amount};w=${at.window.seconds}`,
    RateLimit: `"${name}";r=${left < 0n ? 0n : left};t=${at.seconds}`,
  };
  return (statedOf(sent) ?? []).flatMap((field) => {
    const text = texts[field];
    return text === undefined ? [] : [[field, text] as const];
  });
}

/** The limits that were come to. */
export function rateSteps({ passed, failed }: RatesJudged): readonly (readonly [ItemId, Came])[] {
  const held = passed.map(({ limit }) => [limit.id, "held"] as const);
  return failed === undefined ? held : [...held, [failed.id, "failed"]];
}

/** Counts what was let through, by the status of its answer. */
export function countRates(
  { passed }: RatesJudged,
  status: number,
  { session, ambient: { now } }: Pick<CheckContext, "session" | "ambient">,
): void {
  for (const { limit, group } of passed) {
    const { counts } = limit;
    const isCounted = counts.is === "requests" && (counts.status ?? status) === status;
    if (isCounted) session.counters.tally(limit.name, group, { at: now, amount: 1n });
  }
}

/** The headers by which an answer tells of limits. */
export function rateHeaders(rates: RatesJudged | undefined): Response["headers"] {
  const { failed, refusal, seconds = 1n, headers = [] } = rates ?? {};
  const isLate = failed !== undefined && refusal?.retryAfter === true;
  return isLate ? [...headers, ["Retry-After", String(seconds)]] : headers;
}
