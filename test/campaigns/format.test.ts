/** Writing back: the normal form means the same and is its own normal form, also of mutants. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { format } from "../../src/write/index.ts";
import { randomFrom, testSeed } from "../random.ts";
import { cases } from "../whole.ts";
import { examples, exampleText } from "./examples.ts";
import { sampleOf } from "./mutants.ts";

const MUTANTS = cases(120, 600);

interface Meaning {
  readonly unread: boolean;
  readonly plan: string | undefined;
}

function meaning(text: string): Meaning {
  const reading = read(new TextEncoder().encode(text));
  const unread = reading.findings.some((finding) => finding.severity === "error");
  if (unread) return { unread, plan: undefined };
  const planned = plan(check(reading));
  return { unread, plan: planned === undefined ? undefined : JSON.stringify(planned.plan) };
}

/** Where two plans differ first, with both values; undefined where they are the same. */
function difference(a: unknown, b: unknown, path = "plan"): string | undefined {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) {
    return a === b ? undefined : `${path}: ${JSON.stringify(a)}, ${JSON.stringify(b)}`;
  }
  const [left, right] = [a, b] as Record<string, unknown>[] as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const found = difference(left[key], right[key], `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function assertSame(text: string, name: string): boolean {
  const before = meaning(text);
  // A document that cannot be read is left as it is.
  if (before.unread) return false;
  const formatted = format(text);
  assert.equal(format(formatted), formatted, `${name}: the normal form has another normal form`);
  const after = meaning(formatted);
  assert.equal(after.unread, false, `${name}: the normal form cannot be read`);
  const differs = difference(JSON.parse(before.plan ?? "null"), JSON.parse(after.plan ?? "null"));
  assert.equal(differs, undefined, `${name}: the normal form means something else: ${differs}`);
  return before.plan !== undefined;
}

for (const name of examples()) {
  test(`the normal form of ${name} means the same`, () => {
    assert.equal(assertSame(exampleText(name), name), true);
  });
}

test(`the normal form of ${MUTANTS} mutants means the same`, (t) => {
  const seed = testSeed;
  t.diagnostic(`SEED=${seed}`);
  const random = randomFrom(seed);
  const texts = examples().map((name) => [name, exampleText(name)] as const);
  let planned = 0;
  for (const [name, mutants] of sampleOf(texts, MUTANTS, random)) {
    for (const mutant of mutants) {
      if (assertSame(mutant.text, `SEED=${seed} ${name}:${mutant.line} ${mutant.after}`)) planned++;
    }
  }
  t.diagnostic(`${planned} mutants have a plan`);
  assert.ok(planned > MUTANTS / 20);
});
