/** Two resources with hostile rows, the same in a SQLite file and in memory; names that conditions use. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Environment, Member, Type } from "../../../src/expr/index.ts";
import { Activation, type Scope } from "../../../src/run/context/activation.ts";
import { fieldType } from "../../../src/run/context/field-type.ts";
import { modelOf } from "../../../src/run/context/model.ts";
import { Transaction } from "../../../src/run/context/transaction.ts";
import type { Row, Value } from "../../../src/run/ports/index.ts";
import { MemorySession, openStore, type SqliteSession } from "../../../src/store/index.ts";
import type { Random } from "../../histories/random.ts";
import { digest } from "../digest.ts";
import { document } from "../document.ts";
import { planOf } from "../service.ts";

export const DOCUMENT = document({
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
| \`parent\` | \`Person\` or null | no | no | yes | set to null when it is deleted |
| \`marks\` | list of integer | required | no | yes | in the order given |
| \`day\` | date | required | no | yes | none |
| \`span\` | duration | required | no | yes | none |
| \`rank\` | integer or null | required | no | yes | none |
| \`area\` | time zone | required | no | yes | none |
| \`seen\` | timestamp or null | required | no | yes | none |
| \`cost\` | decimal 3 or null | required | no | yes | none |`,
  states: "- No states: `Person`, `Thing`",
  endpoints: `### \`GET /things\`

1. Let \`found\` be every \`Thing\` where \`"x" in it.tags\`.
2. Respond \`204\` with no body.`,
});

export const plan = planOf(DOCUMENT);
export const model = modelOf(plan, {});

const nullable = (of: Type): Type => ({ kind: "nullable", of });
const TEXT: Type = { kind: "string" };

/** Names besides `it` that a condition may use, as those of a request. */
export const GIVEN: ReadonlyMap<string, Type> = new Map<string, Type>([
  ["it", { kind: "row", resource: "Thing" }],
  ["text", TEXT],
  ["number", { kind: "integer" }],
  ["moment", { kind: "timestamp" }],
  ["maybe", nullable(TEXT)],
  ["texts", { kind: "list", of: TEXT }],
  ["numbers", { kind: "list", of: { kind: "integer" } }],
  ["who", { kind: "row", resource: "Person" }],
  ["price", { kind: "decimal", places: 2 }],
  ["rate", { kind: "number" }],
  ["flag", { kind: "boolean" }],
  ["someone", nullable({ kind: "row", resource: "Person" })],
  ["n", nullable({ kind: "integer" })],
]);

function members(resource: string): ReadonlyMap<string, Member> {
  const info = model.info(resource);
  return new Map(
    info.fields.map((field): [string, Member] => {
      const found = fieldType(info, field.name);
      const { kind } = field.type.type;
      const type: Type =
        kind === "list"
          ? { kind: "list", of: field.name === "tags" ? TEXT : { kind: "integer" } }
          : !field.type.orNull && found.kind === "nullable"
            ? found.of
            : found;
      return [field.name, { type, absent: field.type.orAbsent }];
    }),
  );
}

export const environment: Environment = {
  names: GIVEN,
  collections: new Map([
    ["people", "Person"],
    ["things", "Thing"],
  ]),
  members: (type) => (type.kind === "row" ? members(type.name) : undefined),
};

export const TEXTS = [
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
  "\\",
  "1e\u0301",
  "12",
  "İ",
  "a\nb",
  "-7",
];
const BIG = [
  0n,
  1n,
  -1n,
  9007199254740992n,
  9007199254740993n,
  -9007199254740993n,
  2n ** 63n - 1n,
  2n ** 63n,
  -(2n ** 63n),
  2n ** 64n,
  10n ** 38n - 1n,
  1n - 10n ** 38n,
];
const SMALL = [0n, 1n, 2n, -1n, 9007199254740993n, 9007199254740992n];
const PRICES = [0n, 110n, -1n, 10n ** 37n, 2n ** 63n + 1n, -(10n ** 38n) + 1n];
const RATES = [0, 1, 1.5, -1e300, 5e-324, 1.7976931348623157e308, -0.25, 9007199254740992];
const MOMENTS = [0n, 1n, -62135596800000000n, 253402300799999999n, 1_774_737_000_000_000n];
const SPANS = [0n, 1n, -1n, 86_400_000_000n, 315_576_000_000_000_000n];
const DAYS = ["0001-01-01", "9999-12-31", "2024-02-29", "1969-12-31"];
const ZONES = ["UTC", "Europe/Berlin", "America/St_Johns"];

