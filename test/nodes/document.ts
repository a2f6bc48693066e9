/** The document of the crash run, as nodes serve it. */
import { readFileSync } from "node:fs";
import { type Document, document } from "../serve/document.ts";

/** It without its calls: what is left out, or is said instead. */
const WITHOUT_CALLS: readonly (readonly [RegExp, string])[] = [
  // The field that holds the state of a booking, and what is said of it.
  [/^(### `Booking`[\s\S]*?)\| `status` +\| state [^\n]*\n/m, "$1"],
  [/^### `Booking`\n\n- Held in[\s\S]*?\n(?=### `book`)/m, ""],
  [/^### `book`, a call\n[\s\S]*?\n(?=### `record`, steps)/m, ""],
  [/(- No states: .*`Hook`)/, "$1, `Booking`"],
  [
    /^1\. Create a `Booking`[\s\S]*?`Booking` of `booking`\.$/m,
    "1. Create a `Booking` as `booking` from `body`.\n" +
      '2. Require `!body.tag.endsWith("0")`, else `taken`.\n' +
      "3. Respond `201` with `Booking` of `booking`.",
  ],
  [/^\| `unavailable`.*\n/m, ""],
];

function edited(given: string, edits: typeof WITHOUT_CALLS): string {
  let text = given;
  for (const [what, by] of edits) {
    if (!what.test(text)) throw new Error(`the document has no ${String(what)}`);
    text = text.replace(what, by);
  }
  return text;
}

function nodesText(): string {
  return readFileSync(new URL("../crash/spec.md", import.meta.url), "utf8");
}

/** A field of hits that is new, and what a task could not be before. */
const FIELD = "| `note` | string or null | optional | no | yes | starts `null` |";
const WIDER: readonly (readonly [RegExp, string])[] = [
  [/^(\| `counter` \| `Counter` \|.*)$/m, `$1\n${FIELD}`],
];
const NARROWER: readonly (readonly [RegExp, string])[] = [
  [/^(\| `amount` \| integer +\| required .*\| )1 to 1000 /m, "$11 to 40 "],
];

/**
 * The document that the nodes serve; a wider one, or one that cannot be served beside it. `calls`:
 * whether it has any.
 */
export function nodesDocument(
  how: "as it is" | "wider" | "apart" = "as it is",
  calls = true,
): Document {
  const edits = { "as it is": [], wider: WIDER, apart: NARROWER }[how];
  const text = calls ? nodesText() : edited(nodesText(), WITHOUT_CALLS);
  return document(edited(text, edits));
}

/** Sixty hits a minute for each address, by a window that slides. */
const LIMITED: readonly (readonly [RegExp, string])[] = [
  // Nobody can claim a task that has finished by itself before it was their turn.
  [/duration\("700ms"\)/, 'duration("1h")'],
  [/^3\. Check the idempotency key\.$/m, "3. Check the limits.\n4. Check the idempotency key."],
  [/^(\| `fault` +\| 500 .*)$/m, "$1\n| `slow_down` | 429 | `Too many requests` | `Problem` |"],
  [
    /^Rate limits, size limits, time-outs and quotas: none\.$/m,
    "| Limit | Counts | Per | Amount | Window | When passed |\n" +
      "|---|---|---|---|---|---|\n" +
      "| `hits` | requests to `POST /tasks` | address | `60` | 1 min, sliding | " +
      "`slow_down` with `Retry-After` |\n\n" +
      "- Sent with every answer: none\n\n" +
      "Size limits, time-outs and quotas: none.",
  ],
];

/** The same with a limit, and without calls. */
export function limitedDocument(): Document {
  return document(edited(edited(nodesText(), WITHOUT_CALLS), LIMITED));
}
