/** Judges `why` by taking each statement of a document away and comparing all answers. */
import { lineTable, positionOf } from "../../src/base/index.ts";
import { conditionsOf } from "../../src/check/index.ts";
import { type Causes, causesOf, type ItemId, nowhereCauses } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import { compile, type Match } from "../../src/run/index.ts";
import { textOf } from "../gaps/compare.ts";
import { type Answers, play, type Session } from "../gaps/play.ts";
import { checkedText, type Ready, readyOf } from "../gaps/static.ts";
import type { Subject } from "../gaps/subjects.ts";
import { trafficOf } from "../gaps/traffic.ts";
import { type Removal, removalsOf } from "./removals.ts";

export interface Report {
  readonly removals: number;
  /** Documents that have errors without the statement: nothing can be compared. */
  readonly notServed: number;
  /** Answers that changed although `why` does not list the line. */
  readonly missing: readonly string[];
  /** Pairs of a line and an answer's status: listed, and seen to matter. */
  readonly proven: number;
  /** Listed, and no answer of the traffic changed. */
  readonly unproven: readonly string[];
}

/** The lines that `why` lists for requests, by endpoint and status. */
class Listing {
  readonly #ready: Ready;
  readonly #match: (method: string, path: string) => Match;
  readonly #known = new Map<string, ReadonlySet<number>>();

  constructor(ready: Ready) {
    this.#ready = ready;
    this.#match = compile(ready.plan).match;
  }

  /** The name of what the request asks: an endpoint, or that it has none. */
  target(method: string, target: string): string {
    const match = this.#match(method, target.split("?", 1)[0] ?? "");
    return match.is === "endpoint" ? `${match.endpoint}` : `${match.is} ${method} ${target}`;
  }

  lines(method: string, target: string, status?: number): ReadonlySet<number> {
    const key = `${this.target(method, target)} ${status}`;
    const known = this.#known.get(key) ?? this.#find(method, target, status);
    this.#known.set(key, known);
    return known;
  }

  #find(method: string, target: string, status?: number): ReadonlySet<number> {
    const { plan } = this.#ready;
    const match = this.#match(method, target.split("?", 1)[0] ?? "");
    if (match.is === "endpoint") {
      const endpoint = plan.endpoints[match.endpoint];
      if (endpoint === undefined) return new Set();
      const occurs = conditionsOf(plan)(endpoint);
      const causes = causesOf(plan, endpoint, { occurs, ...(status && { status }) });
      return this.#linesOf(causes);
    }
    if (match.is === "gap") return new Set();
    const endpoints = plan.endpoints.filter((_, i) =>
      ["GET", "POST", "PUT", "PATCH", "DELETE"].some((other) => {
        const found = this.#match(other, target.split("?", 1)[0] ?? "");
        return found.is === "endpoint" && found.endpoint === i;
      }),
    );
    return this.#linesOf(nowhereCauses(plan, { is: match.is, endpoints }).causes);
  }

  #linesOf(causes: Causes | undefined): ReadonlySet<number> {
    const { checked } = this.#ready;
    const table = lineTable(checked.text);
    const gaps = new Map(checked.gaps.map((gap) => [gap.id, gap.span]));
    const lines = new Set<number>();
    const ids: readonly ItemId[] =
      causes === undefined ? [] : [...causes.ends, ...causes.before, ...causes.shown];
    for (const id of ids) {
      const span = checked.origins.get(id) ?? gaps.get(id);
      if (span === undefined || span.file === 1) continue;
      const from = positionOf(table, span.start).line;
      const to = positionOf(table, Math.max(span.start, span.end - 1)).line;
      for (let line = from; line <= to; line++) lines.add(line);
    }
    return lines;
  }
}

interface Played {
  readonly session: Session;
  readonly answers: Answers;
}

interface Found {
  readonly missing: string[];
  readonly seen: Set<string>;
}

const key = (target: string, status: number, line: number): string =>
  `${target} -> ${status} line ${line}`;

