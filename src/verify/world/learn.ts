/** Puts what an answer has shown in the place of what was thought, wherever the model keeps it. */
import type { Plan } from "../../plan/index.ts";
import type { Session, Value } from "../../run/index.ts";
import type { Book } from "./book.ts";
import type { Issued } from "./hooks.ts";
import type { KeptAnswer } from "./keys.ts";
import { withTexts } from "./texts.ts";

interface Rows {
  readonly plan: Plan;
  readonly session: Session;
}

/** Changes the values of all rows; those that stay are not written. */
export function rewriteRows(
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

/** Changes the texts in all rows, at any depth. */
export function rewriteTexts(rows: Rows, change: (text: string) => string): void {
  const changed = (value: unknown): unknown => {
    if (typeof value === "string") return change(value);
    if (Array.isArray(value)) return value.map(changed);
    if (value instanceof Map) return new Map([...value].map(([name, one]) => [name, changed(one)]));
    return value;
  };
  rewriteRows(rows, (values) => values.map(changed) as Value[]);
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
    const { body } = one.response;
    const text = body === undefined ? body : withTexts(body, known);
    if (text === body) continue;
    const headers = one.response.headers.map(
      ([field, value]) => [field, withTexts(value, known)] as const,
    );
    kept.set(name, { ...one, response: { ...one.response, body: text, headers } });
  }
}
