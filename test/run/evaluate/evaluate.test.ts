/** The evaluator: the examples of every table, faults, rows and references, budgets, zones. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  check,
  functionTable,
  macroTable,
  noFacts,
  operatorTable,
} from "../../../src/expr/index.ts";
import type { Layout, Row, Source, Value } from "../../../src/run/evaluate/index.ts";
import { compareTexts, compile, EvaluationFault } from "../../../src/run/evaluate/index.ts";
import { environment, FIELDS, NAMES } from "../../expr/sample.ts";
import { testSeed } from "../../random.ts";
import { digest } from "../digest.ts";

const seed = testSeed;

const layout: Layout = {
  names: [...NAMES.keys()],
  fields: (resource) => [...(FIELDS.get(resource)?.keys() ?? [])],
};

const users: Row[] = [
  { resource: "User", key: 1, values: ["ann", "hash-of-ann", null] },
  { resource: "User", key: 2, values: ["bob", "hash-of-bob", 1] },
  { resource: "User", key: 3, values: ["cy", "hash-of-cy", 99] },
];

/** Values in the order of the fields of `Article` in the sample environment. */
function article(key: number, author: number | null, editor: number, tags: string[] = []): Row {
  const values: Value[] = [
    BigInt(key * 10),
    `T${key}`,
    author,
    editor,
    BigInt(key * 125),
    "draft",
    tags,
    1_700_000_000_000_000n,
    "2024-02-29",
    1.5,
    null,
  ];
  return { resource: "Article", key, values };
}

const articles = [article(1, 1, 2, ["a"]), article(2, null, 2, ["a", "b"]), article(3, 2, 1)];

/** Counts the rows that are loaded through references and read from collections. */
function countingSource() {
  const counts = { loaded: 0, read: 0 };
  const source: Source = {
    digest,
    get(resource, key) {
      counts.loaded++;
      return (resource === "User" ? users : articles).find((row) => row.key === key);
    },
    *all(resource) {
      for (const row of resource === "User" ? users : articles) {
        counts.read++;
        yield row;
      }
    },
    passwordMatches: (stored, secret) => stored === `hash-of-${secret}`,
    token: (row) => `token-${row.key}`,
  };
  return { source, counts };
}

const given: ReadonlyMap<string, Value> = new Map<string, Value>([
  ["it", articles[0]],
  ["caller", users[1]],
  [
    "query",
    new Map([
      ["tag", "a"],
      ["offset", null],
    ]),
  ],
  ["header", new Map()],
  ["now", 1_700_000_001_500_000n],
  ["found", null],
  ["counts", new Map([["a", 1n]])],
]);

function evaluate(text: string, source = countingSource().source, workMax = 10_000): Value {
  const { code, problems } = check(text, environment, noFacts());
  assert.ok(code, `${text}: ${JSON.stringify(problems)}`);
  return compile(code, layout)([...given.values()], source, workMax);
}

function holds(text: string): void {
  assert.equal(evaluate(text), true, text);
}

function faults(text: string, code: string): void {
  assert.throws(
    () => evaluate(text),
    (error) => error instanceof EvaluationFault && error.code === code,
    text,
  );
}

test("the example of every operator, function and macro is true", () => {
  const entries = [...operatorTable, ...functionTable, ...macroTable];
  const examples = entries.map((entry) => entry.example).filter((example) => example !== "");
  assert.equal(entries.length - examples.length, 2);
  for (const example of examples) holds(example);
});

