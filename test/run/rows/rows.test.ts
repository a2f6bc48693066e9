/**
 * Random conditions and orders over hostile rows: the query that a store runs, the evaluator, the
 * reference, and where CEL has the same an independent implementation of it, all agree.
 */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { run as oracle } from "@bufbuild/cel";
import { type Code, check, noFacts, rename } from "../../../src/expr/index.ts";
import { ROW, Scope } from "../../../src/run/context/activation.ts";
import { EvaluationFault } from "../../../src/run/evaluate/index.ts";
import type { Row, Value } from "../../../src/run/ports/index.ts";
import { compileIn, findRows } from "../../../src/run/query/expression.ts";
import { Random } from "../../histories/random.ts";
import { testSeed } from "../../random.ts";
import { evaluate, type Host } from "../../reference/evaluate.ts";
import { compareNull } from "../../reference/timers.ts";
import { Fault, type Value as Plain, type Ref } from "../../reference/values.ts";
import { celConditionOf, conditionOf, orderOf } from "./conditions.ts";
import { environment, frameOn, GIVEN, givenValues, model, openStores, plan } from "./hostile.ts";

const seed = testSeed;
const RUNS = Number(process.env["RUNS"] ?? 400);
const random = new Random(seed);
const stores = openStores(random, 60);
const { sqlite, memory, people } = stores;
after(() => stores.close());

/** The rows as the reference reads them. */
const host: Host = {
  rows: (resource) => memory.all(resource).map(({ key }) => ({ resource, key })),
  field: ({ resource, key }, name) => {
    const at = plan.resources
      .find((one) => one.name === resource)
      ?.fields.findIndex((one) => one.name === name);
    return plain(resource, name, memory.get(resource, key)?.values[at ?? -1]);
  },
  meetThere: () => {},
  meetMore: () => {},
  see: () => {},
  token: () => "",
  named: (_, value) => value,
  part: (_, given) => given,
};

function plain(resource: string, name: string, value: Value): Plain {
  const type = plan.resources
    .find((one) => one.name === resource)
    ?.fields.find((one) => one.name === name)?.type.type;
  if (type?.kind === "reference" && typeof value === "number")
    return { resource: type.resource, key: value };
  return value as Plain;
}

function asRef(value: Value): Plain {
  const row = value as Row | null;
  return typeof row === "object" && row !== null && "resource" in row ? ref(row) : (value as Plain);
}

const ref = ({ resource, key }: Row): Ref => ({ resource, key });

/** Keys of rows, or that there is a fault. */
type Found = readonly number[] | "fault";

function outcome(run: () => readonly number[]): Found {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof EvaluationFault || thrown instanceof Fault) return "fault";
    throw thrown;
  }
}

interface Case {
  readonly text: string;
  readonly code: Code;
  readonly given: Readonly<Record<string, Value>>;
}

/** A case of a text that is made anew where the checker knows that literals can never be equal. */
function makeCase(make: (random: Random) => string): Case {
  for (;;) {
    const text = make(random);
    const { code, problems } = check(text, environment, noFacts());
    if (problems.some((one) => /^never equal/i.test(one.message))) continue;
    assert.ok(code, `${text}: ${JSON.stringify(problems)}`);
    return { text, code, given: givenValues(random, people) };
  }
}

const shown = ({ text, given }: Case): string =>
  `SEED=${seed}: ${text}\n${JSON.stringify(given, (_, value: unknown) => (typeof value === "bigint" ? `${value}n` : value))}`;

