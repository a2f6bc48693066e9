/** Counts requests in windows, exactly: the writer alone counts, and what it counts is durable. */
import { createHash } from "node:crypto";
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
import type { CheckContext, Members, Session } from "../../run/index.ts";
import { compileRule, countedUntil, Pruner } from "../../run/index.ts";
import { digest } from "../crypto/digest.ts";

/** Counted entries that have left their window before they are taken out of the store. */
const FORGOTTEN_AT_ONCE = 256;

/** Groups whose entries are held in memory. */
const GROUPS_MAX = 20_000;

/** The window that holds at `now`: where it began, and when what counts in it ends. */
interface Window {
  readonly from: bigint;
  /** When the entry that was counted at `first` no longer counts. */
  ends(first: bigint): bigint;
  readonly seconds: bigint;
}

interface Rate {
  readonly limit: Limit;
  /** What is not shown of it, which every request that it may count meets. */
  readonly gap: ItemId | undefined;
  readonly endpoint: string | undefined;
  readonly status: number | undefined;
  /** The group of a request; undefined: it is not counted. */
  readonly group: (context: CheckContext) => number | undefined;
  readonly amount: (context: CheckContext) => bigint | undefined;
  readonly window: (now: bigint) => Window;
  readonly pruner: Pruner;
}

/** A request that has been let through and waits for its answer to be counted. */
interface AdmittedRequest {
  readonly rate: Rate;
  readonly group: number;
}

/** What one job knows of its rates, for its headers and for counting it when it is answered. */
export interface Judged {
  refusal?: Refusal;
  retryAfter?: string;
  readonly held: AdmittedRequest[];
  readonly headers: string[];
  /** How the limits stand that were judged; see `limit` in expressions. */
  readonly states: Map<string, Members>;
  /** Rates that have let a run of it through before, and have counted it. */
  readonly counted: Set<unknown>;
}

/** Where a name's groups are numbers: rows have keys, addresses get 48 bits of their SHA-256. */
function addressGroup(address: string): number {
  return createHash("sha256").update(address).digest().readUIntBE(0, 6);
}

function groupOf(limit: Limit): Rate["group"] {
  const per = isStated(limit.per) ? limit.per.value.is : undefined;
  if (per === "caller") return ({ caller }) => caller?.key;
  if (per === "address") return ({ invocation }) => addressGroup(invocation.address);
  return per === "everyone" ? () => 0 : () => undefined;
}

function call(fn: string, type: Type, args: readonly Code[]): Code {
  return { op: "call", fn, type, args };
}

function dayWindow(zone: Code, settings: Members): Rate["window"] {
  const instant: Type = { kind: "timestamp" };
  const date: Type = { kind: "date" };
  const today = call("date_of", date, [{ op: "name", type: instant, name: "now" }, zone]);
  const one: Code = { op: "literal", type: { kind: "integer" }, value: "1" };
  const first = compileRule(call("start_of", instant, [today, zone]));
  const next = compileRule(call("start_of", instant, [call("add_days", date, [today, one]), zone]));
  return (now) => {
    const from = first?.(undefined, { now, settings, digest }) as bigint;
    const end = next?.(undefined, { now, settings, digest }) as bigint;
    return { from, ends: () => end, seconds: (end - from) / 1_000_000n };
  };
}

function windowOf(limit: Limit, settings: Members): Rate["window"] {
  const window = statedOf(limit.window);
  if (window?.is === "day") return dayWindow(window.zone.code, settings);
  const length = window === undefined ? 0n : durationOf(window.durationText);
  const seconds = length / 1_000_000n;
  if (window?.is === "sliding") {
    return (now) => ({ from: now - length + 1n, ends: (first) => first + length, seconds });
  }
  if (window?.is === "fixed") {
    return (now) => {
      const from = now - (((now % length) + length) % length);
      return { from, ends: () => from + length, seconds };
    };
  }
  // Without a window nothing that was counted ever leaves.
  return (now) => ({ from: 0n, ends: () => now, seconds: 0n });
}

