/** Contract of queries: a store is not able to run one, or gives what going through rows gives. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Code, Type } from "../../../src/expr/index.ts";
import { callOf, nameOf } from "../../../src/expr/index.ts";
import type { Query, Row, Session, Slice, Value } from "../../../src/run/index.ts";
import type { Contender } from "./contender.ts";
import { hostileRow } from "./plan.ts";

const IT: Code = nameOf("it", { kind: "row", resource: "Row" });
const INTEGER: Type = { kind: "integer" };
const STRING: Type = { kind: "string" };

const field = (member: string, type: Type): Code => ({ op: "get", type, of: IT, member });
const SMALL = field("small", INTEGER);
const TEXT = field("TEXT", STRING);
const FLAG = field("flag", { kind: "boolean" });

/** Rows whose `small`, `TEXT` and `flag` are these. */
const LONG = Array.from({ length: 1_000 }, (_, i) => (i * 7_919 * 7_919) % 100_003).join(" ");
const ROWS: readonly (readonly [small: bigint, text: string, flag: boolean])[] = [
  [5n, "b", true],
  [1n, "a", false],
  [5n, "A", true],
  [0n, "\u{1F600}", true],
  [100n, "", false],
  [7n, "\uffff", true],
  [8n, `${LONG} b`, true],
  [9n, `${LONG} a`, true],
  [10n, LONG, false],
];
const SMALL_AT = 3;
const TEXT_AT = 1;
const FLAG_AT = 6;

interface Case {
  readonly query: Omit<Query, "id" | "resource" | "as">;
  readonly args: readonly Value[];
  /** The same in plain code. */
  readonly keeps: (row: Row) => boolean;
  readonly compare?: (a: Row, b: Row) => number;
}

const small = (row: Row): bigint => row.values[SMALL_AT] as bigint;
const text = (row: Row): string => row.values[TEXT_AT] as string;
const byNumber = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);
/** Order by code points. */
const byText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const CASES: Readonly<Record<string, Case>> = {
  everything: { query: { where: [], order: [] }, args: [], keeps: () => true },
  "equal to an argument": {
    query: { where: [callOf("==", SMALL, nameOf("$0", INTEGER))], order: [] },
    args: [5n],
    keeps: (row) => small(row) === 5n,
  },
  "equal to a long text": {
    query: { where: [callOf("==", TEXT, nameOf("$0", STRING))], order: [] },
    args: [`${LONG} a`],
    keeps: (row) => text(row) === `${LONG} a`,
  },
  "before a long text": {
    query: {
      where: [callOf("<", TEXT, nameOf("$0", STRING))],
      order: [{ by: TEXT, descending: true }],
    },
    args: [`${LONG} b`],
    keeps: (row) => byText(text(row), `${LONG} b`) < 0,
    compare: (a, b) => byText(text(b), text(a)),
  },
  "one of some long texts": {
    query: {
      where: [callOf("in", TEXT, nameOf("$0", { kind: "list", of: STRING }))],
      order: [{ by: TEXT, descending: false }],
    },
    args: [[`${LONG} b`, "a", `${LONG} a`, `${LONG} c`]],
    keeps: (row) => ["a", `${LONG} a`, `${LONG} b`].includes(text(row)),
    compare: (a, b) => byText(text(a), text(b)),
  },
  "greater than an argument beyond 64 bits": {
    query: { where: [callOf(">", SMALL, nameOf("$0", INTEGER))], order: [] },
    args: [-(10n ** 30n)],
    keeps: () => true,
  },
  "two conditions, by text descending": {
    query: {
      where: [FLAG, callOf(">=", SMALL, nameOf("$0", INTEGER))],
      order: [{ by: TEXT, descending: true }],
    },
    args: [1n],
    keeps: (row) => row.values[FLAG_AT] === true && small(row) >= 1n,
    compare: (a, b) => byText(text(b), text(a)),
  },
  "ordered by code points": {
    query: { where: [], order: [{ by: TEXT, descending: false }] },
    args: [],
    keeps: () => true,
    compare: (a, b) => byText(text(a), text(b)),
  },
  "equal rows by key, in the direction of the order": {
    query: { where: [], order: [{ by: SMALL, descending: true }] },
    args: [],
    keeps: () => true,
    compare: (a, b) => byNumber(small(b), small(a)) || b.key - a.key,
  },
};

const SLICES: readonly (Slice | undefined)[] = [
  undefined,
  { limit: 2n },
  { offset: 1n },
  { limit: 2n, offset: 1n },
  { limit: 0n },
  { limit: 10n ** 30n, offset: 10n ** 30n },
];

function sliced(rows: readonly Row[], { limit, offset = 0n }: Slice = {}): readonly Row[] {
  const bounded = (count: bigint): number => Number(count > 99n ? 99n : count);
  const from = bounded(offset);
  return rows.slice(from, limit === undefined ? undefined : from + bounded(limit));
}

function filled(session: Session): readonly Row[] {
  for (const [number, word, flag] of ROWS) {
    const values = hostileRow();
    values[SMALL_AT] = number;
    values[TEXT_AT] = word;
    values[FLAG_AT] = flag;
    session.insert("Row", values);
  }
  return session.all("Row");
}

/** Tries the queries of a store. */
export function queriesContract(store: Contender): void {
  Object.entries(CASES).forEach(([name, { query: parts, args, keeps, compare }], i) => {
    test(`${store.name}: a query for rows, ${name}`, () => {
      const session = store.open();
      const query: Query = { id: 2 * i, resource: "Row", as: "it", ...parts };
      const all = filled(session);
      const kept = all.filter(keeps);
      const wanted = compare === undefined ? kept : kept.toSorted(compare);
      assert.equal(session.able(query), store.runsQueries);
      if (!session.able(query)) {
        assert.equal(session.rows(query, args), undefined);
        assert.equal(session.count(query, args), undefined);
        assert.equal(session.exists(query, args), undefined);
        return;
      }
      for (const slice of SLICES) {
        assert.deepEqual(session.rows(query, args, slice), sliced(wanted, slice));
      }
      assert.equal(session.count(query, args), BigInt(wanted.length));
      assert.equal(session.exists(query, args), wanted.length > 0);
      const columns: Query = { ...query, id: 2 * i + 1, columns: [SMALL, TEXT] };
      assert.deepEqual(
        session.columns(columns, args),
        new Map(wanted.map((row) => [row.key, [small(row), text(row)]])),
      );
    });
  });
}
