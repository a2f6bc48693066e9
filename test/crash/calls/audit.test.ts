/** The comparison of bookings finds every kind of disagreement, and none where all agree. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "./bookings.ts";
import { Bookings, disagreements, unsettled } from "./bookings.ts";
import type { Book, Done, Seal } from "./outside.ts";

interface Case {
  readonly bookings: Bookings;
  readonly rows: Row[];
  readonly books: Map<string, Book>;
  readonly cancelled: Set<string>;
  readonly seals: Map<string, Seal>;
}

/** One booking that stands, one that was refused and cancelled. */
function sound(): Case {
  const bookings = new Bookings();
  bookings.acknowledged.push("b1");
  bookings.refused.push("b10");
  return {
    bookings,
    rows: [{ tag: "b1", place: "p1", seal: "m1", status: "sealed" }],
    books: new Map([
      ["k1", { tag: "b1", place: "p1" }],
      ["k2", { tag: "b10", place: "p2" }],
      ["k3", { tag: "b3" }],
    ]),
    cancelled: new Set(["k2"]),
    seals: new Map([["s1", { tag: "b1", mark: "m1" }]]),
  };
}

function judged({ bookings, rows, books, cancelled, seals }: Case): string[] {
  const done: Done = { books, cancelled, seals, odd: [] };
  return [
    ...disagreements({ bookings, rows, before: done, after: done }),
    ...unsettled(rows, done),
  ];
}

const ROW: Row = { tag: "b1", place: "p1", seal: "m1", status: "sealed" };

const FAULTS: readonly (readonly [RegExp, (one: Case) => unknown])[] = [
  [/lost: booking b2/, ({ bookings }) => bookings.acknowledged.push("b2")],
  [/kept though refused: booking b1/, ({ bookings }) => bookings.refused.push("b1")],
  [/b1 has p1, which is not held/, ({ cancelled }) => cancelled.add("k1")],
  [/b1 has null, which is not held/, ({ rows }) => rows.splice(0, 1, { ...ROW, place: null })],
  [/p2 is held for b10 and was never cancelled/, ({ cancelled }) => cancelled.clear()],
  [/p9 is held for b1 /, ({ books }) => books.set("k9", { tag: "b1", place: "p9" })],
  [/b1 has m1, which nobody gave/, ({ seals }) => seals.clear()],
  [/half applied/, ({ rows }) => rows.splice(0, 1, { ...ROW, seal: null })],
  [
    /the seal of b1 never came/,
    ({ rows }) => rows.splice(0, 1, { ...ROW, seal: null, status: "made" }),
  ],
  [/sealed and not booked: b10/, ({ seals }) => seals.set("s2", { tag: "b10", mark: "m2" })],
  [/booked twice: b1/, ({ rows }) => rows.push(ROW)],
  [/sealed by two calls: b1/, ({ seals }) => seals.set("s2", { tag: "b1", mark: "m2" })],
];

test("bookings are compared with what was done outside", () => {
  assert.deepEqual(judged(sound()), []);
  for (const [expected, spoil] of FAULTS) {
    const one = sound();
    spoil(one);
    const faults = judged(one);
    assert.ok(
      faults.some((text) => expected.test(text)),
      `${expected}: ${faults.join("; ")}`,
    );
  }
});