test("every function is compiled for each of its forms", () => {
  const samples: Readonly<Record<string, string>> = {
    string: "it.title",
    integer: "it.id",
    number: "it.rating",
    boolean: "true",
    row: "caller",
    timestamp: "now",
    date: "it.due",
    duration: "(now - now)",
    secret: "caller.password",
    zone: "'UTC'",
    places: "2",
    rounding: "'down'",
    pattern: "'a'",
    count: "3",
    algorithm: "'sha1'",
    encoding: "'base64'",
    namespace: "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'",
    O: "it.id",
    T: "it.id",
    json: "it.id",
    "decimal(p)": "it.price",
    "decimal(q)": "1.5",
    "decimal(0)": "round_down(it.price, 0)",
  };
  const sampleOf = (pattern: string): string => {
    const outer = /^(list|map) of (.*)$/.exec(pattern);
    if (!outer)
      return samples[pattern.replace(/ or null$/, "")] ?? assert.fail(`no sample of ${pattern}`);
    const inner = sampleOf(outer[2] ?? "");
    return outer[1] === "list" ? `[${inner}]` : `{'a': ${inner}}`;
  };
  for (const { name, forms } of functionTable) {
    for (const { takes } of forms) {
      const text = `${name}(${takes.map(sampleOf).join(", ")})`;
      const { code, problems } = check(text, environment, noFacts());
      assert.ok(code, `${text}: ${JSON.stringify(problems)}`);
      try {
        const value = compile(code, layout)([...given.values()], countingSource().source, 1000);
        assert.notEqual(value, undefined, text);
      } catch (error) {
        assert.ok(error instanceof EvaluationFault, `${text}: ${String(error)}`);
        assert.match(`${name} ${error.code}`, /^(int|timestamp|duration|date) conversion/);
      }
    }
  }
});

test("references compare by key without being loaded, and are loaded by a dot", () => {
  const { source, counts } = countingSource();
  assert.equal(evaluate("it.editor == caller && it.author != caller", source), true);
  assert.equal(evaluate("articles.exists(a, a.author == caller)", source), true);
  assert.equal(counts.loaded, 0);
  assert.equal(evaluate("it.editor.username", source), "bob");
  assert.equal(counts.loaded, 1);
  holds("it in articles && is_unique(articles)");
  holds("distinct(articles.map(a, a.editor)).map(u, u.username) == ['bob', 'ann']");
  holds("[it.author, null] == [users[0], null]");
  holds("caller.manager != null && caller.manager.username == 'ann'");
  faults(
    "users.exists(u, u.username == 'cy' && u.manager != null && u.manager.username == 'x')",
    "missing-row",
  );
});

test("macros stop as soon as they can", () => {
  const { source, counts } = countingSource();
  assert.equal(evaluate("articles.exists(a, a.id == 10)", source), true);
  assert.equal(counts.read, 1);
});

test("objects hold null and absent apart, and no prototype", () => {
  holds("has(query.tag) && !has(query.limit) && has(query.offset)");
  holds("has(query.offset) && query.offset == null");
  holds("!has(header['if-match'])");
  holds("!has(counts.constructor) && !has(counts.__proto__) && !('toString' in counts)");
  holds("['__proto__'].group(x, x, 1) == {'__proto__': [1]}");
});

test("faults are typed", () => {
  const nines = "9".repeat(38);
  faults("it.id / 0", "division-by-zero");
  faults("it.id % (it.id - it.id)", "division-by-zero");
  faults("divide(1, 0, 2, 'down')", "division-by-zero");
  faults(`${nines} + 1`, "overflow");
  faults(`-${nines} - 1`, "overflow");
  faults(`${nines} * 10`, "overflow");
  faults(`sum([${nines}, 1])`, "overflow");
  faults("1e308 * 10e0", "overflow");
  faults("1e0 / 0e0", "division-by-zero");
  faults("timestamp('9999-12-31T23:59:59Z') + duration('1s')", "overflow");
  faults("add_days(date('9999-12-31'), 1)", "overflow");
  faults(`add_days(date('2000-01-01'), ${nines})`, "overflow");
  faults("int('1.5')", "conversion");
  faults("int('')", "conversion");
  faults(`int('${nines}9')`, "conversion");
  faults("timestamp(it.title) == now", "conversion");
  faults("[1][1]", "index");
  faults("[1][-1]", "index");
  faults("counts['b']", "index");
  faults("max(it.tags.filter(t, t == 'z'))", "index");
});

