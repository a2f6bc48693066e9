/** A use of a named value is checked as what it is written out to, and no name is caught by it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  check,
  type Environment,
  type Member,
  type NamedValue,
  noFacts,
  parse,
  render,
  type Type,
} from "../../src/expr/index.ts";

const integer: Type = { kind: "integer" };
const room: Type = { kind: "row", resource: "Room" };

const members = (types: Readonly<Record<string, Type>>, absent = false): Map<string, Member> =>
  new Map(Object.entries(types).map(([name, type]) => [name, { type, absent }]));

const OBJECTS: Readonly<Record<string, ReadonlyMap<string, Member>>> = {
  Room: members({ size: integer, next: { kind: "nullable", of: room } }),
  Booking: members({ room, day: integer, note: { kind: "nullable", of: { kind: "string" } } }),
  query: members({ day: integer, list: { kind: "list", of: integer } }, true),
};

type Values = ReadonlyMap<string, NamedValue>;

function value(given: readonly string[], text: string): NamedValue {
  const { ast } = parse(text);
  assert.ok(ast);
  return { given, body: ast };
}

const VALUES: Values = new Map(
  Object.entries({
    busy: value(["room", "day"], "bookings.exists(b, b.room == room && b.day == day)"),
    free: value(["room"], "!bookings.exists(b, b.room == room && b.day == today)"),
    larger: value(["a", "b"], "a.size > b.size ? a : b"),
    shadow: value(["b"], "[1, 2].map(b, b + 1) + [b]"),
    day_of: value(["q"], "q.day"),
    nothing: value([], "today + 1"),
    twice: value(["x"], "[x, x]"),
  }),
);

const environment = (values: Values = VALUES): Environment => ({
  names: new Map<string, Type>([
    ["body", { kind: "object", name: "query" }],
    ["query", { kind: "object", name: "query" }],
    ["it", room],
    ["b", room],
    ["today", integer],
  ]),
  collections: new Map([
    ["bookings", "Booking"],
    ["rooms", "Room"],
  ]),
  members: ({ name }) => OBJECTS[name],
  guarded: true,
  values,
});

const checked = (text: string, values?: Values): ReturnType<typeof check> =>
  check(text, environment(values), noFacts());

/** A use, and the text that says the same without it. */
const SAME: readonly (readonly [use: string, text: string])[] = [
  ["busy(it, today)", "bookings.exists(b, b.room == it && b.day == today)"],
  ["!busy(it, 1 + 2) && true", "!bookings.exists(b, b.room == it && b.day == 1 + 2) && true"],
  // The argument is called as a variable inside the value is.
  ["busy(b, today)", "bookings.exists(b_2, b_2.room == b && b_2.day == today)"],
  [
    "rooms.exists(b, busy(b, 1))",
    "rooms.exists(b, bookings.exists(b_2, b_2.room == b && b_2.day == 1))",
  ],
  // A variable around the use is called as something that the value reads.
  [
    "[1].exists(today, free(it))",
    "[1].exists(today_2, !bookings.exists(b, b.room == it && b.day == today))",
  ],
  [
    "[1].exists(today, today > 0 && free(it))",
    "[1].exists(today_2, today_2 > 0 && !bookings.exists(b, b.room == it && b.day == today))",
  ],
  // A variable that is called as what the value is given.
  ["shadow(7)", "[1, 2].map(b, b + 1) + [7]"],
  [
    "larger(it, larger(b, it)).size",
    "(it.size > (b.size > it.size ? b : it).size ? it : b.size > it.size ? b : it).size",
  ],
  ["nothing() + 1", "today + 1 + 1"],
  ["twice(twice(1))", "[[1, 1], [1, 1]]"],
  // What is known of what is given is known inside.
  ["has(query.day) ? day_of(query) : 0", "has(query.day) ? query.day : 0"],
  [
    "it.next != null && busy(it.next, 1)",
    "it.next != null && bookings.exists(b, b.room == it.next && b.day == 1)",
  ],
];

for (const [use, text] of SAME) {
  test(`${use} is ${text}`, () => {
    const [a, b] = [checked(use), checked(text)];
    assert.deepEqual([a.problems, b.problems], [[], []]);
    assert.deepEqual(a.code, b.code);
    assert.deepEqual([a.whenTrue, a.whenFalse, a.type], [b.whenTrue, b.whenFalse, b.type]);
  });
}

/** What is wrong, with the piece of the text that is told. */
const WRONG: readonly (readonly [text: string, code: string, told: string, message: RegExp])[] = [
  ["true && busy(it)", "wrong-type", "busy(it)", /`busy` is given 2: `room`, `day`, and this/],
  ["nothing(1)", "wrong-type", "nothing(1)", /is given nothing, and this gives it 1/],
  ["0 + day_of(query)", "unguarded", "day_of(query)", /./],
  ["busy(it, 'x')", "wrong-type", "busy(it, 'x')", /./],
  ["busy(it, nobody)", "unknown-name", "nobody", /nobody/],
];

for (const [text, code, told, message] of WRONG) {
  test(`${text}: ${code} at ${told}`, () => {
    const [first] = checked(text).problems;
    assert.ok(first);
    assert.equal(first.code, code);
    assert.match(first.message, message);
    const place = text.slice(first.start, first.end);
    assert.ok(told.includes(place) && place !== "", place);
  });
}

test("what is written out has a bound, and reaching it takes no time", () => {
  const doubled = (times: number): string => (times === 0 ? "1" : `twice(${doubled(times - 1)})`);
  assert.deepEqual(checked(doubled(8)).problems, []);
  const begun = performance.now();
  const { problems } = checked(doubled(90));
  assert.ok(performance.now() - begun < 1000);
  assert.deepEqual(
    problems.map((one) => one.code),
    ["too-large"],
  );
  const chain = `x${" + 1".repeat(400)}`;
  const { ast } = parse(chain);
  assert.ok(ast);
  const values = new Map([["sum", { given: ["x"], body: ast }]]);
  assert.deepEqual(checked("sum(1)", values).problems, []);
  assert.match(checked("sum(sum(1))", values).problems[0]?.message ?? "", /at most 500 levels/);
});

test("code that was written out is rendered as a text that is the same code", () => {
  const { code } = checked("rooms.exists(b, busy(b, 1))");
  assert.ok(code);
  assert.deepEqual(checked(render(code)).code, code);
});
