/** How the page of a code of the survey is written. */
import type { CodeEntry } from "../../../base/index.ts";

/** Title, meaning and mend; then samples of members of a file, of which the first is wrong. */
type Words = readonly [title: string, meaning: string, mend: string, wrong: string, right: string];

const made =
  (severity: CodeEntry["severity"]) =>
  (...[title, meaning, mend, wrong, right]: Words): CodeEntry => ({
    severity,
    topic: "descriptions",
    title,
    meaning,
    mend,
    wrong,
    right,
  });

export const error = made("error");
export const warning = made("warning");
export const gap = made("gap");
export const note = made("note");

/** An operation without anything that is asked of none. */
export const DONE = '"204": { description: Done }';

/** A file with one operation. */
export const operation = (method: string, ...lines: readonly string[]): string =>
  ["paths:", "  /notes:", `    ${method}:`, ...lines.map((each) => `      ${each}`)].join("\n");

/** A file with the named schema `Note`. */
export const schema = (text: string): string =>
  `paths: {}\ncomponents:\n  schemas:\n    Note: ${text}`;

/** A file in which requests have a schema. */
export const requested = (text: string): string =>
  operation(
    "post",
    "requestBody:",
    "  required: true",
    "  content:",
    "    application/json:",
    `      schema: ${text}`,
    `responses: { ${DONE} }`,
  );
