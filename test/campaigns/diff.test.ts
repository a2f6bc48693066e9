/** A sample of the comparison run, and what is no change: layout, and order where it is nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { diffOf } from "../../src/cli/diff/model.ts";
import { format } from "../../src/write/index.ts";
import { kioskText, sideOf } from "../change/documents.ts";
import { judge } from "./diff.ts";
import { examples, exampleText } from "./examples.ts";

const SAMPLE = 150;
const SMALL = ["todo", "payments"];

test("each edit that changes the meaning is named at its line, and none that does not", () => {
  let named = 0;
  for (const name of SMALL) {
    const tally = judge(exampleText(name), (_, at) => at % SAMPLE === 0);
    assert.deepEqual(tally.wrong, [], name);
    named += tally.named;
  }
  assert.ok(named > 0);
});

/** Tables in which the order of the rows means nothing, by their heads. */
const UNORDERED = /^\| (Error|Failure|Actor|Event|Change|Says|Transition|Item) \|/;

/** Sections of each part the other way round, but for those that speak for the others. */
function sectionsTurned(text: string): string {
  const parts = text.split(/^(?=## )/m);
  const turned = parts.map((part) => {
    const [head = "", ...sections] = part.split(/^(?=### )/m);
    const isEvery = (section: string): boolean => section.startsWith("### Every ");
    const ends = sections.map((one) => `${one.trimEnd()}\n\n`);
    return [
      `${head.trimEnd()}\n\n`,
      ...ends.filter(isEvery),
      ...ends.filter((one) => !isEvery(one)).reverse(),
    ].join("");
  });
  return turned.join("");
}

/** Rows of such tables the other way round. */
function rowsTurned(text: string): string {
  return text.replaceAll(/(^\|.*\n)(\|[-|: ]+\|\n)((?:\|.*\n)+)/gm, (whole, head, line, rows) => {
    if (!UNORDERED.test(head)) return whole;
    const all = String(rows).trimEnd().split("\n").toReversed();
    return `${head}${line}${all.join("\n")}\n`;
  });
}

const texts = [...examples().map((name) => [name, exampleText(name)] as const)];

for (const [name, text] of [...texts, ["kiosk", kioskText()] as const]) {
  test(`${name}: itself, reformatted, and reordered where order is nothing, has no change`, () => {
    const side = sideOf(text);
    assert.ok(side);
    const turned = rowsTurned(sectionsTurned(text));
    if (turned.includes("### ")) assert.notEqual(turned, text);
    for (const other of [text, format(text), turned]) {
      const now = other === text ? side : sideOf(other);
      assert.ok(now, "no errors");
      const { entries, unnamed } = diffOf(side, now);
      const told = entries.map(({ kind, about, before }) => `${kind} ${about} ${before?.line}`);
      assert.deepEqual([...told, ...unnamed], []);
    }
  });
}
