/** What the questions of a review share: words, and how a question is put. */
import type { Span } from "../../base/index.ts";
import type { ItemId, Step } from "../../plan/index.ts";
import { type RuleContext, report } from "../rules/context.ts";

/** Words that names are made of: `unitPrice` and `unit_price` have the word `price`. */
export function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/** What an endpoint does with rows that its path names. */
export function writes(steps: readonly Step[]): boolean {
  return steps.some(({ kind }) =>
    ["set", "set from", "delete", "delete every", "fire"].includes(kind),
  );
}

interface Question {
  readonly code: string;
  readonly at: Span | ItemId | undefined;
  readonly message: string;
  readonly hint: string;
}

/** Puts a question to the author. */
export function question(c: RuleContext, asked: Question): void {
  report(c, { severity: "review", ...asked });
}
