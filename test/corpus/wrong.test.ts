/** Every wrong document of the corpus gets its finding, with that code, at that line and column. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineTable, positionOf } from "../../src/base/index.ts";
import { checkCodes } from "../../src/check/codes.ts";
import { questions } from "../../src/language/index.ts";
import { blockCodes } from "../../src/read/index.ts";
import { baseText, checked, once, textOf, unmarked } from "./documents.ts";
import { corpus } from "./wrong/index.ts";
import type { Wrong } from "./wrong/wrong.ts";

const severities: ReadonlyMap<string, string> = new Map(
  Object.entries(checkCodes).map(([code, { severity }]) => [code, severity]),
);

/** The wrong document, and the offset at which its finding is expected. */
function made(wrong: Wrong): { text: string; expected: number } {
  const at = once(baseText(wrong.base), wrong.find);
  const text = textOf(wrong);
  if (wrong.at === undefined) {
    const mark = wrong.put.indexOf("«");
    assert.ok(mark >= 0, "no mark");
    return { text, expected: at + mark };
  }
  return { text, expected: once(text, unmarked(wrong.at)) + wrong.at.indexOf("«") };
}

const decoded = (text: string): string => text.replace(/^\uFEFF/, "");

function judge(wrong: Wrong): void {
  const { text, expected } = made(wrong);
  const { findings, text: seen } = checked(text, severities.get(wrong.code) === "review");
  const table = lineTable(seen);
  const shift = text.length - decoded(text).length;
  const wanted = positionOf(table, Math.max(0, expected - shift));
  const asks = questions.find((question) => question.id === wrong.question)?.asks ?? "";
  const where = findings.map((finding) => {
    const { line, column } = positionOf(table, finding.span.start);
    return { ...finding, line, column };
  });
  const found = where.some(
    (finding) =>
      finding.code === wrong.code &&
      finding.line === wanted.line &&
      finding.column === wanted.column &&
      finding.message.includes(asks),
  );
  const list = where
    .filter((one) => one.severity !== "gap" && one.severity !== "note")
    .map((one) => `${one.line}:${one.column} ${one.code} ${one.message}`);
  assert.ok(
    found,
    `no ${wrong.code} at ${wanted.line}:${wanted.column}; there is\n${list.join("\n")}`,
  );
}

const nameOf = (wrong: Wrong): string =>
  `${wrong.code}: ${wrong.base}: ${wrong.question ?? (wrong.put || wrong.find).slice(0, 90)}`;

test("the right documents have no error", () => {
  for (const name of new Set(corpus.map((wrong) => wrong.base))) {
    const errors = checked(baseText(name)).findings.filter(
      (finding) => finding.severity === "error",
    );
    assert.deepEqual(errors, [], name);
  }
});

for (const wrong of corpus) test(nameOf(wrong), () => judge(wrong));

/** Codes that no single edit of a right document can get, each with the reason. */
const without: Readonly<Record<string, string>> = {
  "lone-surrogate": "bytes that decode to half a character are no UTF-8: `encoding`",
  "too-many": "stands for findings past the thousandth: test/corpus/hostile.test.ts",
  "cookie-everywhere": "no right document takes a cookie: test/check/codes.test.ts",
  "assumption-title": "stands in assumptions files alone",
  "assumption-contradicts": "stands in assumptions files alone",
  "assumption-unused": "stands in assumptions files alone",
};

test("every code of the tables has a wrong document", () => {
  const covered = new Set([...corpus.map((wrong) => wrong.code), ...Object.keys(without)]);
  const codes = [...Object.keys(blockCodes), ...Object.keys(checkCodes)];
  assert.deepEqual(
    codes.filter((code) => !covered.has(code)),
    [],
  );
});

test("every question is left open in some wrong document", () => {
  const asked = new Set(corpus.map((wrong) => wrong.question));
  assert.deepEqual(
    questions.filter(({ id }) => !asked.has(id)).map(({ id }) => id),
    [],
  );
});

test("the corpus is large, and no case stands in it twice", (t) => {
  t.diagnostic(`${corpus.length} wrong documents`);
  assert.ok(corpus.length >= 220);
  const names = corpus.map((wrong) => JSON.stringify(wrong));
  assert.equal(new Set(names).size, names.length);
});
