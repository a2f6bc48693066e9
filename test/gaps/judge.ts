/** Judges each clause of one document: first by `check`, then by what the service answers. */
import { lineTable, positionOf } from "../../src/base/index.ts";
import { read } from "../../src/read/index.ts";
import { randomFrom } from "../random.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import { compare, type Played, playWhole } from "./compare.ts";
import { unreachableWhy } from "./reach.ts";
import { checkedText, type Ready, readyOf, staticFaults } from "./static.ts";
import type { Subject } from "./subjects.ts";
import { shortTrafficOf } from "./traffic.ts";

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
  /** Whether the documents are served, too. */
  readonly serves: boolean;
  /** Of the clauses every `of`th from the `at`th; all: `{ at: 0, of: 1 }`. */
  readonly slice: { readonly at: number; readonly of: number };
  /** Only the clauses of this line. */
  readonly line: number | undefined;
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

/** The whole document with its traffic; none where it is not served. */
async function wholeOf(subject: Subject, seed: number): Promise<readonly Played[]> {
  const text = new TextDecoder().decode(subject.bytes);
  const ready = readyOf(checkedText(text, subject), subject);
  if (ready === undefined) throw new Error(`${subject.name} has errors`);
  const sessions = await shortTrafficOf(ready, subject, seed);
  const all: Played[] = [];
  for (const session of sessions) all.push(await playWhole(ready, subject, session));
  return all;
}

/** Judges a clause by the answers of the service. */
async function served(
  clause: Clause,
  subject: Subject,
  ready: Ready,
  all: readonly Played[],
): Promise<Judged> {
  try {
    const lines = linesOf(clause, ready);
    const isAssumed = subject.assumptions !== undefined && gapsOn(lines, ready).length === 0;
    const seen = await compare(ready, subject, all, { lines, isAssumed });
    const why = seen.outcome === "unseen" ? unseenWhy(clause, subject, ready) : seen.why;
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

function gapsOn(lines: ReadonlySet<number>, { checked }: Ready) {
  const table = lineTable(checked.text);
  return checked.gaps.filter(({ span }) => lines.has(positionOf(table, span.start).line));
}

/** Why no answer of this traffic shows that the clause is not shown. */
function unseenWhy(clause: Clause, subject: Subject, ready: Ready): string {
  const gaps = gapsOn(linesOf(clause, ready), ready);
  if (subject.assumptions !== undefined && gaps.length === 0) return "an assumption answers it";
  if (clause.kind === "answer" && gaps.length === 0) return "the question is not raised without it";
  if (!gaps.some((gap) => gap.blocking)) return "no answer depends on it: `check` says so";
  return unreachableWhy(ready.plan, clause) ?? "no request of this traffic comes to it";
}

/** The clauses that are to be judged. */
function chosen(clauses: readonly Clause[], { seed, limit, slice, line }: Options): Clause[] {
  return sampled(clauses, limit, randomFrom(seed))
    .filter((_, i) => i % slice.of === slice.at)
    .filter((one) => line === undefined || one.line === line);
}

/** Judges the clauses of a document, one after the other. */
export async function* judge(subject: Subject, options: Options): AsyncGenerator<Judged> {
  const clauses = chosen(clausesOf(read(subject.bytes).spec), options);
  if (clauses.length === 0) return;
  const all = options.serves ? await wholeOf(subject, options.seed) : [];
  for (const clause of clauses) {
    const checked = checkedText(clause.text, subject);
    const [why] = staticFaults(clause, subject, checked);
    const ready = readyOf(checked, subject);
    if (why !== undefined || ready === undefined) {
      yield { clause, outcome: "contagious", why: why ?? "" };
    } else if (options.serves) yield await served(clause, subject, ready, all);
    else yield { clause, outcome: "checked", why: "" };
  }
}
