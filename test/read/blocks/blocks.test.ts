/** One test for each block: what it holds, where it stands, what is refused beside it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, readBlocks, tokens } from "../../../src/read/blocks/index.ts";

const LEAD = "## A\n\n## B\n\n";

/** The blocks of a text inside the second part, without the two headings. */
function read(sample: string): { text: string; blocks: Block[]; codes: string[]; at: string[] } {
  const text = LEAD + sample;
  const { blocks, findings } = readBlocks(text);
  return {
    text,
    blocks: blocks.slice(2),
    codes: findings.map((it) => it.code),
    at: findings.map((it) => text.slice(it.span.start, it.span.end)),
  };
}

/** A short picture of blocks: kind and text, nested ones in brackets. */
function picture(text: string, blocks: readonly Block[]): string {
  return blocks
    .map((block) => {
      if (block.kind === "bullet" || block.kind === "step") {
        const mark = block.kind === "step" ? `${block.number}. ` : "- ";
        const own = text.slice(block.inline.start, block.inline.end).replace(/\s+/g, " ");
        const inner = block.children.length > 0 ? ` [${picture(text, block.children)}]` : "";
        return mark + own + inner;
      }
      if (block.kind === "heading") return `h${block.level}`;
      return block.kind === "other" ? `other: ${block.what}` : block.kind;
    })
    .join(" / ");
}

function pictureOf(sample: string): string {
  const { text, blocks } = read(sample);
  return picture(text, blocks);
}

test("a heading has its level and its text without the marks", () => {
  const { text, blocks, codes } = read("### `POST /a`: b ###\n#### c#");
  assert.deepEqual(codes, []);
  const shown = blocks.map((it) =>
    it.kind === "heading" ? [it.level, text.slice(it.inline.start, it.inline.end)] : [],
  );
  assert.deepEqual(shown, [
    [3, "`POST /a`: b"],
    [4, "c#"],
  ]);
});

test("each line of a paragraph is an inline of its own", () => {
  const { text, blocks, codes } = read("Quotas: not shown.\n  Rate limits: not shown.\n\nThird.");
  assert.deepEqual(codes, []);
  const [first, second] = blocks;
  assert.ok(first?.kind === "paragraph" && second?.kind === "paragraph");
  const lines = first.lines.map((it) => text.slice(it.start, it.end));
  assert.deepEqual(lines, ["Quotas: not shown.", "Rate limits: not shown."]);
  assert.equal(text.slice(first.start, first.end), "Quotas: not shown.\n  Rate limits: not shown.");
});

test("text is free before the second part, but for what nobody sees", () => {
  const free =
    "# T\n\nAn *odd* [text](x) &amp; `more\n\n## A\n\n**Here** too.\n\n## B\n\n**Not** here.";
  const { blocks, findings } = readBlocks(free);
  assert.deepEqual(
    findings.map((it) => [it.code, it.span.start]),
    [["emphasis", free.indexOf("**Not")]],
  );
  assert.deepEqual(
    blocks.flatMap((it) => (it.kind === "paragraph" ? [it.prose] : [])),
    [true, true, false],
  );
  const codesOf = (text: string): string[] => readBlocks(text).findings.map((it) => it.code);
  assert.deepEqual(codesOf("Text <!-- hidden --> text"), ["html"]);
  assert.deepEqual(codesOf("[hidden]: /x"), ["other-markdown"]);
  assert.deepEqual(codesOf("Text `<!-- shown -->` <https://a.b>"), []);
});

test("items nest by the column of the text above them", () => {
  assert.equal(
    pictureOf("1. a\n   - b\n     1. c\n   - d\n\n2. e\n   more\n- f\n    - g\n    - h"),
    "1. a [- b [1. c] / - d] / 2. e more / - f [- g / - h]",
  );
  assert.deepEqual(read("1. a\n\n   - b\n     1. c\n\n     2. d\n2. e").codes, []);
  const ten = Array.from({ length: 10 }, (_, i) => `${i + 1}. a`).join("\n");
  assert.deepEqual(read(`${ten}\n    - b`).codes, []);
  assert.deepEqual(read(`${ten}\n   - b`).codes, ["indent"]);
});

