import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import {
  check,
  type Environment,
  type Member,
  noFacts,
  rename,
  type Type,
} from "../../src/expr/index.ts";
import { Activation, ROW, Scope } from "../../src/run/context/activation.ts";
import { fieldType } from "../../src/run/context/field-type.ts";
import { modelOf } from "../../src/run/context/model.ts";
import { Transaction } from "../../src/run/context/transaction.ts";
import type { Row, Value } from "../../src/run/ports/index.ts";
import { compileIn, findRows } from "../../src/run/query/expression.ts";
import { MemorySession, openStore, type SqliteSession } from "../../src/store/index.ts";
import { digest } from "./digest.ts";
import { document } from "./document.ts";
import { planOf } from "./service.ts";

/** Conditions over `it` (a Thing) and the names of `GIVEN`; each is pushed down or not. */
const PUSHED = [
  `it.name == text`,
  `it.name != text`,
  `it.name < text`,
  `it.name >= text`,
  `it.name == "100%"`,
  `it.name.contains(text)`,
  `it.name.startsWith(text)`,
  `it.name.endsWith("%")`,
  `!it.name.contains("_")`,
  `it.big == number`,
  `it.big < number`,
  `it.big >= 9007199254740993`,
  `it.big != number`,
  `it.small == number`,
  `it.small > number`,
  `!(it.small <= number)`,
  `it.small != number`,
  `it.price == 1.10`,
  `it.price < 0.00`,
  `it.rate == 1e0`,
  `it.rate < 1.5e0`,
  `it.note == null`,
  `it.note != null`,
  `it.note == text`,
  `it.note != text`,
  `it.note != null && it.note < text`,
  `it.note == null || it.note >= text`,
  `!(it.note != null && it.note == text)`,
  `it.note == maybe`,
  `it.note != maybe`,
  `has(it.extra)`,
  `!has(it.extra)`,
  `has(it.extra) && it.extra == null`,
  `has(it.extra) && it.extra != null && it.extra == text`,
  `has(it.extra) ? it.name == text : it.small > 0`,
  `it.flag`,
  `!it.flag`,
  `it.flag == (number > 1)`,
  `it.kind == "a"`,
  `it.kind in ["b", "c"]`,
  `it.name in texts`,
  `!(it.small in [1, 2])`,
  `it.small in numbers`,
  `!(it.small in numbers)`,
  `it.when < moment`,
  `it.when == moment`,
  `text in it.tags`,
  `!(text in it.tags)`,
  `"" in it.tags`,
  `it.name in it.tags`,
  `it.owner == who`,
  `it.owner != who`,
  `it.parent == null`,
  `it.parent != null`,
  `it.parent == it.owner`,
  `it.parent != null && it.parent.name == text`,
  `it.owner.name == text`,
  `it.owner.boss != null && it.owner.boss.name > text`,
  `people.exists(p, p.name == it.name)`,
  `people.exists(p, p == it.owner && p.name == text)`,
  `!people.exists(p, p.boss == it.owner)`,
  `people.all(p, p.boss == null || p.boss != it.owner)`,
  `people.exists_one(p, p.name == it.name)`,
  `people.exists(p, p.boss == it.parent)`,
  `size(people.filter(p, p.boss == it.owner)) > 1`,
  `size(things.filter(t, t.owner == it.owner)) == 1`,
  `things.exists(t, t.owner == it.owner && t != it && t.name in texts)`,
  `people.exists(p, p.name == text && p == it.owner)`,
  `number > 0 || it.flag`,
  `number > 0 && it.flag`,
  `maybe != null && it.name == maybe`,
  `maybe == null || it.name != maybe`,
  `number > 0 ? it.flag : it.small == 0`,
] as const;

/** Conditions for which no SQL has exactly the meaning: they run in memory. */
const KEPT = [
  `size(it.name) == 2`,
  `it.small + 1 > number`,
  `it.tags == []`,
  `size(it.tags) == 0`,
  `it.name + "!" == text`,
  `it.small * it.small > number`,
  `it.tags.exists(t, t < text)`,
] as const;

