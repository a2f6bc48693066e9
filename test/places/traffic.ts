/** The steps of a case: what is asked, and what the tables of the language say of the answer. */
import type { Slot } from "./slot.ts";

export interface Ask {
  readonly method: string;
  readonly target: string;
  readonly body?: string;
  /** Media type of the body; undefined: JSON. */
  readonly media?: string;
  readonly headers?: readonly (readonly [string, string])[];
}

export interface Expected {
  readonly status?: number;
  /** A failure condition that the answer names. */
  readonly condition?: string;
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
}

export type CaseStep =
  | { readonly is: "ask"; readonly ask: Ask; readonly expected: Expected }
  | { readonly is: "restart"; readonly how: "stop" | "kill" };

export const ask = (
  method: string,
  target: string,
  body?: string,
  expected: Expected = {},
  more: Partial<Ask> = {},
): CaseStep => ({
  is: "ask",
  ask: { method, target, ...(body === undefined ? {} : { body }), ...more },
  expected,
});

export const RESTARTS: readonly CaseStep[] = [
  { is: "restart", how: "stop" },
  { is: "restart", how: "kill" },
];

/** How a value shows itself in an answer: as the member `v`, or not at all. */
export function shownAs(slot: Slot, shown: string, when: "made" | "later"): Expected {
  const { read } = slot.columns;
  if (slot.isShownElse) return {};
  const isOnce = read === "on create" && when === "made";
  const isShown = isOnce || (read === "yes" && !slot.isSecret);
  return isShown ? { has: [`"v":${shown}`] } : { lacks: ['"v":'] };
}

/** Texts that no answer may hold, and no file of a store that keeps a hash of them. */
export function secretsOf(slot: Slot): readonly string[] {
  if (!slot.isSecret) return [];
  return ["geheim-eins", "geheim-zwei"];
}