/** Compares one session; behind the first difference what is kept may differ, too. */
function compareSession(
  { session, answers }: Played,
  got: Answers,
  at: { readonly removal: Removal; readonly listing: Listing },
  found: Found,
): void {
  const { removal, listing } = at;
  let drifts = false;
  let isFirst = true;
  for (const [i, step] of session.steps.entries()) {
    const before = answers[i];
    const after = got[i];
    if (step.is !== "request" || before === undefined || after === undefined) continue;
    const { method, target } = step.request;
    if (textOf(before, false) === textOf(after, false)) {
      drifts ||= method !== "GET" && listing.lines(method, target).has(removal.from);
      continue;
    }
    const statuses = [before.status, after.status];
    for (const status of statuses) {
      found.seen.add(key(listing.target(method, target), status, removal.from));
    }
    // Behind the first difference others follow from what is kept.
    if (!isFirst) continue;
    isFirst = false;
    const isListed = statuses.some((status) =>
      listing.lines(method, target, status).has(removal.from),
    );
    if (!isListed && !drifts) {
      found.missing.push(
        `${method} ${target}: ${before.status} became ${after.status} without line ` +
          `${removal.from}: ${removal.before.slice(0, 90)}`,
      );
    }
  }
}

async function playedWithout(
  subject: Subject,
  removal: Removal,
  whole: readonly Played[],
): Promise<readonly Answers[] | undefined> {
  const ready = readyOf(checkedText(removal.text, subject), subject);
  if (ready === undefined) return undefined;
  try {
    const all: Answers[] = [];
    for (const { session } of whole) all.push(await play(ready, subject, session));
    return all;
  } catch {
    // It does not start: rows at the start, or settings, do not fit any more.
    return undefined;
  }
}

/** Judges one document; `limit`: so many of its statements at most, evenly spread. */
export async function judgeWhy(
  subject: Subject,
  options: { readonly seed: number; readonly limit: number },
): Promise<Report> {
  const { spec } = read(subject.bytes);
  const ready = readyOf(checkedText(spec.text, subject), subject);
  if (ready === undefined) throw new Error(`${subject.name} has errors`);
  const whole: Played[] = [];
  for (const session of await trafficOf(ready, subject, options.seed)) {
    whole.push({ session, answers: await play(ready, subject, session) });
  }
  const listing = new Listing(ready);
  const all = removalsOf(spec);
  const every = Math.max(1, all.length / options.limit);
  const chosen = all.filter((_, i) => Math.floor(i / every) !== Math.floor((i - 1) / every));
  const found: Found = { missing: [], seen: new Set() };
  let notServed = 0;
  const served: Removal[] = [];
  for (const removal of chosen) {
    const answers = await playedWithout(subject, removal, whole);
    if (answers === undefined) {
      notServed++;
      continue;
    }
    served.push(removal);
    for (const [i, one] of whole.entries()) {
      compareSession(one, answers[i] ?? [], { removal, listing }, found);
    }
  }
  const listed = listedOf(whole, served, listing);
  const unproven = listed.filter((one) => !found.seen.has(one));
  return {
    removals: chosen.length,
    notServed,
    missing: [...new Set(found.missing)],
    proven: listed.length - unproven.length,
    unproven,
  };
}

/** Each line that `why` lists for an answer of the traffic, with the answer's status. */
function listedOf(
  whole: readonly Played[],
  served: readonly Removal[],
  listing: Listing,
): readonly string[] {
  const found = new Set<string>();
  for (const { session, answers } of whole) {
    for (const [i, step] of session.steps.entries()) {
      const answer = answers[i];
      if (step.is !== "request" || answer === undefined) continue;
      const { method, target } = step.request;
      const lines = listing.lines(method, target, answer.status);
      for (const { from } of served) {
        if (lines.has(from)) found.add(key(listing.target(method, target), answer.status, from));
      }
    }
  }
  return [...found];
}
