/** Answers are compared with what is expected: what is known of texts, what is open, what differs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { compare } from "../../src/verify/judge/compare.ts";
import { looseOf } from "../../src/verify/judge/loose.ts";
import { bindingsIn, MadeTexts, withTexts } from "../../src/verify/world/texts.ts";

const made = new MadeTexts();
made.begin();
const [id, uuid] = [made.make("id"), made.make("uuid")];

const bound: readonly [
  expected: string,
  observed: string,
  known: Readonly<Record<string, string>> | undefined,
][] = [
  ["plain", "plain", {}],
  ["plain", "other", undefined],
  [`todo_${id}`, "todo_17", { [id]: "17" }],
  [`/todos/${id}/x/${id}`, "/todos/a.b/x/a.b", { [id]: "a.b" }],
  [`/todos/${id}/x/${id}`, "/todos/a/x/b", undefined],
  [`${id} ${uuid}`, "1 2", { [id]: "1", [uuid]: "2" }],
  [`todo_${id}`, "todo_", undefined],
];

for (const [expected, observed, known] of bound) {
  test(`what is made in ${expected} is found in ${observed}`, () => {
    const found = bindingsIn(expected, observed);
    assert.deepEqual(found && Object.fromEntries(found), known);
    if (found !== undefined) assert.equal(withTexts(expected, found), observed);
  });
}

type Told = readonly [
  name: string,
  expected: readonly [status: number, body: string | undefined],
  observed: readonly [status: number, body: string | undefined],
  differences: readonly string[],
];

const told: readonly Told[] = [
  ["members in another order", [200, '{"a":1,"b":[2]}'], [200, '{"b":[2],"a":1}'], []],
  ["a number in another form", [200, "[1.50,100]"], [200, "[1.5,1e2]"], []],
  ["another status", [200, "1"], [201, "1"], ["status"]],
  ["a member that is not there", [200, '{"a":1,"b":null}'], [200, '{"a":1}'], ["body b"]],
  ["a member that nobody states", [200, '{"a":1}'], [200, '{"a":1,"b":0}'], ["body b"]],
  ["a number as text", [200, '{"a":1}'], [200, '{"a":"1"}'], ["body a"]],
  [
    "digits beyond a double",
    [200, "12345678901234567890"],
    [200, "12345678901234567891"],
    ["body "],
  ],
  ["a list that is longer", [200, "[1]"], [200, "[1,2]"], ["body 1"]],
  ["no content", [204, undefined], [204, ""], []],
  ["content where there is to be none", [204, undefined], [204, "x"], ["body "]],
];

for (const [name, expected, observed, differences] of told) {
  test(`compared: ${name}`, () => {
    const [status, body] = expected;
    const answer = { status: observed[0], headers: [], body: observed[1], sent: 0n, received: 0n };
    const found = compare({ status, headers: [], body }, answer);
    assert.deepEqual(
      found.differences.map(({ in: where, where: path }) =>
        where === "status" ? where : `${where} ${path.join(".")}`,
      ),
      differences,
    );
  });
}

test("headers that are stated are compared, in any case; others are not", () => {
  const headers = [
    ["Content-Type", "application/json"],
    ["X-Own", "a"],
    ["Retry-After", "10"],
  ] as const;
  const sent = [
    ["content-type", "application/json; charset=utf-8"],
    ["x-own", "b"],
    ["retry-after", "9"],
    ["server", "any"],
  ] as const;
  const answer = { status: 200, headers: sent, body: undefined, sent: 0n, received: 0n };
  const found = compare({ status: 200, headers, body: undefined }, answer);
  assert.deepEqual(
    found.differences.map(({ where }) => where[0]),
    ["X-Own"],
  );
});

test("of methods that are allowed, those that are stated must be told", () => {
  const headers = [["Allow", "GET, PATCH, HEAD, OPTIONS"]] as const;
  const told = (value: string): number => {
    const answer = { status: 405, headers: [["allow", value]] as const, body: undefined };
    const expected = { status: 405, headers, body: undefined };
    return compare(expected, { ...answer, sent: 0n, received: 0n }).differences.length;
  };
  assert.equal(told("PATCH,GET"), 0);
  assert.equal(told("GET, HEAD, PATCH, TRACE"), 0);
  assert.equal(told("GET, HEAD, OPTIONS"), 1);
});

test("what runs that choose otherwise give is open, and nothing else", () => {
  const response = (body: unknown) => ({ status: 200, headers: [], body: JSON.stringify(body) });
  const loose = looseOf([
    response({ list: [1, 2, 3], free: "a", same: 1 }),
    response({ list: [3, 1, 2], free: "b", same: 1 }),
  ]);
  const judged = (body: unknown): readonly unknown[] => {
    const answer = { ...response(body), headers: [], sent: 0n, received: 0n };
    return compare(response({ list: [1, 2, 3], free: "a", same: 1 }), answer, loose).differences;
  };
  assert.deepEqual(judged({ list: [2, 3, 1], free: "c", same: 1 }), []);
  assert.equal(judged({ list: [2, 3, 4], free: "c", same: 1 }).length, 1);
  assert.equal(judged({ list: [2, 3, 1], free: "c", same: 2 }).length, 1);
});

test("a difference tells both values as the JSON that they are", () => {
  const answer = { status: 200, headers: [], body: '{"a":1.5,"b":"x"}', sent: 0n, received: 0n };
  const { differences } = compare({ status: 200, headers: [], body: '{"a":2.50,"b":"y"}' }, answer);
  const told = differences.map(({ expected, observed }) => [expected, observed]);
  assert.deepEqual(told, [
    ["2.50", "1.5"],
    ['"y"', '"x"'],
  ]);
});
