/** Messages that are wrong, in the reports. */
import type { EventBreak } from "../../../verify/index.ts";
import type { Looked } from "./model.ts";

/** As the JSON report has them, without secrets. */
export function messagesOf({ outcome, redactor }: Looked): readonly object[] {
  return outcome.verified.session.eventBreaks.map(
    ({ fault, text, number, items, differences }) => ({
      ...{ fault, text, request: number, items },
      differences: differences.map(({ in: place, where, expected, observed }) => ({
        ...{ in: place, where },
        expected: expected === undefined ? null : redactor.value(where, expected),
        observed: observed === undefined ? null : redactor.value(where, observed),
      })),
    }),
  );
}

/** In words: what was wrong, and what differed. */
export function messageWords(
  { redactor }: Looked,
  { fault, text, differences }: EventBreak,
): readonly string[] {
  return [
    `${fault}: ${text}`,
    ...differences.map(({ where, expected, observed }) => {
      const said = (one: string | undefined): string =>
        one === undefined ? "nothing" : redactor.value(where, one);
      return `${where.join(".") || "body"}: ${said(observed)}, not ${said(expected)}`;
    }),
  ];
}
