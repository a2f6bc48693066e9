/** Findings as data: a code, a severity, a message and a span; nothing here knows the domain. */
import type { Span } from "./span.ts";

/** `review`: a question of judgement, told only where it is asked for. */
export type Severity = "error" | "gap" | "warning" | "note" | "review";

/** One finding. `hint` says what to do; `related` names further places with a few words each. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  readonly hint?: string;
  /** The question or gap that it is about: what an answer to it is joined by. */
  readonly question?: string;
  readonly related?: readonly { readonly span: Span; readonly message: string }[];
  /** Where it stands for many places: how many of how many. The others are `related`. */
  readonly counted?: {
    readonly count: number;
    readonly of: number;
    /** What stands at the first place is called so. */
    readonly subject: string;
  };
  /** Text that mends it, inserted at the offset (a program can mend only what is silent). */
  readonly fix?: { readonly at: number; readonly insert: string };
}

/** What a finding is about: why it matters, and which page says how it is right. */
export type Topic =
  | "answers"
  | "assumptions"
  | "attackers"
  | "bounds"
  | "calls"
  | "characters"
  | "checks"
  | "contradictions"
  | "credentials"
  | "descriptions"
  | "endpoints"
  | "errors"
  | "events"
  | "examples"
  | "expressions"
  | "gaps"
  | "growth"
  | "invariants"
  | "layout"
  | "limits"
  | "markdown"
  | "money"
  | "names"
  | "programs"
  | "resources"
  | "retries"
  | "rules"
  | "secrets"
  | "statements"
  | "states"
  | "steps"
  | "times"
  | "types"
  | "versions";

/** A list of the language that tells what may stand where a finding is. */
export type FormList =
  | "blocks"
  | "bullets"
  | "causes"
  | "conditions"
  | "counts"
  | "failures"
  | "headings"
  | "names"
  | "operators"
  | "parts"
  | "rules"
  | "steps"
  | "tables"
  | "types";

/** The page of a code. In `wrong` and `right`, `\uXXXX` stands for that character. */
export interface CodeEntry {
  readonly severity: Severity;
  readonly topic: Topic;
  readonly title: string;
  readonly meaning: string;
  /** How it is mended. */
  readonly mend: string;
  readonly wrong: string;
  readonly right: string;
  /** Why it matters, where the reason of its topic is not the best one: two sentences. */
  readonly why?: string;
  /** Names of pages in docs/how-to. */
  readonly see?: readonly string[];
  /** What may stand there. */
  readonly forms?: FormList;
}

/** What an error says: what is wrong, and where it is known, what to do about it. */
interface Says {
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Adds an error with that code and place to the findings. */
export function report(
  into: { readonly findings: Finding[] },
  code: string,
  span: Span,
  { message, hint }: Says,
): void {
  into.findings.push({
    code,
    severity: "error",
    message,
    span: { start: span.start, end: span.end },
    ...(hint === undefined ? {} : { hint }),
  });
}