/** What each side makes of a condition; `is`: whether the store ran the whole query. */
function sides(one: Case): {
  readonly by: Readonly<Record<string, Found>>;
  readonly pushed: boolean;
} {
  const scope = new Scope(model);
  for (const name of GIVEN.keys()) scope.slot(name);
  const finder = findRows(scope, "Thing", [one.code]);
  const judge = compileIn(scope, rename(one.code, ROW, "it"));
  const [onFile, inMemory] = [frameOn(sqlite, scope, one.given), frameOn(memory, scope, one.given)];
  const names = new Map(Object.entries(one.given).map(([name, value]) => [name, asRef(value)]));
  names.set("now", 0n);
  const keys = (rows: readonly Row[]): readonly number[] => rows.map((row) => row.key);
  const ready = finder.ready(onFile);
  return {
    pushed: ready !== "in memory" && ready !== "never",
    by: {
      query: outcome(() => keys(finder.rows(onFile))),
      "query in memory": outcome(() => keys(finder.rows(inMemory))),
      count: outcome(() => [Number(finder.count(onFile))]),
      evaluator: outcome(() =>
        keys(
          memory.all("Thing").filter((row) => {
            inMemory.set(scope.slot("it"), row);
            return judge(inMemory) === true;
          }),
        ),
      ),
      reference: outcome(() =>
        keys(
          memory
            .all("Thing")
            .filter(
              (row) => evaluate(one.code, new Map([...names, ["it", ref(row)]]), host) === true,
            ),
        ),
      ),
    },
  };
}

test(`${RUNS} random conditions find the same rows by a query, the evaluator and the reference (seed ${seed})`, () => {
  const counts = { pushed: 0, faults: 0, some: 0 };
  for (let i = 0; i < RUNS; i++) {
    const one = makeCase(conditionOf);
    const { by, pushed } = sides(one);
    const { reference = [] } = by;
    for (const name of ["query", "query in memory", "evaluator"]) {
      assert.deepEqual(by[name], reference, `${name}: ${shown(one)}`);
    }
    if (reference !== "fault") assert.deepEqual(by["count"], [reference.length], shown(one));
    if (pushed) counts.pushed++;
    if (reference === "fault") counts.faults++;
    else if (reference.length > 0 && reference.length < 59) counts.some++;
  }
  console.log(
    `pushed down ${counts.pushed}, faults ${counts.faults}, neither none nor all ${counts.some}`,
  );
  assert.ok(
    counts.pushed > RUNS / 10 && counts.faults > 0 && counts.some > RUNS / 5,
    JSON.stringify(counts),
  );
});

test(`${RUNS / 4} random orders are the same in both stores and the reference (seed ${seed})`, () => {
  for (let i = 0; i < RUNS / 4; i++) {
    const cases = Array.from({ length: 1 + random.below(2) }, () => makeCase(orderOf));
    const given = cases[0]?.given ?? {};
    const descending = cases.map(() => random.chance(0.5));
    const scope = new Scope(model);
    for (const name of GIVEN.keys()) scope.slot(name);
    const finder = findRows(scope, "Thing", []).ordered(
      cases.map(({ code }, at) => ({
        by: rename(code, "it", ROW),
        descending: descending[at] ?? false,
      })),
    );
    const [onFile, inMemory] = [frameOn(sqlite, scope, given), frameOn(memory, scope, given)];
    const names = new Map([
      ...Object.entries(given).map(([name, value]) => [name, asRef(value)] as const),
      ["now", 0n] as const,
    ]);
    const order = (a: readonly Plain[], b: readonly Plain[]): number => {
      for (const [at, down] of descending.entries()) {
        const sign = compareNull(a[at], b[at]);
        if (sign !== 0) return down ? -sign : sign;
      }
      return 0;
    };
    const about = `SEED=${seed}: ${cases.map((one) => one.text).join(" then ")} ${descending.join()}`;
    const keys = new Map<number, readonly Plain[]>();
    const reference = outcome(() =>
      memory.all("Thing").map((row) => {
        keys.set(
          row.key,
          cases.map(({ code }) => evaluate(code, new Map([...names, ["it", ref(row)]]), host)),
        );
        return row.key;
      }),
    );
    const slice = { offset: BigInt(random.below(20)), limit: BigInt(random.below(20)) };
    for (const activation of [onFile, inMemory]) {
      const found = outcome(() => finder.rows(activation).map((row) => row.key));
      if (reference === "fault" || found === "fault") {
        assert.equal(found, reference, about);
        continue;
      }
      // Rows that are alike in all keys stay in a free order, the same for all pages.
      assert.deepEqual(
        [...found].sort((a, b) => a - b),
        reference,
        about,
      );
      found.forEach((key, at) => {
        const before = keys.get(found[at - 1] ?? key) ?? [];
        assert.ok(
          order(before, keys.get(key) ?? []) <= 0,
          `${about}: ${found[at - 1]} before ${key}`,
        );
      });
      const page = finder.rows(activation, slice).map((row) => row.key);
      assert.deepEqual(
        page,
        found.slice(Number(slice.offset), Number(slice.offset + slice.limit)),
        about,
      );
    }
  }
});

