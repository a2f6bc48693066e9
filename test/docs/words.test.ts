/** The reference stays short: what is added to it is paid for by what is cut. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const docs = join(import.meta.dirname, "../../docs");
/** What the reference had as one page, with answers and schemas of descriptions that are imported. */
const REFERENCE = 33_500;

/** Words of text, as `wc -w` counts them. */
function wordsOf(text: string): number {
  return text.split(/\s+/).filter((word) => word !== "").length;
}

/** Words of the pages of a folder: in all, and without the generated lists. */
function wordsIn(folder: string): { readonly all: number; readonly byHand: number } {
  const texts = readdirSync(join(docs, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(join(docs, folder, name), "utf8"));
  const byHand = texts.map((text) =>
    text.replaceAll(/<!-- generated:[\s\S]*?<!-- \/generated -->/g, ""),
  );
  return { all: wordsOf(texts.join("\n")), byHand: wordsOf(byHand.join("\n")) };
}

test("the reference has no more words than it had", (context) => {
  const reference = wordsIn("reference");
  const howTo = wordsIn("how-to");
  context.diagnostic(`reference: ${reference.all} words, ${reference.byHand} of them by hand`);
  context.diagnostic(`how-to: ${howTo.all} words`);
  assert.ok(reference.all <= REFERENCE, `${reference.all} words in docs/reference`);
});

test("the short reference has 6,000 words at most", (context) => {
  const words = wordsOf(readFileSync(join(docs, "short.md"), "utf8"));
  context.diagnostic(`docs/short.md: ${words} words`);
  assert.ok(words <= 6_000, `${words} words: lower WORDS_MAX in scripts/docs/short.ts`);
});

test("half of the pages of findings have 120 words or more", (context) => {
  const folder = join(docs, "findings");
  const counts = readdirSync(folder)
    .filter((name) => name !== "README.md")
    .map((name) => wordsOf(readFileSync(join(folder, name), "utf8")))
    .toSorted((a, b) => a - b);
  const median = counts[Math.floor(counts.length / 2)] ?? 0;
  context.diagnostic(`pages of findings: ${counts.length}, median ${median} words`);
  assert.ok(median >= 120, String(median));
});