test("an item's span takes in its nested items", () => {
  const { text, blocks } = read("1. a\n   - b\n\n     - c\n2. d");
  assert.deepEqual(
    blocks.map((it) => text.slice(it.start, it.end)),
    ["1. a\n   - b\n\n     - c", "2. d"],
  );
});

test("indentation that viewers read in more than one way is refused", () => {
  assert.deepEqual(read("1. a\n  - b").codes, ["indent"]);
  assert.deepEqual(read("- a\n - b").codes, ["indent"]);
  assert.deepEqual(read("- a\n      - b").codes, ["indent"]);
  assert.deepEqual(read("-      a").codes, ["indent"]);
  assert.deepEqual(read("- a\n\t- b").codes, ["tab"]);
  assert.deepEqual(read("-\ta").codes, ["tab"]);
});

test("steps count up from 1 in each list, and on over a quote, or are all numbered 1", () => {
  assert.deepEqual(read("1. a\n1. b\n\n> note\n\n1. c").codes, []);
  assert.deepEqual(read("1. a\n   1. b\n   1. c\n2. d").codes, []);
  assert.deepEqual(read("1. a\n1. b\n2. c").at, ["2."]);
  assert.deepEqual(read("1. a\n2. b\n1. c").at, ["1."]);
  assert.deepEqual(read("1. a\n\n> note\n\n2. b").codes, []);
  assert.deepEqual(read("1. a\n   1. b\n   2. c\n2. d").codes, []);
  for (const wrong of ["2. a", "0. a", "01. a", "1. a\n\nText.\n\n2. b"]) {
    assert.deepEqual(read(wrong).codes, ["step-number"], wrong);
  }
  assert.deepEqual(read("1. a\n3. b").at, ["3."]);
});

test("at most two levels of nesting", () => {
  const { codes, at } = read("- a\n  - b\n    - c\n      - d\n- e");
  assert.deepEqual([codes, at], [["too-deep"], ["- d"]]);
  assert.equal(pictureOf("- a\n  - b\n    - c\n      - d\n- e"), "- a [- b [- c / - d]] / - e");
});

test("an item begins with text and holds items", () => {
  for (const wrong of ["- # a", "- - a", "- > a", "- 1. a", "- a\n\n  b", "- a\n  # b"]) {
    assert.deepEqual(read(wrong).codes, ["item-content"], wrong);
  }
  assert.deepEqual(read("- a\n\n  | b |\n  |---|\n  | c |").codes, ["item-content"]);
  assert.deepEqual(read("- ```\n  a\n  ```\n- b").codes, ["item-content"]);
  assert.deepEqual(read("-\n").codes, ["item-empty"]);
  assert.deepEqual(read("- a\nb").codes, ["lazy-line"]);
  assert.deepEqual(read("- a\n  ---").codes, ["other-markdown"]);
});

test("a table gives its cells, empty ones too, with their spans", () => {
  const { text, blocks, codes } = read("| A | B |\n|:--|--:|\n| `a \\| b` | |\n|x|y|\n\nEnd.");
  assert.deepEqual(codes, []);
  const [table] = blocks;
  assert.ok(table?.kind === "table");
  const cells = [table.header, ...table.rows].map((row) =>
    row.cells.map((cell) => text.slice(cell.start, cell.end)),
  );
  assert.deepEqual(cells, [
    ["A", "B"],
    ["`a \\| b`", ""],
    ["x", "y"],
  ]);
  assert.equal(text.slice(table.header.start, table.header.end), "| A | B |");
});

test("rows that viewers would cut, fill up or join are refused", () => {
  const head = "| A | B |\n|---|---|\n";
  assert.deepEqual(read(`${head}| a |`).codes, ["table-cells"]);
  assert.deepEqual(read(`${head}| a | b | c |`).at, ["| a | b | c |"]);
  assert.deepEqual(read(`${head}| a | b`).codes, ["table-pipe"]);
  const split = read(`${head}| \`a || b\` | c |`);
  assert.deepEqual([split.codes, split.at], [["table-code-pipe"], ["`a"]]);
  assert.deepEqual(read(`${head}| a | \`b |`).codes, ["code-unclosed"]);
  assert.deepEqual(read(`${head}a`).codes, ["blank-line"]);
  assert.deepEqual(read(`${head}- a`).codes, []);
  assert.deepEqual(read("| A | B |\n|---|\n| a | b |").codes, ["table-delimiter"]);
  assert.deepEqual(read("a | b\n---|---\nc | d").codes, ["other-markdown"]);
});

