/**
 * Each kind of change of the closed list, both ways: an edit that is one is named at its line, and
 * the other way round it is one of those that the table names as its opposite.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { diffOf, type Entry } from "../../src/cli/diff/model.ts";
import type { Side } from "../../src/cli/diff/places.ts";
import { changeKinds } from "../../src/language/index.ts";
import { exampleText } from "../campaigns/examples.ts";
import { kioskText, sideOf } from "./documents.ts";
import { edits } from "./pairs.ts";

const texts = new Map<string, string>();
const sides = new Map<string, Side>();

function baseOf(name: string): { readonly text: string; readonly side: Side } {
  const text = texts.get(name) ?? (name === "kiosk" ? kioskText() : exampleText(name));
  const side = sides.get(name) ?? sideOf(text);
  assert.ok(side, name);
  texts.set(name, text);
  sides.set(name, side);
  return { text, side };
}

/** The lines of a text, from one, that a replacement touches. */
function linesOf(text: string, at: number, length: number): readonly [number, number] {
  const line = (offset: number): number => text.slice(0, offset).split("\n").length;
  return [line(at), line(at + length)];
}

const seen = new Set<string>();

function among(
  entries: readonly Entry[],
  kinds: readonly string[],
  lines: readonly number[],
): void {
  for (const { kind } of entries) seen.add(kind);
  const [first = 0, last = 0] = lines;
  const found = entries.filter(({ kind, before, now }) => {
    const at = [before?.line ?? 0, now?.line ?? 0];
    return kinds.includes(kind) && at.some((line) => line >= first && line <= last);
  });
  assert.ok(found.length > 0, `${kinds} at ${lines}: ${entries.map(({ kind }) => kind)}`);
}

for (const { kind, base, texts: pairs } of edits) {
  test(`both ways: ${kind}`, () => {
    const { text, side } = baseOf(base);
    let edited = text;
    let lines: readonly number[] = [];
    for (const [from, to] of pairs.toReversed()) {
      assert.equal(text.split(from).length, 2, `${from} stands once`);
      lines = linesOf(text, text.indexOf(from), Math.max(from.length, to.length));
      edited = edited.replace(from, () => to);
    }
    const other = sideOf(edited);
    assert.ok(other, "the edited document has no errors");
    const forth = diffOf(side, other);
    among(forth.entries, [kind], lines);
    const back = diffOf(other, side);
    const opposite = changeKinds.find(({ name }) => name === kind)?.reversed ?? [];
    among(back.entries, opposite, lines);
    assert.deepEqual([...forth.unnamed, ...back.unnamed], []);
  });
}

test("there is no kind of change that no edit is", () => {
  const all = changeKinds.map(({ name }) => name);
  assert.deepEqual(
    all.filter((name) => !seen.has(name)),
    [],
  );
});

test("the opposite of an opposite is the change itself", () => {
  const of = new Map(changeKinds.map(({ name, reversed }) => [name, reversed]));
  for (const { name, reversed } of changeKinds) {
    for (const one of reversed) assert.ok(of.get(one)?.includes(name), `${name} and ${one}`);
  }
});
