/** Excerpts: the caret stands below what it marks, whatever the characters and however long. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lineTable } from "../../src/base/index.ts";
import { excerpt, sourceLine } from "../../src/cli/render/excerpt.ts";
import { wrap } from "../../src/cli/render/wrap.ts";

const same = (text: string): string => text;

/** The excerpt of the first `marked` in `text`, without margins. */
function shown(text: string, marked: string, columns = 60): [string, string] {
  const start = text.indexOf(marked);
  assert.notEqual(start, -1);
  const span = { start, end: start + marked.length };
  const options = { columns, margin: 1, mark: same, dim: same };
  const [source, carets] = excerpt(text, lineTable(text), span, options);
  return [source.slice(4), carets.slice(4)];
}

test("carets stand below what they mark", () => {
  const cases: [what: string, text: string, marked: string, source: string, carets: string][] = [
    ["plain", "a bcd e", "bcd", "a bcd e", "  ^^^"],
    ["the second line", "x\r\na b", "b", "a b", "  ^"],
    ["behind a tab", "a\tb", "b", "a   b", "    ^"],
    ["a tab", "ab\tc", "\t", "ab  c", "  ^^"],
    ["behind wide characters", "日本 b", "b", "日本 b", "     ^"],
    ["a wide character", "a本b", "本", "a本b", " ^^"],
    ["an astral character", "😀 𝒳 b", "b", "😀 𝒳 b", "     ^"],
    ["behind a combining mark", "e\u0301 b", "b", "e\u0301 b", "  ^"],
    ["a bidirectional control", "a\u202eb", "b", "a<U+202E>b", "         ^"],
    ["a control character", "a\u001b[31mb", "b", "a␛[31mb", "      ^"],
    ["over several lines", "ab\ncd", "b\nc", "ab", " ^"],
    ["a lone surrogate", "a\ud800b", "b", "a<U+D800>b", "         ^"],
  ];
  for (const [what, text, marked, source, carets] of cases) {
    assert.deepEqual(shown(text, marked), [source, carets], what);
  }
});

test("an empty place gets one caret, also at the end of a line and of the text", () => {
  const options = { columns: 60, margin: 1, mark: same, dim: same };
  const cases: [text: string, at: number, carets: string][] = [
    ["ab\ncd", 1, " ^"],
    ["ab\ncd", 2, "  ^"],
    ["ab\ncd", 5, "  ^"],
    ["", 0, "^"],
    ["ab\n", 3, "^"],
  ];
  for (const [text, at, carets] of cases) {
    const lines = excerpt(text, lineTable(text), { start: at, end: at }, options);
    assert.equal(lines[1].slice(4), carets, JSON.stringify([text, at]));
  }
});

test("a long line is cut around the place, within the columns", () => {
  const text = `${"a".repeat(500)}XY${"b".repeat(500)}`;
  const [source, carets] = shown(text, "XY", 60);
  assert.ok(source.length <= 60);
  assert.ok(source.startsWith("…a") && source.endsWith("b…"));
  assert.equal(source.slice(carets.indexOf("^"), carets.indexOf("^") + 2), "XY");
  assert.equal(carets.trim(), "^^");
  const [head] = shown(`XY${"b".repeat(500)}`, "XY", 60);
  assert.ok(head.startsWith("XY") && head.endsWith("…") && head.length <= 60);
});

test("a megabyte on one line costs no more than a line", () => {
  const text = "x".repeat(1 << 20);
  const began = performance.now();
  const options = { columns: 80, margin: 1, mark: same, dim: same };
  for (let i = 0; i < 100; i++) {
    excerpt(text, { starts: [0], length: text.length }, { start: 1 << 19, end: 1 << 20 }, options);
  }
  assert.ok(performance.now() - began < 2000);
});

test("the line number stands in the margin, right-aligned", () => {
  const text = "a\nb";
  const options = { columns: 60, margin: 3, mark: same, dim: same };
  const lines = excerpt(text, lineTable(text), { start: 2, end: 3 }, options);
  assert.deepEqual(lines, ["  2 │ b", "    │ ^"]);
});

test("a source line for lists is trimmed and cut", () => {
  const text = `x\n  - ${"a".repeat(100)}\n`;
  assert.equal(sourceLine(text, lineTable(text), 5, 10), "- aaaaaaa…");
  assert.equal(sourceLine("x", lineTable("x"), 0, 10), "x");
});

test("text is wrapped at spaces by its columns", () => {
  assert.deepEqual(wrap("aa bb  cc\ndd", 5), ["aa bb", "cc dd"]);
  assert.deepEqual(wrap("日本 日本 日", 7), ["日本", "日本 日"]);
  assert.deepEqual(wrap("aaaaaaaaaa b", 5), ["aaaaaaaaaa", "b"]);
  assert.deepEqual(wrap("", 5), []);
});
