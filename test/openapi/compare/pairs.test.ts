/**
 * The pairs of openapi-diff: every change that its tests name is found, and every verdict that is
 * another than theirs stands in docs/compared.md with its reason.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  type Comparison,
  compare,
  type Description,
  describe,
} from "../../../src/openapi/index.ts";
import { named, properties } from "./named.ts";
import { type Pair, pairs, resource, type Said } from "./pairs.ts";

const docs = join(import.meta.dirname, "../../../docs");

function read(name: string): Description {
  return describe(name, resource(name), (path) => resource(path, name));
}

function compared(before: string, now: string): Comparison["changes"] {
  return compare(read(before), read(now)).changes;
}

/** Rows of the tables in a file of the documentation. */
function rowsOf(file: string): string[][] {
  return readFileSync(join(docs, file), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

const verdicts = new Map(rowsOf("assumed-compatibility.md").map(([kind = "", is]) => [kind, is]));

function ours(changes: Comparison["changes"]): Said {
  if (changes.length === 0) return "same";
  const breaks = changes.some(({ kind }) => verdicts.get(kind) === "no");
  return breaks ? "incompatible" : "compatible";
}

function agrees(pair: Pair, is: Said): boolean {
  return pair.says === "changed" ? is !== "same" : pair.says === is;
}

test("there are pairs", () => {
  assert.equal(pairs.length, 160);
  const without = pairs.filter(({ because = "" }) => because !== "" && !(because in properties));
  assert.deepEqual(
    without.map(({ because }) => because),
    [],
  );
});

for (const pair of pairs) {
  test(`${pair.name}: ${pair.before} → ${pair.now}`, () => {
    const changes = compared(pair.before, pair.now);
    const kinds = changes.map(({ kind }) => kind as string);
    if (pair.says !== "same") assert.notEqual(changes.length, 0);
    if (pair.because === undefined) return;
    const meant = properties[pair.because] ?? [];
    assert.ok(
      meant.some((kind) => kinds.includes(kind)),
      `${meant}: ${kinds}`,
    );
  });
}

for (const [before, now, all] of named) {
  test(`named: ${before} → ${now}`, () => {
    const changes = compared(before, now).map(({ kind, about, what = "", was, is }) => {
      const words = was === undefined ? "" : ` ${was} → ${is}`;
      return `${kind} | ${about} ${what}${words}`;
    });
    for (const one of all) {
      const [kind = "", ...rest] = one.split(" | ");
      const isMeant = (said: string): boolean =>
        said.startsWith(`${kind} |`) && rest.every((each) => said.includes(each));
      assert.ok(changes.some(isMeant), `${one}\n${changes.join("\n")}`);
    }
    if (all.length === 0) assert.deepEqual(changes, []);
  });
}

test("verdicts that are others than theirs are those that are explained", () => {
  const told = (says: Said): string => (says === "same" ? "no change" : says);
  const differing = pairs.flatMap((pair) => {
    const is = ours(compared(pair.before, pair.now));
    return agrees(pair, is) ? [] : [`${pair.name} ${told(pair.says)} ${told(is)}`];
  });
  const explained = rowsOf("compared.md")
    .filter(([name = ""]) => /^`\w+\.\w+`$/.test(name))
    .map(([name = "", theirs, is]) => `${name.replaceAll("`", "")} ${theirs} ${is}`);
  assert.deepEqual(new Set(differing), new Set(explained));
});
