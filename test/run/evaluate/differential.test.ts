/** Random expressions agree with an independent CEL implementation on what both define. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { run as oracle } from "@bufbuild/cel";
import fc from "fast-check";
import type { Environment, Type } from "../../../src/expr/index.ts";
import { check, noFacts, render } from "../../../src/expr/index.ts";
import type { Value } from "../../../src/run/evaluate/index.ts";
import { testSeed } from "../../random.ts";
import { cases } from "../../whole.ts";
import { run, shownOracle } from "./oracle.ts";

const seed = testSeed;
const RUNS = Number(process.env.RUNS ?? cases(1500, 20_000));

const types: Readonly<Record<string, Type>> = {
  i: { kind: "integer" },
  j: { kind: "integer" },
  s: { kind: "string" },
  t: { kind: "string" },
  b: { kind: "boolean" },
  d: { kind: "number" },
  xs: { kind: "list", of: { kind: "integer" } },
  ss: { kind: "list", of: { kind: "string" } },
  n: { kind: "nullable", of: { kind: "integer" } },
};
const names = Object.keys(types);
const environment: Environment = {
  names: new Map(Object.entries(types)),
  collections: new Map(),
  members: () => undefined,
};

/** Texts of expressions by type, in the syntax and meaning that both sides share. */
const { boolean: expression } = fc.letrec<Record<string, string>>((tie) => {
  const part = (name: string) => tie(name) as fc.Arbitrary<string>;
  const built = (pattern: string, ...parts: string[]): fc.Arbitrary<string> =>
    fc
      .tuple(...parts.map(part))
      .map((made) => made.reduce((text, p) => text.replace("#", () => p), pattern));
  const one = (...texts: string[]) => fc.constantFrom(...texts);
  return {
    integer: fc.oneof(
      { maxDepth: 4, depthIdentifier: "d" },
      one("i", "j", "0", "1", "-3", "7", "v"),
      built("(# + #)", "integer", "integer"),
      built("(# - #)", "integer", "integer"),
      built("(# * #)", "integer", "integer"),
      built("(# / #)", "integer", "integer"),
      built("(# % #)", "integer", "integer"),
      built("-(#)", "integer"),
      built("size(#)", "string"),
      built("size(#)", "integers"),
      built("#[#]", "integers", "integer"),
      // Of texts: BigInt("") is 0 in the other implementation; an error in CEL and here.
      built("int(string(#))", "integer"),
      built("(# ? # : #)", "boolean", "integer", "integer"),
      built("(n != null ? n : #)", "integer"),
      built("{'k': #, 'é': #}['k']", "integer", "integer"),
    ),
    string: fc.oneof(
      { maxDepth: 4, depthIdentifier: "d" },
      one("s", "t", "''", "'a'", "'12'", "'é😀'", "'A%_b'"),
      built("(# + #)", "string", "string"),
      built("string(#)", "integer"),
      built("(# ? # : (# + s))", "boolean", "string", "string"),
    ),
    double: fc.oneof(
      { maxDepth: 3, depthIdentifier: "d" },
      one("d", "0e0", "1.5e0", "-2.5e-1"),
      built("(# + #)", "double", "double"),
      built("(# * #)", "double", "double"),
      built("(# - #)", "double", "double"),
    ),
    integers: fc.oneof(
      { maxDepth: 4, depthIdentifier: "d" },
      one("xs", "[]", "[1, 2, 3]"),
      built("[#, #]", "integer", "integer"),
      built("(# + #)", "integers", "integers"),
      built("#.filter(v, #)", "integers", "boolean"),
      built("#.map(v, #)", "integers", "integer"),
      built("#.map(v, #, #)", "integers", "boolean", "integer"),
    ),
    boolean: fc.oneof(
      { maxDepth: 5, depthIdentifier: "d" },
      one("b", "true", "false", "n == null", "n == i", "s in ss"),
      built("(# && #)", "boolean", "boolean"),
      built("(# || #)", "boolean", "boolean"),
      built("!(#)", "boolean"),
      built("(# == #)", "integer", "integer"),
      built("(# < #)", "integer", "integer"),
      built("(# >= #)", "string", "string"),
      built("(# != #)", "string", "string"),
      built("(# <= #)", "double", "double"),
      built("(# == #)", "integers", "integers"),
      built("(# in #)", "integer", "integers"),
      built("#.contains(#)", "string", "string"),
      built("#.startsWith(#)", "string", "string"),
      built("#.endsWith(#)", "string", "string"),
      built("#.matches('^[a-c]*(é|1)+$')", "string"),
      built("#.exists(v, #)", "integers", "boolean"),
      built("#.all(v, #)", "integers", "boolean"),
      built("#.exists_one(v, #)", "integers", "boolean"),
      built("ss.exists(w, w == #)", "string"),
      built("has({'k': #}.k)", "integer"),
    ),
  };
});

// Small, so that no product reaches 64 bits: there it is an error in CEL, and a value here.
const integer = fc.bigInt({ min: -5n, max: 5n });
// The other implementation orders texts by UTF-16 units: not so beyond U+E000.
const text = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 4 }).filter((made) => !/[\ue000-\uffff]/.test(made)),
  fc.constantFrom("a", "12", ""),
);
const values = fc.record({
  i: integer,
  j: integer,
  s: text,
  t: text,
  b: fc.boolean(),
  d: fc.integer({ min: -100, max: 100 }).map((n) => n / 8),
  xs: fc.array(integer, { maxLength: 4 }),
  ss: fc.array(text, { maxLength: 3 }),
  n: fc.option(integer),
});

/** What the other implementation comes to; any error is an error. */
function official(expr: string, bound: Readonly<Record<string, Value>>): string {
  try {
    const found = oracle(expr, bound as Parameters<typeof oracle>[1]);
    return found instanceof Error ? "error" : shownOracle(found as Value);
  } catch {
    return "error";
  }
}

test("random expressions come to what @bufbuild/cel makes of them", () => {
  console.log(`SEED=${seed} RUNS=${RUNS}`);
  const counts = { value: 0, fault: 0 };
  fc.assert(
    fc.property(expression as fc.Arbitrary<string>, values, (body, bound) => {
      // `v` is a variable of macros; outside them it is this list's only item.
      const expr = `[i].exists(v, ${body})`;
      const { code, problems } = check(expr, environment, noFacts());
      assert.ok(code, `${expr}: ${JSON.stringify(problems)}`);
      const ours = run(
        code,
        names.map((name) => bound[name as keyof typeof bound]),
        names,
      );
      const seen = ours.is === "value" ? ours.text : "error";
      const wanted = official(expr, bound);
      assert.ok(seen === wanted, `${expr}: wanted ${wanted}, got ${JSON.stringify(ours)}`);
      counts[ours.is === "value" ? "value" : "fault"]++;
      const again = check(render(code), environment, noFacts());
      assert.deepEqual(again.code, code, render(code));
    }),
    { seed, numRuns: RUNS },
  );
  console.log(`values ${counts.value}, faults ${counts.fault}`);
  assert.ok(counts.value > counts.fault && counts.fault > 0, "both outcomes occur");
});
