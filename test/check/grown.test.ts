/** What a client chooses and a step keeps is judged where something is reckoned with it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { base, edited, found, pointed } from "./sample.ts";

const GUARD = "1. Require `body.mark <= 1000 && body.mark >= 0`, else `invalid` on `mark`.";
const SET = "Set `note.mark` = `body.mark`.";
const STATUS = "| `status` | state | no | no | yes | none |";

/** A note is marked by a client behind the guard, and the square of the mark is asked for. */
const marking = (guard: string): string =>
  edited(
    edited(base, STATUS, `${STATUS}\n| \`mark\` | integer | no | no | yes | starts \`0\` |`),
    "## Authentication",
    `### \`PUT /notes/{id}/mark\`

- Body: \`mark\`, integer
- Path \`id\`: \`note\`, the \`Note\` by \`id\`, else \`not_found\`

${guard}
2. ${SET}
3. Require \`note.mark * note.mark < 100\`, else \`invalid\` on \`mark\`.
4. Respond \`204\` with no body.

## Authentication`,
  );

const told = (guard: string): readonly string[] => {
  const text = marking(guard);
  return found(text, "overflow").map((finding) => pointed(text, finding));
};

test("a value without a bound is told where it is kept", () => {
  assert.deepEqual(told("1. Require `body.mark != 0`, else `invalid` on `mark`."), ["body.mark"]);
});

test("behind a guard that bounds it nothing is told", () => {
  assert.deepEqual(told(GUARD), []);
});

test("a step that is not shown may be the guard", () => {
  assert.deepEqual(told("1. What is checked first: not shown."), []);
});