const DOCUMENT = document({
  resources: `### \`Person\`, many \`people\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | none |
| \`boss\` | \`Person\` or null | no | no | yes | starts \`null\`; set to null when it is deleted |
| \`number\` | integer | no | no | yes | key; unique, else \`taken\`; counts up from 1 |

### \`Thing\`, many \`things\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | none |
| \`big\` | integer | required | no | yes | none |
| \`small\` | integer | required | no | yes | -1000000 to 9007199254740995 |
| \`price\` | decimal 2 | required | no | yes | none |
| \`rate\` | number | required | no | yes | none |
| \`note\` | string or null | required | no | yes | none |
| \`extra\` | string or null or absent | optional | no | yes | none |
| \`flag\` | boolean | required | no | yes | none |
| \`kind\` | one of \`a\`, \`b\`, \`c\` | required | no | yes | none |
| \`when\` | timestamp | required | no | yes | none |
| \`tags\` | list of string | required | no | yes | in the order given |
| \`owner\` | \`Person\` | no | no | yes | deleted with it |
| \`parent\` | \`Person\` or null | no | no | yes | set to null when it is deleted |`,
  states: "- No states: `Person`, `Thing`",
  endpoints: `### \`GET /things\`

1. Let \`found\` be every \`Thing\` where \`"x" in it.tags\`.
2. Respond \`204\` with no body.`,
});

const plan = planOf(DOCUMENT);
const model = modelOf(plan, {});
const GIVEN: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["it", { kind: "row", resource: "Thing" }],
  ["text", { kind: "string" }],
  ["number", { kind: "integer" }],
  ["moment", { kind: "timestamp" }],
  ["maybe", { kind: "nullable", of: { kind: "string" } }],
  ["texts", { kind: "list", of: { kind: "string" } }],
  ["numbers", { kind: "list", of: { kind: "integer" } }],
  ["who", { kind: "row", resource: "Person" }],
]);

function members(resource: string): ReadonlyMap<string, Member> {
  const info = model.info(resource);
  return new Map(
    info.fields.map((field): [string, Member] => {
      const absent = field.type.orAbsent;
      const isList = field.type.type.kind === "list";
      const found = fieldType(info, field.name);
      const type: Type = isList
        ? { kind: "list", of: { kind: "string" } }
        : !field.type.orNull && found.kind === "nullable"
          ? found.of
          : found;
      return [field.name, { type, absent }];
    }),
  );
}

const environment: Environment = {
  names: GIVEN,
  collections: new Map([
    ["people", "Person"],
    ["things", "Thing"],
  ]),
  members: (type) => (type.kind === "row" ? members(type.name) : undefined),
};

const seed = Number(process.env["SEED"] ?? 20261121);
let state = seed >>> 0;
function below(count: number): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
}
function oneOf<T>(values: readonly T[]): T {
  return values[below(values.length)] as T;
}

const TEXTS = [
  "",
  "a",
  "A",
  "ä",
  "100%",
  "100_",
  "_",
  "%",
  "\u{1F600}",
  "\uFFFD",
  "a\u0000b",
  "x",
  "\u{10FFFF}z",
  "\uE000",
  "null",
  "'",
  '"',
];
const BIG = [
  0n,
  1n,
  -1n,
  9007199254740992n,
  9007199254740993n,
  -9007199254740993n,
  2n ** 63n,
  -(2n ** 63n),
  2n ** 64n,
  10n ** 38n - 1n,
  1n - 10n ** 38n,
];
const SMALL = [0n, 1n, 2n, -1n, 9007199254740993n, 9007199254740992n];

function thing(people: readonly Row[]): Value[] {
  const tags = Array.from({ length: below(4) }, () => oneOf(TEXTS));
  return [
    oneOf(TEXTS),
    oneOf(BIG),
    oneOf(SMALL),
    oneOf([0n, 110n, -1n, 10n ** 37n]),
    oneOf([0, 1, 1.5, -1e300, 5e-324]),
    oneOf([null, ...TEXTS]),
    oneOf([undefined, null, ...TEXTS]),
    below(2) === 1,
    oneOf(["a", "b", "c"]),
    oneOf([0n, -62135596800000000n, 1n]),
    tags,
    oneOf(people).key,
    oneOf([null, ...people.map((one) => one.key)]),
  ];
}

const folder = mkdtempSync(join(tmpdir(), "lacuna-pushdown-"));
const sqlite = openStore(plan, { store: { file: join(folder, "store.db") }, mode: "write" });
const memory = new MemorySession(plan);
after(() => {
  sqlite.close();
  rmSync(folder, { recursive: true });
});

