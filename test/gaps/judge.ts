/** Judges each clause of one document: first by `check`, then by what the service answers. */
import { read } from "../../src/read/index.ts";
import { type Clause, clausesOf } from "./clauses.ts";
import { checkedText, staticFaults } from "./static.ts";
import type { Subject } from "./subjects.ts";

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
  readonly random: () => number;
  /** How many clauses of the document at most. */
  readonly limit: number;
  /** Whether the documents are served, too. */
  readonly serves: boolean;
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

/** Judges the clauses of a document, one after the other. */
export async function* judge(subject: Subject, options: Options): AsyncGenerator<Judged> {
  const clauses = clausesOf(read(subject.bytes).spec);
  for (const clause of sampled(clauses, options.limit, options.random)) {
    const faults = staticFaults(clause, subject, checkedText(clause.text, subject));
    const [why] = faults;
    if (why === undefined) yield { clause, outcome: "checked", why: "" };
    else yield { clause, outcome: "contagious", why };
  }
}
