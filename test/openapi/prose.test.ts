/** Descriptions come over as words: nothing of HTML or Markdown is left that stands for nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { plainText } from "../../src/openapi/tree/index.ts";
import { prose } from "../../src/openapi/write/words.ts";

const SAID: readonly (readonly [written: string, words: string])[] = [
  ['Can be had by <a href="https://a.example/x?y=1">OAuth 2.0</a>.', "Can be had by OAuth 2.0."],
  ["Read the [guide](https://a.example/g), then [ask][us].", "Read the guide, then ask."],
  ["[![build](https://a.example/b.svg)](https://a.example) Parcels", "build Parcels"],
  [
    "Please see https://a.example/docs/a_b?c=d&e=f#g for more.",
    "Please see https://a.example/docs/a_b?c=d&e=f#g for more.",
  ],
  ["<p>One.</p><p>Two<br/>three <b>four</b>.</p>", "One. Two three four."],
  ["Tom &amp; Ann &#8212; caf&#xe9; &quot;x&quot;&nbsp;&rarr; y", 'Tom & Ann — café "x" y'],
  [
    "# Parcels\n\n## Errors ##\nThey are **rare**.\n\nMore\n----\n- `a_b`\n- _c_",
    "Parcels: Errors: They are rare. More: - a_b - c",
  ],
  ["<!-- not\n-- shown -->Text<script>alert('<b>')</script> <style>p{}</style>", "Text"],
  ["At most 5 < 6 and a => b, if x >= 2", "At most 5 < 6 and a = b, if x >= 2"],
  ["| a | b |\n|---|:--|\n| 1 | 2 |", "a b 1 2"],
  ["कीमत 5 €, ราคา ที่", "कीमत 5 €, ราคา ที่"],
  ['```json\n{"a": 1}\n```\ndone', '"a": 1 done'],
  ['Cut here: <a href="https://a.exa', "Cut here:"],
];

for (const [written, words] of SAID) {
  test(`prose of ${JSON.stringify(written).slice(0, 60)}`, () => {
    assert.equal(prose(written, 1000), words);
  });
}

test("a text without marks stays as it is", () => {
  const text = "Parcels (and 3 more): what is sent, where, by whom; max_items = 5!";
  assert.equal(plainText(text), text);
  assert.equal(prose(text, 1000), text);
});

test("no text takes longer than its length allows", () => {
  // A time that grows with the square of the length would be minutes.
  const began = performance.now();
  for (const one of ["<!--", "<a ", "<script", "[", "![](", "# # ", "&#", "|-", "- ", "<", "__ "]) {
    prose(one.repeat(100_000), 1000);
  }
  assert.ok(performance.now() - began < 20_000);
});