test("a slice is what of it is in the list", () => {
  holds("slice([1, 2, 3], -2, 2) == [1, 2]");
  holds("slice([1, 2, 3], 1, 99999999999999999999999999999999999999) == [2, 3]");
  holds("size(slice([1, 2, 3], 2, 1)) == 0 && size(slice([1], 7, 9)) == 0");
});

test("what may not be there is null, and guarded as such", () => {
  holds("at_or_null(articles, 0) != null && at_or_null(articles, 0).title == 'T1'");
  holds("at_or_null([null, 1], 0) == null && last_or_null([null, 1]) != null");
  holds("at_or_null(counts, 'a') == 1 && at_or_null(counts, 'b') == null");
  holds("first_or_null(articles.filter(a, a.id > 99)) == null");
  holds("positions(it.tags).map(i, it.tags[i]) == it.tags");
  holds("positions(it.tags).filter(i, i > 0).all(i, it.tags[i] != it.tags[i - 1])");
  const { problems } = check(
    "positions(articles).all(i, i > 9 || positions(it.tags).all(i, articles[i].id > 0))",
    { ...environment, guarded: true },
    noFacts(),
  );
  assert.deepEqual(
    problems.map(({ code }) => code),
    ["unguarded"],
  );
});

test("a fault on one side is absorbed where the other side decides", () => {
  holds("!(it.id / 0 == 1 && false) && (it.id / 0 == 1 || true)");
  holds("!(false && it.id / 0 == 1)");
  holds("[0, 1].exists(x, 1 / x == 1) && ![0, 2].all(x, 1 / x == 1)");
  faults("[0, 2].exists(x, 1 / x == 1)", "division-by-zero");
  faults("it.id / 0 == 1 && true", "division-by-zero");
  // The guard's fault must not let the guarded side decide with a missing value.
  faults("(it.id / 0 == 1 ? has(query.limit) : false) && query.limit == 5", "division-by-zero");
  faults("(it.id / 0 == 1 ? it.note != null : false) && size(it.note) == 5", "division-by-zero");
});

test("the work of an evaluation is bounded, and never absorbed", () => {
  const limited = (text: string, workMax: number) => () =>
    evaluate(text, countingSource().source, workMax);
  const twice = "articles.all(a, articles.all(b, a.id + b.id > 0))";
  assert.equal(limited(twice, 12)(), true);
  const tooMuch = (error: unknown) =>
    error instanceof EvaluationFault && error.code === "too-much-work";
  assert.throws(limited(twice, 11), tooMuch);
  assert.throws(limited(`${twice} || true`, 11), tooMuch);
  assert.throws(limited("[1, 2, 3] == [1, 2, 3]", 2), tooMuch);
  assert.throws(limited("[1, 2, 3] + [1, 2, 3] != []", 5), tooMuch);
  const grown = `${"replace(".repeat(12)}'aaaaaaaa'${", 'a', 'aaaaaaaaaaaaaaaa')".repeat(12)}`;
  assert.throws(
    limited(`size(${grown}) > 0`, 1_000_000),
    (error) => error instanceof EvaluationFault && /too-(large|much-work)/.test(error.code),
  );
});

test("decimals are exact, rounding as stated", () => {
  holds("0.1 + 0.2 == 0.3 && string(1.10 * 1.10) == '1.2100'");
  holds("it.price == 1.25 && it.price * 3 == 3.75 && -it.price == -1.25");
  holds(
    "[0.5, 1.5, 2.5, -0.5, -1.5].map(x, string(round_half_even(x, 0))) == ['0', '2', '2', '0', '-2']",
  );
  holds("[0.5, 1.5, -0.5, -1.49].map(x, string(round_half_up(x, 0))) == ['1', '2', '-1', '-1']");
  holds("[0.99, -0.99].map(x, string(round_down(x, 1))) == ['0.9', '-0.9']");
  holds("divide(2, 3, 3, 'half_up') == 0.667 && divide(-2, 3, 3, 'down') == -0.666");
  holds("divide(1.00, 0.03, 2, 'half_even') == 33.33 && string(round_down(1.0, 2) * 3) == '3.00'");
  holds("sum(articles.map(a, a.price)) == 7.50");
});

