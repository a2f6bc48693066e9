/**
 * A sample of the campaign of changes: types in place of others, rules added and taken away. No kind
 * of change is without an edit.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type KeptChange, keptChanges } from "../../src/change/index.ts";
import { document } from "../serve/document.ts";
import { base, type Edit, edited } from "./base.ts";
import { BESIDE, FITS, REFUSED, TAKEN, WAITING } from "./cases.ts";
import { type Edited, reruled, retyped } from "./generated.ts";

const folder = mkdtempSync(join(tmpdir(), "lacuna-generated-"));
after(() => rmSync(folder, { recursive: true, force: true }));

async function right(edits: AsyncGenerator<Edited>, least: number): Promise<void> {
  let count = 0;
  for await (const { wrong, ...one } of edits) {
    assert.equal(wrong, undefined, JSON.stringify(one));
    count++;
  }
  assert.ok(count >= least, `${count} edits`);
}

test("a type in place of another: a value is read as it was written, or refused", async () => {
  await right(
    retyped(folder, (at) => at % 131 === 1),
    8,
  );
});

test("a rule added and taken away: rows that fit are taken over, others refused", async () => {
  const some = ["characters", "different items", "empty means absent", "counts up", "order"];
  await right(
    reruled(folder, (kind) => some.includes(kind)),
    14,
  );
});

/** Every kind of thing that a change is about, and where it is edited. */
const SUBJECTS: Readonly<Record<KeptChange["subject"]["is"], true | string>> = {
  resource: true,
  field: true,
  transition: true,
  key: true,
  fixed: "an edit of the rows at the start, in the test of what a store keeps of a document",
  invariant: true,
  webhook: true,
  event: true,
  call: "a test of the comparison alone: calls need code",
  word: "no change is about it: it is decided of a field",
};

test("every kind of change has an edit among the cases", () => {
  const { plan } = document(base);
  const named = <T>(all: Readonly<Record<string, T>>, name: string): T => {
    const found = all[name];
    assert.ok(found, name);
    return found;
  };
  const edits: readonly Edit[] = [
    named(TAKEN, "a resource")[0],
    named(BESIDE, "an event renamed")[0],
    ...["a tighter rule", "a promise"].map((name) => named(FITS, name)),
    ...["another key", "more places"].map((name) => named(REFUSED, name)[0]),
    ...Object.values(WAITING).map(([edit]) => edit),
  ];
  const changes = edits.flatMap((edit) => keptChanges(plan, document(edited(edit)).plan));
  const relations = new Set(changes.map(({ relation }) => relation));
  assert.deepEqual(relations, new Set(["wider", "narrower", "other"]));
  const asks = new Set(changes.flatMap((one) => ("asks" in one ? [one.asks.is] : [])));
  assert.deepEqual(asks, new Set(["value", "row", "state"]));
  const found = new Set<string>(changes.map(({ subject }) => subject.is));
  for (const [kind, reason] of Object.entries(SUBJECTS)) {
    assert.equal(found.has(kind), reason === true, kind);
  }
});
