/** Blank documents, missing parts and mends of what is silent. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { blankDocument, displayWidth, withMends, withMissingParts } from "../../src/write/index.ts";

const encoder = new TextEncoder();
const readText = (text: string) => read(encoder.encode(text));
const blank = readFileSync(new URL("../../examples/blank/spec.md", import.meta.url), "utf8");

test("a blank document says `not shown` 28 times and nothing else", () => {
  const checked = check(readText(blankDocument("Orders")));
  assert.equal(checked.title, "Orders");
  assert.deepEqual(
    checked.findings.filter((each) => each.code !== "gap"),
    [],
  );
  assert.equal(checked.parts.length, 9);
  assert.equal(checked.parts.flatMap((part) => part.facets).length, 28);
  assert.ok(checked.parts.every((part) => part.facets.every((f) => f.status === "not shown")));
});

test("each missing part is put at its place", () => {
  const cut = blank.split(/(?=^## )/m);
  for (let missing = 1; missing < cut.length; missing++) {
    for (const lineEnd of ["\n", "\r\n"]) {
      const text = cut
        .filter((_, i) => i !== missing)
        .join("")
        .replaceAll("\n", lineEnd);
      const whole = withMissingParts(readText(text).spec);
      const titles = readText(whole).spec.parts.map((part) => part.title);
      assert.deepEqual(
        titles,
        cut.slice(1).map((part) => /^## (.*)/.exec(part)?.[1]),
      );
      assert.equal(/(?<!\r)\n/.test(whole), lineEnd === "\n");
      assert.deepEqual(
        check(readText(whole)).findings.filter((f) => f.code !== "gap"),
        [],
      );
    }
  }
  assert.equal(withMissingParts(readText(blank).spec), blank);
});

test("a document of nothing but a title, with or without a line end, gets all nine", () => {
  for (const text of ["# T", "# T\n", "# T\n\n", "# T\n\nProse.\n"]) {
    const whole = withMissingParts(readText(text).spec);
    assert.ok(whole.startsWith(text.trimEnd()), text);
    assert.deepEqual(
      check(readText(whole)).findings.filter((f) => f.code !== "gap"),
      [],
      text,
    );
  }
});

test("mends at one place: bullets first and together, what opens a heading last", () => {
  const at = 3;
  const finding = (insert: string) =>
    ({
      code: "silent",
      severity: "error",
      message: "",
      span: { start: 0, end: 0 },
      fix: { at, insert },
    }) as const;
  const text = "# T\r\n";
  const mended = withMends(text, [
    finding("\n\n### Every endpoint\n\nC: not shown."),
    finding("\n\nB: not shown."),
    finding("\n\n- A: not shown"),
    finding("\n\n- D: not shown"),
  ]);
  const lines = [
    "# T",
    "",
    "- A: not shown",
    "- D: not shown",
    "",
    "B: not shown.",
    "",
    "### Every endpoint",
    "",
    "C: not shown.",
    "",
  ];
  assert.equal(mended, lines.join("\r\n"));
  assert.equal(withMends(text, []), text);
});

test("columns of characters", () => {
  const cases: [text: string, columns: number][] = [
    ["", 0],
    ["abc", 3],
    ["é", 1],
    ["e\u0301", 1],
    ["日本", 4],
    ["한", 2],
    ["😀", 2],
    ["𝒳", 1],
    ["a\u200db", 2],
    ["ｆ", 2],
  ];
  for (const [text, columns] of cases) assert.equal(displayWidth(text), columns, text);
});