function rateOf(limit: Limit, settings: Members): Rate[] {
  const { counts, amount } = limit;
  if (counts.is !== "requests") return [];
  const value = isStated(amount) ? compileRule(amount.value.value.code) : undefined;
  return [
    {
      limit,
      gap: unknownOf(limit),
      endpoint: counts.endpoint,
      status: counts.status,
      group: groupOf(limit),
      amount: ({ ambient: { now }, amount: ofRows }) => {
        const result = value ? value(undefined, { now, settings, digest }) : ofRows?.(limit.id);
        return typeof result === "bigint" ? result : undefined;
      },
      window: windowOf(limit, settings),
      pruner: new Pruner(limit.name),
    },
  ];
}

/** Whole seconds until `at`, at least one (RFC 9110 section 10.2.3). */
function secondsUntil(at: bigint, now: bigint): bigint {
  const micros = at > now ? at - now : 0n;
  return micros === 0n ? 1n : (micros + 999_999n) / 1_000_000n;
}

/** The rates of a plan. Those of one store share what they have counted under a name. */
export class Rates {
  private readonly rates: readonly Rate[];
  private readonly names: ReadonlySet<string>;
  /** Which header fields tell of a rate is not shown. */
  private readonly untold: ItemId | undefined;
  private readonly counted: Map<string, bigint[]>;
  /** Where something was counted since the last mark. Default: nobody has set one. */
  private since: bigint[][] | undefined;

  /** `beside`: those of another document on the same store. */
  constructor(plan: Plan, settings: Members, beside?: Rates) {
    this.counted = beside?.counted ?? new Map();
    this.rates = plan.limits.flatMap((limit) => rateOf(limit, settings));
    const { sent } = plan.limitAnswers;
    this.names = new Set(isStated(sent) ? sent.value.map((name) => name.toLowerCase()) : []);
    this.untold = gapOf(sent);
  }

  /** Whether any rate counts requests to the endpoint named. */
  counts(endpoint: string): boolean {
    return this.rates.some((one) => one.endpoint === undefined || one.endpoint === endpoint);
  }

  /** What was counted may not have been kept: it is read from the store again. */
  reset(): void {
    this.counted.clear();
  }

  /** What undoes all that is counted from then on. */
  mark(): () => void {
    const since: bigint[][] = [];
    this.since = since;
    return () => {
      for (const entries of since) entries.pop();
    };
  }

  /** Judges a request to the endpoint named; where it passes, `settle` counts it. */
  judge(endpoint: string, context: CheckContext, into: Judged): void {
    const { now } = context.ambient;
    const passing: AdmittedRequest[] = [];
    for (const rate of this.rates) {
      if (rate.endpoint !== undefined && rate.endpoint !== endpoint) continue;
      if (rate.gap !== undefined) {
        into.refusal = { is: "gap", gap: rate.gap };
        return;
      }
      const group = rate.group(context);
      const amount = group === undefined ? undefined : rate.amount(context);
      if (group === undefined || amount === undefined) continue;
      if (this.untold !== undefined) {
        into.refusal = { is: "gap", gap: this.untold };
        return;
      }
      const window = rate.window(now);
      const at = { session: context.session, window, now };
      const entries = this.entries(rate, group, at);
      const used = BigInt(entries.length);
      const ends = window.ends(entries[0] ?? now);
      this.tell(rate, into, {
        amount,
        left: amount - used - (into.counted.has(rate) ? 0n : 1n),
        seconds: window.seconds,
        until: secondsUntil(ends, now),
        ends,
      });
      if (into.counted.has(rate)) continue;
      if (used < amount) passing.push({ rate, group });
      else {
        refuse(rate, into, secondsUntil(ends, now));
        return;
      }
    }
    into.held.push(...passing);
  }

