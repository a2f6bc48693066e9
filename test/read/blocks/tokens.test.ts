/** Words, marks and code spans of a line, and the way back from code to the document. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CodeToken, readBlocks, type Token, tokens } from "../../../src/read/blocks/index.ts";
import { offsetIn } from "../../../src/spec/index.ts";

const sourceOffset = ({ contentStart, shifts }: CodeToken, index: number): number =>
  offsetIn({ start: contentStart, shifts }, index);

const tokensOf = (text: string, inCell = false): Token[] =>
  tokens(text, { start: 0, end: text.length, inCell });

/** Words as they are, marks in angle brackets, code in backticks. */
function shape(text: string, inCell = false): string {
  return tokensOf(text, inCell)
    .map((it) =>
      it.kind === "word" ? it.text : it.kind === "mark" ? `<${it.text}>` : `\`${it.text}\``,
    )
    .join(" ");
}

test("marks part from words where they end them", () => {
  assert.equal(shape("When `e`, step."), "When `e` <,> step <.>");
  assert.equal(
    shape("at least 1 item; most items: not shown"),
    "at least 1 item <;> most items <:> not shown",
  );
  assert.equal(shape("`a` (initial), `b`"), "`a` <(> initial <)> <,> `b`");
  assert.equal(shape("`x` = `e` and [y]"), "`x` <=> `e` and <[> y <]>");
});

test("numbers, dates, durations, media types and names stay whole", () => {
  const whole =
    "1.5 0.00 -3 60,000 2026-10-01 10:30 24h application/json time-out order.opened 5xx";
  assert.equal(shape(whole), whole);
  assert.equal(shape("caller's a+b 50%"), "caller's a+b 50%");
  assert.equal(shape("a + b / c - d"), "a <+> b </> c <-> d");
});

test("offsets give the source of every token, and lose nothing but blanks", () => {
  const text = 'When  `a`,\t(b) "c": 1.5; ``d ` e`` 😀!';
  let at = 0;
  for (const token of tokensOf(text)) {
    assert.match(text.slice(at, token.start), /^\s*$/);
    if (token.kind !== "code") assert.equal(text.slice(token.start, token.end), token.text);
    at = token.end;
  }
  assert.equal(at, text.length);
});

test("a code span is stripped as CommonMark 6.1 says", () => {
  assert.equal(shape("` a `"), "`a`");
  assert.equal(shape("`  a  `"), "` a `");
  assert.equal(shape("`  `"), "`  `");
  assert.equal(shape("`` a`b ``"), "`a`b`");
  assert.equal(shape("`a\\`"), "`a\\`");
  assert.equal(shape("`a ``b"), "`a <`> <`> b".replace("`a", "<`> a"));
});

test("a code span in a cell maps back over each unescaped pipe", () => {
  const text = "`a \\|\\| b\\|c`";
  const [code] = tokensOf(text, true);
  assert.ok(code?.kind === "code");
  assert.equal(code.text, "a || b|c");
  for (const char of "abc") {
    assert.equal(text[sourceOffset(code, code.text.indexOf(char))], char);
  }
  for (let i = 0; i <= code.text.length; i++) {
    const next: string = code.text[i] ?? "`";
    assert.equal(text[sourceOffset(code, i)], next === "|" ? "|" : next);
  }
  assert.equal(shape(text, false), "`a \\|\\| b\\|c`");
});

test("a code span over two lines of an item is joined by a space and maps back", () => {
  const text = "1. Require `a &&\n   b && c`, else `d`.";
  const { blocks, findings } = readBlocks(text);
  assert.deepEqual(findings, []);
  const [step] = blocks;
  assert.ok(step?.kind === "step");
  const [, code, ...rest] = tokens(text, step.inline);
  assert.ok(code?.kind === "code");
  assert.equal(code.text, "a && b && c");
  for (const char of "abc") {
    assert.equal(sourceOffset(code, code.text.indexOf(char)), text.indexOf(char, 11));
  }
  assert.deepEqual(
    rest.map((it) => it.text),
    [",", "else", "d", "."],
  );
});
