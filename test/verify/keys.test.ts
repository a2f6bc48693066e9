/** Keys and random texts of a service: unknown until an answer shows them, of the stated form. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../peers/served.ts";
import { compiled, trial } from "./clauses/trial.ts";

const TEXT = readFileSync(join(ROOT, "test/verify/keys.md"), "utf8");

const document = { name: "notes", text: TEXT, rows: undefined, settings: {} };
const bounds = { requests: 30, seconds: 20 };

async function verified(served: string, seed: number) {
  const [judged, other] = [compiled(TEXT), compiled(served)];
  assert.ok(judged !== undefined && other !== undefined);
  const tried = await trial(document, { served: other, judged }, { ...bounds, seed });
  assert.ok(tried !== undefined);
  return tried.session;
}

for (const seed of [1, 9]) {
  test(`rows whose keys nobody has seen come in any order, seed ${seed}`, async () => {
    const { breaks, exchanges } = await verified(TEXT, seed);
    assert.deepEqual(
      breaks.map(({ request, differences }) => ({ request, differences })),
      [],
    );
    const lists = exchanges.filter(({ answer }) => (answer.body ?? "").includes('"note_'));
    assert.ok(lists.length > 0);
    assert.ok(lists.every(({ judgement }) => judgement.is === "as stated"));
  });
}

for (const [name, before, after] of [
  ["another prefix", "id `note_`", "id `nota_`"],
  ["fewer bytes", "16 random bytes as hex", "15 random bytes as hex"],
  ["more bytes", "16 random bytes as hex", "17 random bytes as hex"],
  ["other letters", "16 random bytes as hex", "24 random bytes as base64url"],
] as const) {
  test(`a text of another form is found: ${name}`, async () => {
    const { breaks } = await verified(TEXT.replace(before, after), 1);
    assert.ok(breaks.length > 0);
  });
}
