/** Puts what an answer has shown in the place of what was thought, wherever the model keeps it. */
import type { Plan } from "../../plan/index.ts";
import type { Session, Value } from "../../run/index.ts";
import type { Book } from "./book.ts";
import type { Issued } from "./hooks.ts";
import type { KeptAnswer } from "./keys.ts";
import { realResponse } from "./real.ts";

interface Rows {
  readonly plan: Plan;
  readonly session: Session;
}

/** Changes the values of all rows; those that stay are not written. */
function rewriteRows(
  { plan, session }: Rows,
  change: (values: readonly Value[]) => readonly Value[],
): void {
  for (const { name } of plan.resources) {
    for (const row of session.all(name)) {
      const values = change(row.values);
      const isSame = values.every((value, i) => value === row.values[i]);
      if (!isSame) session.update(name, row.key, values);
    }
  }
}

/** Changes what is no list or map in all rows, at any depth. */
export function rewriteValues(rows: Rows, change: (value: unknown) => unknown): void {
  const changed = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const items = value.map(changed);
      return items.every((item, i) => item === value[i]) ? value : items;
    }
    if (!(value instanceof Map)) return change(value);
    const members = [...value].map(([name, one]) => [name, changed(one)] as const);
    return members.every(([name, one]) => one === value.get(name)) ? value : new Map(members);
  };
  rewriteRows(rows, (values) => values.map(changed) as Value[]);
}

/** Changes the texts in all rows, at any depth. */
export function rewriteTexts(rows: Rows, change: (text: string) => string): void {
  rewriteValues(rows, (value) => (typeof value === "string" ? change(value) : value));
}

/** Tokens under their marks are tokens under their texts, too. */
export function renameIssued(tokens: Book<Issued>, known: ReadonlyMap<string, string>): void {
  for (const [mark, text] of known) {
    const issued = tokens.get(mark);
    if (issued !== undefined) tokens.set(text, issued);
  }
}

/** Answers that are kept under keys, with what is known of their marks. */
export function renameKept(kept: Book<KeptAnswer>, known: ReadonlyMap<string, string>): void {
  for (const [name, one] of kept.entries()) {
    const response = realResponse(one.response, known);
    if (JSON.stringify(response) !== JSON.stringify(one.response)) {
      kept.set(name, { ...one, response });
    }
  }
}
