/** The official CEL conformance cases within the profile: each has the official outcome. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { IncrementalTest } from "@bufbuild/cel-spec/testdata/tests.js";
import { getConformanceSuite } from "@bufbuild/cel-spec/testdata/tests.js";
import type { Exclusion } from "./conformance-filter.ts";
import { exclusions } from "./conformance-filter.ts";
import type { Outcome } from "./oracle.ts";
import { environmentOf, evaluateCase, ourValue, shownOracle } from "./oracle.ts";

interface Case {
  readonly path: string;
  readonly original: IncrementalTest["original"];
}

function allCases(): Case[] {
  return getConformanceSuite().suites.flatMap((section) =>
    section.suites.flatMap((part) =>
      part.tests.map(({ name, original }) => ({
        path: `${section.name}/${part.name}/${name}`,
        original,
      })),
    ),
  );
}

function excludes({ path, text }: Exclusion, { path: at, original }: Case): boolean {
  return (path?.test(at) ?? true) && (text?.test(original.expr) ?? true);
}

/** What the case officially comes to: a value as text, or an error. */
function wanted({ resultMatcher }: Case["original"]): string {
  switch (resultMatcher.case) {
    case "value":
      return shownOracle(ourValue(resultMatcher.value));
    case "typedResult":
      assert.ok(resultMatcher.value.result);
      return shownOracle(ourValue(resultMatcher.value.result));
    case undefined:
      return "true";
    default:
      return "error";
  }
}

function seen(outcome: Outcome): string {
  return outcome.is === "value" ? outcome.text : "error";
}

test("official CEL cases within the profile have the official outcome", () => {
  const cases = allCases();
  const counts = new Map<string, number>();
  const used = new Set<Exclusion>();
  const failures: string[] = [];
  let passed = 0;
  let refused = 0;
  for (const entry of cases) {
    const exclusion = exclusions.find((candidate) => excludes(candidate, entry));
    if (exclusion) {
      used.add(exclusion);
      counts.set(exclusion.reason, (counts.get(exclusion.reason) ?? 0) + 1);
      continue;
    }
    const environment = environmentOf(entry.original);
    if (!environment) {
      failures.push(`${entry.path}: a declared type is outside the profile`);
      continue;
    }
    const outcome = evaluateCase(entry.original, environment);
    const [official, ours] = [wanted(entry.original), seen(outcome)];
    if (official === "error" && outcome.is === "problem") refused++;
    if (official === ours) passed++;
    else {
      const { expr } = entry.original;
      failures.push(`${entry.path}: ${expr}: wanted ${official}, got ${JSON.stringify(outcome)}`);
    }
  }
  for (const [reason, count] of counts) console.log(`excluded ${count}: ${reason}`);
  const excluded = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log(`official cases: ${cases.length}, excluded ${excluded}, passed ${passed}`);
  console.log(`of those, official errors that check already reports: ${refused}`);
  assert.deepEqual(failures, []);
  assert.equal(passed, cases.length - excluded);
  assert.ok(passed > 0);
  const idle = exclusions.filter((entry) => !used.has(entry)).map((entry) => entry.reason);
  assert.deepEqual(idle, [], "each exclusion excludes something");
});
