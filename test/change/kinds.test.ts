/**
 * Each kind of change of the closed list, both ways: an edit that is one is named at its line, and
 * the other way round it is one of those that the table names as its opposite.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Diff, diffOf, type Entry } from "../../src/cli/diff/model.ts";
import type { Side } from "../../src/cli/diff/places.ts";
import { changeKinds } from "../../src/language/index.ts";
import { exampleText } from "../campaigns/examples.ts";
import { kioskText, sideOf } from "./documents.ts";
import { type Edit, edits, together } from "./pairs.ts";

/** The lines, from one, of a stretch of a text. */
type Lines = readonly [first: number, last: number];

function linesOf(text: string, part: string): Lines {
  const at = text.indexOf(part);
  const line = (offset: number): number => text.slice(0, offset).split("\n").length;
  return at < 0 ? [0, 0] : [line(at), line(at + part.length)];
}

interface Place {
  readonly line: number;
}

function isIn(place: Place | undefined, [first, last]: Lines): boolean {
  return place !== undefined && place.line >= first && place.line <= last;
}

/** A document with some edits in it, compared both ways. */
interface Edited {
  readonly base: string;
  readonly text: string;
  readonly forth: Diff;
  readonly back: Diff;
}

const bases = new Map<string, readonly [text: string, side: Side]>();

function baseOf(name: string): readonly [text: string, side: Side] {
  const known = bases.get(name);
  if (known !== undefined) return known;
  const text = name === "kiosk" ? kioskText() : exampleText(name);
  const side = sideOf(text);
  assert.ok(side, name);
  bases.set(name, [text, side]);
  return [text, side];
}

function edited(name: string, all: readonly Edit[]): Edited {
  const [base, side] = baseOf(name);
  const texts = all.flatMap((one) => one.texts);
  const placed = texts.map(([from, to]) => {
    assert.equal(base.split(from).length, 2, `${from} stands once`);
    return { at: base.indexOf(from), from, to };
  });
  const text = placed
    .toSorted((a, b) => b.at - a.at)
    .reduce((now, { at, from, to }) => now.slice(0, at) + to + now.slice(at + from.length), base);
  const other = sideOf(text);
  assert.ok(other, "the edited document has no errors");
  return { base, text, forth: diffOf(side, other), back: diffOf(other, side) };
}

const seen = new Set<string>();

function assertNamed({ kind, texts }: Edit, { base, text, forth, back }: Edited): void {
  const opposite = changeKinds.find(({ name }) => name === kind)?.reversed ?? [];
  const places = texts.map(([from, to]) => [linesOf(base, from), linesOf(text, to)] as const);
  const named = (entries: readonly Entry[], kinds: readonly string[], isBack: boolean): boolean =>
    entries.some(({ kind: one, before, now }) => {
      seen.add(one);
      const [old, own] = isBack ? [now, before] : [before, now];
      return kinds.includes(one) && places.some(([a, b]) => isIn(old, a) || isIn(own, b));
    });
  const told = (entries: readonly Entry[]): string => entries.map((one) => one.kind).join(", ");
  assert.ok(named(forth.entries, [kind], false), `${kind}: ${told(forth.entries)}`);
  assert.ok(named(back.entries, opposite, true), `${opposite}: ${told(back.entries)}`);
  assert.deepEqual([...forth.unnamed, ...back.unnamed], []);
}

/** The edits of the kiosk in groups, those of other documents each for itself. */
const groups = [
  ...together.map((kinds) =>
    kinds.flatMap((kind) => edits.filter((one) => one.base === "kiosk" && one.kind === kind)),
  ),
  ...edits.filter(({ base }) => base !== "kiosk").map((one) => [one]),
];

test("each edit stands in one group", () => {
  assert.deepEqual(new Set(groups.flat()), new Set(edits));
});

for (const group of groups) {
  let made: Edited | undefined;
  for (const edit of group) {
    test(`both ways: ${edit.kind}`, () => {
      made ??= edited(edit.base, group);
      assertNamed(edit, made);
    });
  }
}

test("there is no kind of change that no edit is", () => {
  // Those that only files in OpenAPI know: test/openapi/compare.
  const all = changeKinds.filter(({ ofFiles }) => !ofFiles).map(({ name }) => name);
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
