/** The normal form: what it changes, what it never changes, and that it is one. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { format, sameStatements } from "../../src/write/index.ts";
import { seeded, untidy } from "./random.ts";

const encoder = new TextEncoder();
const readText = (text: string) => read(encoder.encode(text));
const examples = ["blank", "todo", "todo-backend", "orders", "conduit", "bank", "payments"].map(
  (name) => readFileSync(new URL(`../../examples/${name}/spec.md`, import.meta.url), "utf8"),
);

/** A plan as text. A gap's sentence is how it was written, full stop included. */
function planText(text: string): string {
  const planned = plan(check(readText(text)));
  return JSON.stringify(planned?.plan, (key, value) => (key === "sentence" ? undefined : value));
}

test("each rule of the normal form", () => {
  const cases: [what: string, before: string, after: string][] = [
    ["blank lines", "# T\n\n\n\n## Limits\n\n\nA\n\n\n", "# T\n\n## Limits\n\nA\n"],
    [
      "no blank line below a heading, where there was none",
      "## A\n### `B`\n- C: d\n1. E.\n## F\n\n- G: h\n\n1. I.\n",
      "## A\n### `B`\n- C: d\n1. E.\n\n## F\n\n- G: h\n\n1. I.\n",
    ],
    ["spaces of a heading", "##   Limits  \n", "## Limits\n"],
    ["one space behind a mark", "-   A:   b\n\n1.  C  d.\n", "- A: b\n\n1. C d.\n"],
    ["code spans are kept", "- A: `b   c`   d\n", "- A: `b   c` d\n"],
    ["a list without blank lines", "- A: b\n\n- C: d\n", "- A: b\n- C: d\n"],
    [
      "nested items",
      "1.  A:\n    - b: c\n\n    - d: e\n2.  F.\n",
      "1. A:\n   - b: c\n   - d: e\n2. F.\n",
    ],
    ["continuation lines", "-   A: b\n    c\n", "- A: b\n  c\n"],
    [
      "a table",
      "|A|Bcd|\n|:-|--:|\n| x\\|y | ä |\n",
      "| A    | Bcd |\n|:-----|----:|\n| x\\|y | ä   |\n",
    ],
    [
      "wide characters",
      "| A | B |\n|---|---|\n| 日本 | b |\n| c | d |\n",
      "| A    | B   |\n|------|-----|\n| 日本 | b   |\n| c    | d   |\n",
    ],
    [
      "gap lines",
      "Quotas: not shown.\nRate limits: none.\n",
      "- Quotas: not shown\n- Rate limits: none\n",
    ],
    ["a single gap line", "Quotas: not shown.\n", "Quotas: not shown.\n"],
    ["prose", "A  line\nof prose:  none, really.  \n", "A  line\nof prose:  none, really.  \n"],
    ["quotes", ">  a\n>b\n", ">  a\n>b\n"],
    ["fences", "```http  x\n\n\n- a\n```\n", "```http  x\n\n\n- a\n```\n"],
    ["a last line without an end", "- A: b", "- A: b\n"],
    ["carriage returns", "- A: b\r\n\r\n\r\n- C:  d\r\n", "- A: b\r\n- C: d\r\n"],
    ["nothing", "", ""],
  ];
  for (const [what, before, after] of cases) {
    assert.equal(format(before), after, what);
    assert.equal(format(after), after, `${what}: again`);
  }
});

test("a table that would be too wide is not aligned", () => {
  const cell = "x".repeat(130);
  assert.equal(format(`|A|B|\n|-|-|\n|${cell}| b|\n`), `| A | B |\n|---|---|\n| ${cell} | b |\n`);
});

test("the examples keep their meaning, and a second time changes nothing", () => {
  for (const text of examples) {
    const formatted = format(text);
    assert.equal(format(formatted), formatted);
    assert.ok(sameStatements(readText(text).spec, readText(formatted).spec));
    assert.equal(planText(formatted), planText(text));
  }
});

test("however untidy a document is written, its normal form is one", (t) => {
  const { seed, next } = seeded();
  t.diagnostic(`SEED=${seed}`);
  for (let i = 0; i < 60; i++) {
    const text = examples[next(examples.length)] ?? "";
    const messy = untidy(text, next);
    const formatted = format(messy);
    assert.deepEqual(
      readText(messy).findings.filter((f) => f.severity === "error"),
      [],
    );
    assert.equal(formatted, format(text));
    assert.ok(sameStatements(readText(messy).spec, readText(formatted).spec));
  }
});

test("other statements are not the same", () => {
  const one = "# T\n\n## Limits\n\nQuotas: not shown.\n";
  const spec = readText(one).spec;
  for (const other of [
    one.replace("not shown", "none"),
    one.replace("Quotas", "Time-outs"),
    one.replace("# T", "# U"),
    `${one}\nTime-outs: none.\n`,
  ]) {
    assert.equal(sameStatements(spec, readText(other).spec), false, other);
  }
  assert.ok(sameStatements(spec, readText(one.replace("\n\nQ", "\n\n\nQ")).spec));
});

test("any text has a normal form, in time that grows with its length", () => {
  const { next } = seeded();
  const pieces = [
    "# ",
    "- ",
    "|",
    "`",
    "```",
    "\n",
    "\n\n",
    "> ",
    "1. ",
    "a",
    ": not shown.",
    "\r",
    "  ",
  ];
  for (let i = 0; i < 2000; i++) {
    const text = Array.from({ length: next(30) }, () => pieces[next(pieces.length)]).join("");
    assert.equal(typeof format(text), "string");
  }
  const began = performance.now();
  format("- A:  b `c\n".repeat(100_000) + "|".repeat(100_000));
  assert.ok(performance.now() - began < 5000);
});