  /**
   * Counts a request that was let through. This is done when its answer is known, outside of its
   * own savepoint: a request that is refused later has still been made.
   */
  settle(judged: Judged, status: number, session: Session, now: bigint): void {
    for (const { rate, group } of judged.held) {
      if (rate.status === undefined || rate.status === status) {
        this.count({ rate, group }, session, now);
      }
    }
  }

  /** Counts a request that waits for a call, as far as its answer does not matter. */
  begun(judged: Judged, session: Session, now: bigint): void {
    for (const { rate, group } of judged.held) {
      if (rate.status !== undefined) continue;
      this.count({ rate, group }, session, now);
      judged.counted.add(rate);
    }
  }

  /** Instants counted in the window that holds, ascending. */
  private entries(
    rate: Rate,
    group: number,
    { session, window, now }: { session: Session; window: Window; now: bigint },
  ): readonly bigint[] {
    const key = `${group} ${rate.limit.name}`;
    const until = countedUntil(now);
    let entries = this.counted.get(key);
    // Counted before the clock was put right.
    const isAhead = (entries?.at(-1) ?? now) > until;
    if (entries === undefined || isAhead) {
      entries = [...session.counters.tallies(rate.limit.name, group, window.from, until)];
      this.counted.set(key, entries);
    }
    let gone = 0;
    while (gone < entries.length && (entries[gone] as bigint) < window.from) gone++;
    if (gone > 0) entries.splice(0, gone);
    if (gone >= FORGOTTEN_AT_ONCE || (gone > 0 && entries.length === 0)) {
      session.counters.forget(rate.limit.name, group, window.from);
    }
    return entries;
  }

  private count({ rate, group }: AdmittedRequest, session: Session, at: bigint): void {
    const entries = this.counted.get(`${group} ${rate.limit.name}`);
    if (entries !== undefined) this.since?.push(entries);
    entries?.push(at);
    session.counters.tally(rate.limit.name, group, { at, amount: 1n });
    rate.pruner.counted(session.counters, rate.window(at).from);
    // What is forgotten here is read from the store again.
    if (this.counted.size > GROUPS_MAX) this.counted.clear();
  }

  /** The header fields of draft-ietf-httpapi-ratelimit-headers, where the document states them. */
  private tell(
    rate: Rate,
    into: Judged,
    said: { amount: bigint; left: bigint; seconds: bigint; until: bigint; ends: bigint },
  ): void {
    const { amount } = rate.limit;
    // How many requests there may be is not known of `at least n`.
    if (isStated(amount) && amount.value.atLeast) return;
    into.states.set(
      rate.limit.name,
      new Map<string, bigint>([
        ["amount", said.amount],
        ["left", said.left < 0n ? 0n : said.left],
        ["used", said.left < 0n ? said.amount : said.amount - said.left],
        ["reset", said.ends],
      ]),
    );
    const name = JSON.stringify(rate.limit.name);
    const left = said.left < 0n ? 0n : said.left;
    if (this.names.has("ratelimit-policy")) {
      into.headers.push("RateLimit-Policy", `${name};q=${said.amount};w=${said.seconds}`);
    }
    if (this.names.has("ratelimit")) {
      into.headers.push("RateLimit", `${name};r=${left};t=${said.until}`);
    }
  }
}

function refuse(rate: Rate, into: Judged, seconds: bigint): void {
  const { whenPassed } = rate.limit;
  into.held.length = 0;
  if (!isStated(whenPassed)) {
    const gap = gapOf(whenPassed) ?? rate.limit.id;
    into.refusal = { is: "gap", gap };
    return;
  }
  into.refusal = whenPassed.value;
  if (whenPassed.value.is === "error" && whenPassed.value.retryAfter === true) {
    into.retryAfter = String(seconds);
  }
}

/** Nothing is judged yet, except rates that have counted the request before. */
export function nothingJudged(counted: Iterable<unknown> = []): Judged {
  return { held: [], headers: [], states: new Map(), counted: new Set(counted) };
}