/** Fields and names that are compared with CEL; the other implementation has no members that are null. */
const CEL_FIELDS = new Set([
  "name",
  "big",
  "small",
  "rate",
  "note",
  "flag",
  "kind",
  "tags",
  "marks",
  "owner",
]);
const CEL_NAMES = ["text", "number", "maybe", "texts", "numbers", "rate", "flag"];

/** Whether a value is one in CEL too; `ordered`: texts may be put in order. */
function isCommon(value: Value, ordered: boolean): boolean {
  if (typeof value === "bigint") return value < 2n ** 63n && value >= -(2n ** 63n);
  // The other implementation orders by UTF-16 units.
  if (typeof value === "string") return !ordered || !/[\ud800-\uffff]/.test(value);
  return (
    !Array.isArray(value) || (value as readonly Value[]).every((one) => isCommon(one, ordered))
  );
}

/** A row as CEL has it; undefined: it holds what CEL does not have. */
function forCel(row: Row, ordered: boolean): ReadonlyMap<string, unknown> | undefined {
  const { fields = [] } = plan.resources.find((one) => one.name === "Thing") ?? {};
  const made = new Map<string, unknown>();
  for (const [at, { name }] of fields.entries()) {
    const found = row.values[at];
    if (found === undefined || !CEL_FIELDS.has(name)) continue;
    const value = name === "owner" ? memory.get("Person", found as number)?.values[0] : found;
    if (!isCommon(value, ordered)) return undefined;
    made.set(name, name === "owner" ? new Map([["name", value]]) : value);
  }
  return made;
}

/** What the other implementation says; undefined: an error. */
function official(text: string, names: Readonly<Record<string, unknown>>): boolean | undefined {
  try {
    const found = oracle(text, names as Parameters<typeof oracle>[1]);
    return typeof found === "boolean" ? found : undefined;
  } catch {
    return undefined;
  }
}

function commonCase(): Case & { readonly ordered: boolean } {
  const { text, code } = makeCase(celConditionOf);
  const ordered = /[<>]/.test(text);
  let given = givenValues(random, people);
  while (!CEL_NAMES.every((name) => isCommon(given[name], ordered)))
    given = givenValues(random, people);
  return { text, code, given, ordered };
}

test(`${RUNS / 4} random conditions in common with CEL hold where @bufbuild/cel says so (seed ${seed})`, () => {
  const judged = { same: 0, faults: 0, beyond: 0 };
  for (let i = 0; i < RUNS / 4; i++) {
    const one = commonCase();
    const names = new Map(Object.entries(one.given).map(([name, value]) => [name, asRef(value)]));
    const shared = Object.fromEntries(CEL_NAMES.map((name) => [name, one.given[name]]));
    for (const row of memory.all("Thing")) {
      const it = forCel(row, one.ordered);
      if (it === undefined) continue;
      const ours = outcome(() =>
        evaluate(one.code, new Map([...names, ["it", ref(row)]]), host) === true ? [1] : [],
      );
      const theirs = official(one.text, { ...shared, it });
      // Past 64 bits CEL has an error where the language still has a value, and past the greatest
      // number it has the infinite where the language has a fault.
      if (theirs === undefined || (ours === "fault" && /rate|e\d/.test(one.text))) {
        if (ours === "fault") judged.faults++;
        else judged.beyond++;
        continue;
      }
      assert.equal(
        ours === "fault" ? ours : ours.length === 1,
        theirs,
        `${shown(one)}\n` +
          JSON.stringify([...it], (__, value: unknown) =>
            typeof value === "bigint" ? `${value}n` : value,
          ),
      );
      judged.same++;
    }
  }
  console.log(
    `the same ${judged.same}, errors on both sides ${judged.faults}, errors of CEL alone ${judged.beyond}`,
  );
  assert.ok(
    judged.same > 2 * judged.faults && judged.same > 10 * judged.beyond && judged.same > RUNS,
    JSON.stringify(judged),
  );
});