test("texts count and compare by code points", () => {
  holds("size('😀é') == 2 && '😀' > '\\uffee' && '\\uffee' < '😀'");
  holds("sorted(['😀', '\\uffee', 'a']) == ['a', '\\uffee', '😀']");
  console.log(`SEED=${seed}`);
  const text = fc.string({ unit: "binary", maxLength: 5 });
  fc.assert(
    fc.property(text, text, (a, b) => {
      const [x, y] = [[...a], [...b]].map((all) => all.map((c) => c.codePointAt(0) ?? 0));
      const order = (x ?? []).findIndex((point, i) => point !== y?.[i]);
      const wanted = order < 0 ? a.length - b.length : (x?.[order] ?? 0) - (y?.[order] ?? -1);
      assert.equal(Math.sign(compareTexts(a, b)), Math.sign(wanted), JSON.stringify([a, b]));
    }),
    { seed, numRuns: 2000 },
  );
});

test("SHA-256, tokens and passwords are what the host says", () => {
  holds("sha256(caller.password) == sha256('hash-of-bob')");
  holds("token(caller) == 'token-2' && !password_matches(caller.password, caller.password)");
});

test("zones: midnights that are missing or come twice", () => {
  const midnights: readonly [date: string, zone: string, instant: string][] = [
    ["2024-01-01", "UTC", "2024-01-01T00:00:00Z"],
    ["2024-07-01", "America/New_York", "2024-07-01T04:00:00Z"],
    // Clocks went from 00:00 to 01:00: the day begins at 01:00.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z"],
    // Clocks went from 01:00 back to 00:00: the first of two midnights.
    ["2021-10-31", "Atlantic/Azores", "2021-10-31T00:00:00Z"],
    // The whole day was left out.
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00Z"],
  ];
  for (const [date, zone, instant] of midnights) {
    holds(`start_of(date('${date}'), '${zone}') == timestamp('${instant}')`);
  }
  holds("date_of(timestamp('2011-12-30T10:00:00Z'), 'Pacific/Apia') == date('2011-12-31')");
  holds(
    "date_of(timestamp('2024-03-10T04:59:59.999999Z'), 'America/New_York') == date('2024-03-09')",
  );
  holds("timestamp('0001-01-01T00:00:00Z').getFullYear('-01:00') == 0");
  faults("date_of(timestamp('0001-01-01T00:00:00Z'), '-01:00') == it.due", "overflow");
});

test("start_of and date_of agree at random instants and zones", () => {
  const zones = Intl.supportedValuesOf("timeZone");
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      fc.integer({ min: 0, max: 2_000_000_000 }),
      (zone, at) => {
        const instant = `timestamp('${new Date(at * 1000).toISOString()}')`;
        const date = `date_of(${instant}, '${zone}')`;
        const start = `start_of(${date}, '${zone}')`;
        holds(`${start} <= ${instant} && date_of(${start}, '${zone}') == ${date}`);
        holds(`date_of(${start} - duration('1us'), '${zone}') < ${date}`);
        holds(`date_of(${instant} + duration('2d'), '${zone}') > ${date}`);
      },
    ),
    { seed, numRuns: 100 },
  );
});

test("groups keep the order in which keys and values come", () => {
  const groups = evaluate("['b1', 'a1', 'b2'].group(x, x.startsWith('b') ? 'b' : 'a', x)");
  assert.deepEqual(
    [...(groups as Map<string, Value>)],
    [
      ["b", ["b1", "b2"]],
      ["a", ["a1"]],
    ],
  );
});

test("nested macros keep their variables apart", () => {
  holds("[1, 2].map(x, [10, 20].map(y, x + y)) == [[11, 21], [12, 22]]");
  holds("[1, 2].map(x, [x, 5].filter(x, x > 1).map(y, x * y)) == [[5], [4, 10]]");
  holds("[1, 2].all(x, [x].exists(x, x > 0) && x < 3)");
});