test("a table or step right below a line of text", () => {
  assert.deepEqual(read("Text.\n| A |\n|---|\n| a |").codes, ["blank-line"]);
  assert.deepEqual(read("Text.\n1. a").codes, []);
  assert.deepEqual(read("Text.\n- a").codes, []);
});

test("a fence gives its info words and the span of its lines", () => {
  const { text, blocks, codes } = read("```json template a\n{\n\n}\n```\n\n````\n```\n````");
  assert.deepEqual(codes, []);
  const fences = blocks.map((it) =>
    it.kind === "fence" ? [it.info, text.slice(it.content.start, it.content.end), it.closed] : [],
  );
  assert.deepEqual(fences, [
    ["json template a", "{\n\n}\n", true],
    ["", "```\n", true],
  ]);
});

test("an unclosed fence runs to the end, and blocks inside are not read", () => {
  const { blocks, codes } = read("```json\n# a\n- b");
  assert.deepEqual(codes, ["fence-unclosed"]);
  assert.equal(blocks.length, 1);
});

test("quotes hold anything; text right below one is refused", () => {
  assert.deepEqual(read("> *a* [b](c)\n>\n> - d\n\nText.").codes, []);
  assert.deepEqual(read("> a\nb").codes, ["lazy-line"]);
  assert.deepEqual(read("> a\n1. b").codes, ["blank-line"]);
});

test("an HTML comment is one finding, over all of its lines", () => {
  const { blocks, codes, at } = read("<!-- a\n\nb -->\n\n- c\n  <!-- d\n  e -->");
  assert.deepEqual(codes, ["html", "html"]);
  assert.deepEqual(at, ["<!-- a\n\nb -->", "<!-- d\n  e -->"]);
  assert.equal(blocks.length, 2);
  assert.deepEqual(read("a <!-- b -->").codes, ["html"]);
});

test("other constructs are named and refused", () => {
  const names: readonly (readonly [string, RegExp])[] = [
    ["a\n===", /underlined heading/],
    ["a\n---", /underlined heading/],
    ["a\n\n---", /thematic break/],
    ["    a", /indented code/],
    ["* a", /`\*` or `\+`/],
    ["+ a", /`\*` or `\+`/],
    ["1) a", /`1\)`/],
    ["~~~\na\n~~~", /fence of `~`/],
    ["[a]: /b", /link definition/],
    ["a | b\n--- | ---", /table without leading/],
  ];
  for (const [sample, what] of names) {
    const { text } = read(sample);
    const { findings } = readBlocks(text);
    assert.deepEqual(
      findings.map((it) => it.code),
      ["other-markdown"],
      sample,
    );
    assert.match(findings[0]?.message ?? "", what);
    assert.match(pictureOf(sample), what);
  }
});

test("every inline construct that a viewer shows differently is refused at its place", () => {
  const samples: readonly (readonly [string, string, string])[] = [
    ["- a *b*", "emphasis", "*"],
    ["- a _b_", "emphasis", "_"],
    ["- a ~~b~~", "emphasis", "~"],
    ["- a ![b](c)", "link", "["],
    ["- a \\* b", "escape", "\\"],
    ["- a &lt; b", "entity", "&"],
    ["- a <b>", "html", "<"],
    ["- <https://a.b>", "autolink", "<"],
    ["- http://a.b", "autolink", "http:"],
    ["- www.a.b", "autolink", "w"],
    ["- a@b.c", "autolink", "a@"],
    ["- a `b", "code-unclosed", "`b"],
    ["- a\u3000b", "space-character", "\u3000"],
    ["a  \nb", "hard-break", "  "],
    ["- a  \n  b", "hard-break", "  "],
    ["a\\\nb", "escape", "\\"],
  ];
  for (const [sample, code, place] of samples) {
    const { codes, at } = read(sample);
    assert.deepEqual(codes, [code], sample);
    assert.deepEqual(at, [place], sample);
  }
  const right = "- foo_bar, a < b, R & D, `*a* [b] &amp; <c> \\* http://d` 1.5 a:b C:\\d (x) a*";
  assert.deepEqual(read(right.slice(0, -3)).codes, []);
  assert.ok(tokens(right, { start: 2, end: right.length, inCell: false }).length > 10);
});