function some<T>(random: Random, items: readonly T[]): T[] {
  return Array.from({ length: random.below(4) }, () => random.pick(items));
}

function thing(random: Random, people: readonly Row[]): Value[] {
  const pick = <T>(items: readonly T[]): T => random.pick(items);
  return [
    pick(TEXTS),
    pick(BIG),
    pick(SMALL),
    pick(PRICES),
    pick(RATES),
    pick([null, ...TEXTS]),
    pick([undefined, undefined, null, ...TEXTS]),
    random.chance(0.5),
    pick(["a", "b", "c"]),
    pick(MOMENTS),
    some(random, TEXTS),
    pick(people).key,
    pick([null, null, ...people.map((one) => one.key)]),
    some(random, [...SMALL, ...BIG]),
    pick(DAYS),
    pick(SPANS),
    pick([null, ...BIG]),
    pick(ZONES),
    pick([null, ...MOMENTS]),
    pick([null, ...PRICES]),
  ];
}

/** Values for the names of `GIVEN` but `it`. */
export function givenValues(
  random: Random,
  people: readonly Row[],
): Readonly<Record<string, Value>> {
  return {
    text: random.pick(TEXTS),
    number: random.pick([...BIG, ...SMALL]),
    moment: random.pick(MOMENTS),
    maybe: random.pick([null, ...TEXTS]),
    texts: some(random, TEXTS),
    numbers: some(random, [...SMALL, ...BIG]),
    who: random.pick(people),
    price: random.pick(PRICES),
    rate: random.pick(RATES),
    flag: random.chance(0.5),
    someone: random.pick([null, ...people]),
    n: random.pick([null, ...BIG]),
  };
}

export interface Stores {
  readonly sqlite: SqliteSession;
  readonly memory: MemorySession;
  readonly people: readonly Row[];
  close(): void;
}

/** Both stores with the same rows, some of them gone again. */
export function openStores(random: Random, count: number): Stores {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-rows-"));
  const store = openStore(plan, { store: { file: join(folder, "store.db") }, mode: "write" });
  const sqlite = store.session as SqliteSession;
  const memory = new MemorySession(plan);
  const both = [sqlite, memory];
  store.begin("write");
  [...TEXTS, "boss", "a"].forEach((name, i) => {
    const boss = i === 0 || random.chance(0.3) ? null : 1 + random.below(i);
    for (const session of both) session.insert("Person", [name, boss, BigInt(i + 1)]);
  });
  // Somebody is gone: nothing that is left names them.
  const gone =
    memory
      .all("Person")
      .find((one, i) => i > 3 && !memory.all("Person").some((other) => other.values[1] === one.key))
      ?.key ?? 0;
  for (const session of both) session.delete("Person", gone);
  const people = memory.all("Person");
  for (let i = 0; i < count; i++) {
    const values = thing(random, people);
    for (const session of both) session.insert("Thing", values);
  }
  for (const session of both) {
    session.delete("Thing", 7);
    session.update("Thing", 9, memory.get("Thing", 10)?.values ?? []);
  }
  store.commit();
  return {
    sqlite,
    memory,
    people,
    close: () => {
      store.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A frame of a unit over one of the stores, with the names given. */
export function frameOn(
  session: MemorySession | SqliteSession,
  scope: Scope,
  given: Readonly<Record<string, Value>>,
): Activation {
  const random = (): Uint8Array => new Uint8Array();
  const ambient = { now: 0n, random, digest, hooks: {}, settings: new Map() };
  const activation = new Activation(scope, new Transaction({ model, session, ambient }));
  for (const [name, value] of Object.entries(given)) activation.set(scope.slot(name), value);
  return activation;
}