/** The same rows in both stores. */
function fill(): readonly Row[] {
  const both = [sqlite.session, memory];
  const names = [...TEXTS, "boss"];
  names.forEach((name, i) => {
    const boss = i === 0 || below(3) === 0 ? null : 1 + below(i);
    for (const session of both) session.insert("Person", [name, boss, BigInt(i + 1)]);
  });
  const people = memory.all("Person");
  for (let i = 0; i < 120; i++) {
    const values = thing(people);
    for (const session of both) session.insert("Thing", values);
  }
  // A row that is gone takes its place in no list, and its items with it.
  for (const session of both) session.delete("Thing", 7);
  return people;
}

sqlite.begin("write");
const people = fill();
sqlite.commit();

function given(activation: Activation, scope: Scope): void {
  const values: Record<string, Value> = {
    text: oneOf(TEXTS),
    number: oneOf([...BIG, ...SMALL]),
    moment: oneOf([0n, 1n]),
    maybe: oneOf([null, ...TEXTS]),
    who: oneOf(people),
    texts: Array.from({ length: below(4) }, () => oneOf(TEXTS)),
    numbers: Array.from({ length: below(4) }, () => oneOf([...BIG, ...SMALL])),
  };
  for (const [name, value] of Object.entries(values)) activation.set(scope.slot(name), value);
}

function frameOn(session: MemorySession | SqliteSession, scope: Scope): Activation {
  const random = (): Uint8Array => new Uint8Array();
  const ambient = { now: 0n, random, digest, hooks: {}, settings: new Map() };
  return new Activation(scope, new Transaction({ model, session, ambient }));
}

for (const text of [...PUSHED, ...KEPT]) {
  test(`\`${text}\` finds the same rows by a query and in memory (seed ${seed})`, () => {
    const { code, problems } = check(text, environment, noFacts());
    assert.ok(code, JSON.stringify(problems));
    const scope = new Scope(model);
    for (const name of GIVEN.keys()) scope.slot(name);
    const finder = findRows(scope, "Thing", [code]);
    // The evaluator alone, row by row: nothing of it goes through a query in memory.
    const judge = compileIn(scope, rename(code, ROW, "it"));
    const session = sqlite.session as SqliteSession;
    for (let round = 0; round < 8; round++) {
      const [pushed, plain] = [frameOn(session, scope), frameOn(memory, scope)];
      given(plain, scope);
      for (let slot = 2; slot < plain.values.length; slot++) pushed.set(slot, plain.values[slot]);
      const ready = finder.ready(pushed);
      if (ready !== "never") {
        assert.equal(ready === "in memory", (KEPT as readonly string[]).includes(text));
      }
      const expected = memory
        .all("Thing")
        .filter((row) => {
          plain.set(scope.slot("it"), row);
          return judge(plain) === true;
        })
        .map((row) => row.key);
      const keys = finder.rows(pushed).map((row) => row.key);
      assert.deepEqual(keys, expected);
      assert.equal(finder.count(pushed), BigInt(expected.length));
      assert.equal(finder.exists(pushed), expected.length > 0);
      assert.deepEqual(
        finder.rows(plain).map((row) => row.key),
        expected,
      );
    }
  });
}

for (const [by, descending] of [
  ["name", false],
  ["name", true],
  ["note", false],
  ["note", true],
  ["big", true],
  ["small", false],
  ["price", false],
  ["rate", true],
  ["when", false],
] as const) {
  test(`ordered by ${by} ${descending ? "descending" : "ascending"}: alike in both stores`, () => {
    const scope = new Scope(model);
    const { code } = check(`it.${by}`, environment, noFacts());
    assert.ok(code);
    const keys = [{ by: rename(code, "it", ROW), descending }];
    const finder = findRows(scope, "Thing", []).ordered(keys);
    for (const slice of [undefined, { offset: 10n, limit: 25n }, { offset: 2n ** 70n }]) {
      const [a, b] = [sqlite.session as SqliteSession, memory].map((session) =>
        finder.rows(frameOn(session, scope), slice).map((row) => row.key),
      );
      assert.deepEqual(a, b);
      if (slice === undefined) assert.equal(a?.length, 119);
    }
  });
}

test("different items come in the order in which they are first met", () => {
  const seen = new Set(memory.all("Thing").flatMap((row) => row.values[10] as string[]));
  assert.deepEqual(sqlite.session.differentItems("Thing", "tags"), [...seen]);
});
