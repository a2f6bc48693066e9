/** Judges each clause of one document: first by `check`, then by what the service answers. */
import { lineTable, positionOf } from "../../src/base/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import { randomFrom } from "../random.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import { compare, type Played, playWhole } from "./compare.ts";
import type { Session } from "./play.ts";
import { unreachableWhy } from "./reach.ts";
import { checkedText, type Ready, readyOf, staticFaults } from "./static.ts";
import type { Subject } from "./subjects.ts";
import { allTraffic } from "./traffic.ts";

/**
 * - `named`: answers differ in nothing but 501s that name the clause.
 * - `unseen`: no answer differs; `why` says why none can be seen.
 * - `filled`: an answer differs and is no 501: the program has made one up.
 * - `contagious`: errors of `check`, a service that does not start, or a fault.
 * - `misnamed`: a 501 that names something else.
 * - `checked`: right for `check`, and not served.
 */
export const outcomes = ["named", "unseen", "filled", "contagious", "misnamed", "checked"] as const;
export type Outcome = (typeof outcomes)[number];

export interface Judged {
  readonly clause: Clause;
  readonly outcome: Outcome;
  readonly why: string;
}

export interface Options {
  readonly seed: number;
  /** How many clauses of the document at most. */
  readonly limit: number;
  /** Whether rare answers are searched for in the traffic. */
  readonly searches: boolean;
  /** Whether the documents are served, too. */
  readonly serves: boolean;
  /** Of the clauses every `of`th from the `at`th; all: `{ at: 0, of: 1 }`. */
  readonly slice: { readonly at: number; readonly of: number };
  /** Only the clauses of these lines. */
  readonly lines: ReadonlySet<number> | undefined;
}

/** So many of the items, in their order, each as likely as another. */
function sampled<T>(items: readonly T[], count: number, random: () => number): T[] {
  const left = [...items.keys()];
  const taken = new Set<number>();
  while (taken.size < Math.min(count, items.length)) {
    const at = Math.floor(random() * left.length);
    taken.add(left[at] as number);
    left[at] = left.at(-1) as number;
    left.pop();
  }
  return items.filter((_, at) => taken.has(at));
}

/** The traffic of the whole document with its answers; `more` is played when it is needed. */
interface Whole {
  readonly plan: Plan;
  /** Names of the gaps that the whole document has. */
  readonly gaps: ReadonlySet<string>;
  readonly short: readonly Played[];
  more(): AsyncGenerator<Played>;
}

/** The whole document with its traffic. */
async function wholeOf(subject: Subject, options: Options): Promise<Whole> {
  const text = new TextDecoder().decode(subject.bytes);
  const ready = readyOf(checkedText(text, subject), subject);
  if (ready === undefined) throw new Error(`${subject.name} has errors`);
  const { short, more } = await allTraffic(ready, subject, options);
  const played = async (sessions: readonly Session[]): Promise<Played[]> => {
    const all: Played[] = [];
    for (const session of sessions) all.push(await playWhole(ready, subject, session));
    return all;
  };
  const source = more();
  const known: Played[] = [];
  return {
    plan: ready.plan,
    gaps: new Set(ready.checked.gaps.map(({ id }) => id)),
    short: await played(short),
    more: async function* () {
      for (let at = 0; ; at++) {
        if (at === known.length) {
          const next = await source.next();
          if (next.done === true) return;
          known.push(await playWhole(ready, subject, next.value));
        }
        yield known[at] as Played;
      }
    },
  };
}

/** Judges a clause by the answers of the service. */
async function served(clause: Clause, subject: Subject, ready: Ready, all: Whole): Promise<Judged> {
  try {
    const lines = linesOf(clause, ready);
    const isAssumed = subject.assumptions !== undefined && ownGaps(lines, ready, all).length === 0;
    const expected = { lines, isAssumed };
    let seen = await compare(ready, subject, all.short, expected);
    let why = seen.outcome === "unseen" ? unseenWhy(clause, subject, { ready, all }) : seen.why;
    let { missing } = seen;
    if (seen.outcome === "unseen" && why === NO_REQUEST) {
      for await (const one of all.more()) {
        seen = await compare(ready, subject, [one], expected);
        missing ??= seen.missing;
        if (seen.outcome === "unseen") continue;
        why = seen.why;
        break;
      }
    }
    // Nothing says why it is not sent.
    if (seen.outcome === "unseen" && missing !== undefined) {
      return { clause, outcome: "filled", why: missing };
    }
    const never = seen.outcome === "named" ? unreachableWhy(ready.plan, clause) : undefined;
    if (never !== undefined) {
      return { clause, outcome: "misnamed", why: `met by ${seen.why} although ${never}` };
    }
    return { clause, outcome: seen.outcome, why };
  } catch (fault) {
    return { clause, outcome: "contagious", why: `not served: ${(fault as Error).message}` };
  }
}

/** Lines that a 501 may name: the clause's own, or the places that raised what is silent now. */
function linesOf({ kind, line }: Clause, { checked }: Ready): ReadonlySet<number> {
  if (kind !== "answer") return new Set([line]);
  const table = lineTable(checked.text);
  const silent = checked.gaps.filter((gap) => gap.silent);
  return new Set(silent.map(({ span }) => positionOf(table, span.start).line));
}

/** Gaps on the lines that the whole document does not have. */
function ownGaps(lines: ReadonlySet<number>, { checked }: Ready, whole: Whole) {
  const table = lineTable(checked.text);
  return checked.gaps.filter(
    ({ id, span }) => !whole.gaps.has(id) && lines.has(positionOf(table, span.start).line),
  );
}

const NO_REQUEST = "no request of this traffic comes to it";

/** Why no answer of this traffic shows that the clause is not shown. */
function unseenWhy(
  clause: Clause,
  subject: Subject,
  { ready, all }: { readonly ready: Ready; readonly all: Whole },
): string {
  const gaps = ownGaps(linesOf(clause, ready), ready, all);
  if (subject.assumptions !== undefined && gaps.length === 0) return "an assumption answers it";
  if (clause.kind === "answer" && gaps.length === 0) return "the question is not raised without it";
  if (!gaps.some((gap) => gap.blocking)) return "no answer depends on it: `check` says so";
  return unreachableWhy(ready.plan, clause) ?? NO_REQUEST;
}

/** The clauses that are to be judged. */
function chosen(clauses: readonly Clause[], { seed, limit, slice, lines }: Options): Clause[] {
  return sampled(clauses, limit, randomFrom(seed))
    .filter((one) => lines === undefined || lines.has(one.line))
    .filter((_, i) => i % slice.of === slice.at);
}

/** Judges the clauses of a document, one after the other. */
export async function* judge(subject: Subject, options: Options): AsyncGenerator<Judged> {
  const clauses = chosen(clausesOf(read(subject.bytes).spec), options);
  if (clauses.length === 0) return;
  const all = options.serves ? await wholeOf(subject, options) : undefined;
  for (const clause of clauses) {
    const checked = checkedText(clause.text, subject);
    const [why] = staticFaults(clause, subject, checked);
    const ready = readyOf(checked, subject);
    if (why !== undefined || ready === undefined) {
      yield { clause, outcome: "contagious", why: why ?? "" };
    } else if (all !== undefined) yield await served(clause, subject, ready, all);
    else yield { clause, outcome: "checked", why: "" };
  }
}
