/** Secrets that a model keeps by hash: what is undone is forgotten, what is shown is renamed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SecretBook } from "../../src/verify/world/hooks.ts";
import { MadeTexts } from "../../src/verify/world/texts.ts";

test("secrets of a work that is undone are forgotten, those of one that is kept are not", () => {
  const book = new SecretBook();
  const first = book.kept("first");
  book.begin();
  const undone = book.kept("undone");
  assert.equal(book.plain(undone), "undone");
  book.undo();
  assert.equal(book.plain(undone), undefined);
  book.begin();
  const later = book.kept("later");
  book.keep();
  assert.deepEqual(
    [first, later].map((one) => book.plain(one)),
    ["first", "later"],
  );
});

test("a secret with a mark is kept as what it is, once its mark is known", () => {
  const book = new SecretBook();
  const texts = new MadeTexts();
  texts.begin();
  const [one, other] = [texts.make("id"), texts.make("id")];
  const kept = book.kept(`sk_${one}`);
  const both = book.kept(`${one}.${other}.${one}`);
  book.kept(`sk_${other}`);
  book.kept("of no mark");
  const renamed = book.renamed(new Map([[one, "A"]]));
  assert.deepEqual([...renamed.keys()], [kept, both]);
  assert.equal(book.plain(renamed.get(kept) ?? ""), "sk_A");
  assert.equal(book.plain(renamed.get(both) ?? ""), `A.${other}.A`);
  const again = book.renamed(new Map([[other, "B"]]));
  assert.equal(book.plain(again.get(renamed.get(both) ?? "") ?? ""), "A.B.A");
  assert.deepEqual([...book.renamed(new Map([["no mark", "C"]]))], []);
});

test("works that are undone leave nothing behind that later ones go through", () => {
  const book = new SecretBook();
  const texts = new MadeTexts();
  texts.begin();
  const mark = texts.make("id");
  for (let i = 0; i < 100; i++) {
    book.begin();
    book.kept(`${mark} ${i}`);
    assert.equal(book.renamed(new Map([[mark, "A"]])).size, 1);
    book.undo();
  }
  assert.equal(book.renamed(new Map([[mark, "A"]])).size, 0);
});
