/** Bounds: hostile texts are reported, in bounded time, and never throw; nothing is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Block, decode, readBlocks, tokens } from "../../../src/read/blocks/index.ts";
import { testSeed } from "../../random.ts";
import { mutate, newRandom, randomDocument } from "./random.ts";

const ROUNDS = Number(process.env["FUZZ_ROUNDS"] ?? 20_000);
const TIME_MAX_MS = 1000;

/** The spans before, between and behind the outermost blocks, empty ones too. */
function blankSpans(text: string, blocks: readonly Block[]): { start: number; end: number }[] {
  const ends = [0, ...blocks.map((block) => block.end)];
  return ends.map((start, i) => ({ start, end: blocks[i]?.start ?? text.length }));
}

/** Asserts that nested blocks lie inside, in order, and that all else is blank. */
function assertCover(text: string, blocks: readonly Block[], name: string): void {
  const covered = blankSpans(text, blocks);
  for (const { start, end } of covered) {
    assert.ok(start <= end, `${name}: blocks out of order`);
    assert.match(text.slice(start, end), /^[ \t\r\n]*$/, `${name}: text outside of blocks`);
  }
  const inside = (block: Block): void => {
    if (block.kind !== "bullet" && block.kind !== "step") return;
    let at = block.inline.end;
    for (const child of block.children) {
      assert.ok(child.start >= at && child.end <= block.end, `${name}: child outside of its item`);
      at = child.end;
      inside(child);
    }
  };
  for (const block of blocks) inside(block);
}

function readWithin(bytes: Uint8Array, name: string): void {
  const started = performance.now();
  const { text } = decode(bytes);
  const { blocks, findings } = readBlocks(text);
  const elapsedMs = performance.now() - started;
  assert.ok(elapsedMs < TIME_MAX_MS, `${name}: ${elapsedMs} ms`);
  assertCover(text, blocks, name);
  for (const { span } of findings) {
    assert.ok(span.start >= 0 && span.start <= span.end && span.end <= text.length, name);
  }
}

test("random bytes and mutants never throw, and lose no text", (t) => {
  const seed = testSeed;
  t.diagnostic(`SEED=${seed} FUZZ_ROUNDS=${ROUNDS}`);
  const random = newRandom(seed);
  const encoder = new TextEncoder();
  for (let i = 0; i < ROUNDS; i++) {
    const name = `SEED=${seed} document ${i}`;
    if (i % 4 === 0) {
      const bytes = Uint8Array.from({ length: random.below(200) }, () => random.below(256));
      readWithin(bytes, name);
    } else {
      const text = randomDocument(random, 0.3);
      readWithin(encoder.encode(i % 2 === 0 ? text : mutate(random, text)), name);
    }
  }
});

const MANY = 200_000;
const hostile: { readonly [name: string]: string } = {
  "backticks of growing length": Array.from({ length: 1400 }, (_, i) => "`".repeat(i)).join(" "),
  "the same in cells": `|${Array.from({ length: 190 }, (_, i) => "`".repeat(i)).join(" | ")}|`,
  "open brackets": "[".repeat(MANY),
  "brackets at line starts": "[a\n\n".repeat(MANY / 4),
  "nested quotes": ">".repeat(MANY),
  "nested bullets": "- ".repeat(MANY),
  "ever deeper bullets": Array.from({ length: 600 }, (_, i) => `${" ".repeat(i * 2)}- a`).join(
    "\n",
  ),
  "ever longer spaces": Array.from({ length: 600 }, (_, i) => `a${" ".repeat(i)}`).join("\n"),
  "one long line of blanks": `- a${" ".repeat(900_000)}b`,
  "lone carriage returns": "a\r".repeat(MANY),
  "carriage return first, then line feeds": `\r${"a\n".repeat(MANY)}`,
  "open comments": "<!-- \n".repeat(MANY / 4),
  "open tags": "<a\n\n".repeat(MANY / 4),
  "open fences": "```\n~~~\n".repeat(MANY / 4),
  "stars and underscores": "*_".repeat(MANY),
  "headers without dashes": "| a |\n\n".repeat(MANY / 4),
  "delimiter rows": "a\n:-:|\n".repeat(MANY / 4),
  ampersands: "&".repeat(MANY),
  "escaped pipes": `|${"\\|".repeat(MANY)}|\n|---|`,
  "lazy lines": "- a\nb\n".repeat(MANY / 4),
};

for (const [name, text] of Object.entries(hostile)) {
  test(`hostile: ${name}`, () => readWithin(new TextEncoder().encode(text), name));
}

const codesOf = (text: string): string[] => readBlocks(text).findings.map((it) => it.code);

test("a line past the bound is one finding, and reading goes on", () => {
  const text = `- a\n\n${"b".repeat(1024 * 1024 + 1)}\n\n# c`;
  assert.deepEqual(codesOf(text), ["too-large"]);
  assert.deepEqual(
    readBlocks(text).blocks.map((it) => it.kind),
    ["bullet", "other", "heading"],
  );
  assert.deepEqual(codesOf(`\`\`\`\n${"b".repeat(1024 * 1024 + 1)}\n\`\`\``), ["too-large"]);
  assert.deepEqual(codesOf("b".repeat(1024 * 1024)), []);
});

test("a table may have 200 columns", () => {
  const table = (n: number): string => `|${"a|".repeat(n)}\n|${"-|".repeat(n)}\n|${"b|".repeat(n)}`;
  assert.deepEqual(codesOf(table(200)), []);
  assert.deepEqual(codesOf(table(201)), ["too-large"]);
  const wide = readBlocks(table(100_000));
  assert.deepEqual(
    wide.findings.map((it) => it.code),
    ["too-large"],
  );
  assert.equal(wide.blocks.length, 1);
});

test("a line may have 20,000 words less one", () => {
  const line = (n: number): string => `## A\n\n## B\n\n- ${"a ".repeat(n)}`;
  assert.deepEqual(codesOf(line(19_999)), []);
  assert.deepEqual(codesOf(line(20_000)), ["too-large"]);
  const long = "a ".repeat(50_000);
  assert.equal(tokens(long, { start: 0, end: long.length, inCell: false }).length, 20_000);
});

test("each kind of finding is listed at most 1,000 times", () => {
  const { findings } = readBlocks("2. a\n\nb\n\n".repeat(3000));
  const codes = findings.map((it) => it.code);
  assert.equal(codes.filter((it) => it === "step-number").length, 1000);
  assert.deepEqual(
    codes.filter((it) => it !== "step-number"),
    ["too-many"],
  );
});
