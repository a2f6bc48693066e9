/** What a migration states of what two documents do not tell. */
import { type KeptChange, type Renamed, type Subject, sameSubject } from "../../change/index.ts";
import { clockField, hasClock, type Plan } from "../../plan/index.ts";
import type { Row, Session, Value } from "../../run/index.ts";

/** The decisions of one migration. */
export interface Decisions {
  readonly renamed: readonly Renamed[];
  readonly dropped: readonly Subject[];
  readonly values: readonly { readonly subject: Subject; readonly value: Valued }[];
}

/** Gives a value of a row, as the first plan has it, in the form in which it is kept. */
export type Valued = (session: Session, row: Row) => Value;

/** Nothing is decided: a service starts. */
export const UNDECIDED: Decisions = { renamed: [], dropped: [], values: [] };

/** Whether the subject is the field, or the transition whose time it holds. */
export function isField(
  { machines }: Plan,
  subject: Subject,
  resource: string,
  field: string,
): boolean {
  if (subject.is === "field") return subject.holder === resource && subject.field === field;
  if (subject.is !== "transition" || subject.resource !== resource) return false;
  const machine = machines.find((one) => one.resource === resource);
  return (machine?.transitions ?? []).some(
    (one) => hasClock(one) && one.name === subject.transition && clockField(one) === field,
  );
}

/** Whether a migration states what becomes of it. `clock`: only of a time that rows lack. */
export function isDecided(decisions: Decisions, { subject }: KeptChange, only?: "clock"): boolean {
  const isValue = decisions.values.some((one) => sameSubject(one.subject, subject));
  if (only === "clock") return isValue && subject.is === "transition";
  // Which field names a row to clients changes nothing that is kept.
  if (subject.is === "key") return decisions !== UNDECIDED;
  return isValue || decisions.dropped.some((one) => sameSubject(one, subject));
}
