/** Parts of shrinking that need no service: the search, names, places, files. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, parseJson } from "../../../src/run/index.ts";
import { ddmin } from "../../../src/verify/shrink/ddmin.ts";
import { TextsOnce } from "../../../src/verify/shrink/fresh.ts";
import { itemDifferences } from "../../../src/verify/shrink/items.ts";
import { filled, Naming } from "../../../src/verify/shrink/names.ts";
import { withShortTexts } from "../../../src/verify/shrink/parts.ts";
import { valueAt } from "../../../src/verify/shrink/replay.ts";
import { countIn, placeIn } from "../../../src/verify/shrink/sed.ts";
import { randomFrom, testSeed } from "../../random.ts";
import { compiled, documentOf } from "../clauses/trial.ts";

test("of things that are needed together none is left out, and nothing else stays", async () => {
  const random = randomFrom(testSeed);
  for (let i = 0; i < 200; i++) {
    const all = Array.from({ length: 1 + Math.floor(random() * 40) }, (_, at) => at);
    const needed = all.filter(() => random() < 0.1);
    const found = await ddmin(all, (some) => needed.every((one) => some.includes(one)));
    assert.deepEqual(found, needed, `seed ${testSeed}, run ${i}`);
  }
});

test("what is found does it, and no part of it that was tried does, where either of two is enough", async () => {
  const test = (some: readonly number[]): boolean =>
    (some.includes(3) && some.includes(17)) || some.includes(29);
  const found = await ddmin(
    Array.from({ length: 32 }, (_, at) => at),
    test,
  );
  assert.ok(test(found));
  for (const one of found) assert.ok(!test(found.filter((other) => other !== one)));
});

test("inputs that steps put where a value may stand once are made anew like it", () => {
  const bank = compiled(documentOf("bank").text);
  assert.ok(bank !== undefined);
  const once = new TextsOnce({ plan: bank.plan, textsAtStart: new Set(["north"]) });
  const body = '{"bank": "2", "manager": "2", "role": "x", "name": "north"}';
  const request = { method: "POST", target: "/", headers: [], body };
  assert.deepEqual(once.in(request), ["2", "2"]);
  const other = once.replaced(request, new Map([["2", "{{new1}}"]]));
  assert.equal(other.body, body.replaceAll('"2"', '"{{new1}}"'));
});

test("what names a row is not made anew, though a row may name it once", () => {
  const lobby = compiled(documentOf("lobby").text);
  assert.ok(lobby !== undefined);
  const once = new TextsOnce({ plan: lobby.plan, textsAtStart: new Set() });
  const body = '{"game": "reversi", "player": "pl_1", "handle": "ann"}';
  assert.deepEqual(once.in({ method: "POST", target: "/", headers: [], body }), ["ann"]);
});

const named: readonly [text: string, becomes: string][] = [
  ["/todos/todo_0123456789ab/finish", "/todos/todo_{{1.0}}/finish"],
  ['{"of":"todo_0123456789ab","title":"v12345678x"}', '{"of":"todo_{{1.0}}","title":"{{tag}}x"}'],
  ["/todos?after=0123456789ab", "/todos?after={{1.0}}"],
  ["/todos/0123456789abc", "/todos/0123456789abc"],
  // A short text is one that was made where it stands alone, not where it may be any number.
  ["/lists/17/items?limit=17", "/lists/{{2.0}}/items?limit=17"],
  ['{"list":"list_17","count":17}', '{"list":"list_{{2.0}}","count":17}'],
  ["a b/c", "{{3.0}}"],
];

for (const [text, becomes] of named) {
  test(`named: ${text}`, () => {
    const naming = new Naming("v12345678");
    naming.note("0123456789ab", "1.0");
    naming.note("17", "2.0");
    naming.note("a b/c", "3.0");
    assert.equal(naming.text(text), becomes);
  });
}

test("credentials in Base64 are named in what they are, and filled in again", () => {
  const naming = new Naming("v12345678");
  const sent = `Basic ${Buffer.from("v12345678ann:secret").toString("base64")}`;
  const request = { method: "GET", target: "/", headers: [["Authorization", sent]] as const };
  const found = naming.request(request);
  assert.equal(found.headers[0]?.[1], "Basic {{:{{tag}}ann:secret:}}");
  assert.deepEqual(
    filled(found, () => "v12345678"),
    request,
  );
  assert.equal(
    filled(found, () => undefined),
    undefined,
  );
});

const BODY = '{"a":{"id":"x","b":[{"id":1},{"id":"a,b"}]},"id":null}';

const places: readonly [pointer: string, place: unknown, value: string | undefined][] = [
  ["/a/id", { member: "id", nth: 1 }, '"x"'],
  ["/a/b/1/id", { member: "id", nth: 3 }, '"a,b"'],
  ["/id", { member: "id", nth: 4 }, "null"],
  ["/nothing", { member: "nothing", nth: 1 }, undefined],
  ["/a/b/0", undefined, '{"id":1}'],
];

for (const [at, place, value] of places) {
  test(`the place ${at}`, () => {
    assert.deepEqual(placeIn(BODY, at), place);
    assert.equal(valueAt({ status: 200, headers: [], body: BODY }, { in: "body", at }), value);
  });
}

test("members are counted at any depth", () => {
  assert.equal(countIn(BODY, "id"), 4);
  assert.equal(countIn("no JSON", "id"), 0);
});

const listed = (...items: readonly object[]): string =>
  JSON.stringify({ items, total: items.length });
const own = { id: "t_9", title: "mine", done: false };
const other = { id: "t_1", title: "theirs", done: false };
const byName = (text: string): string => text.replaceAll("t_9", "t_{{id1}}");

const inLists: readonly [
  name: string,
  expected: string,
  observed: string,
  at: readonly (readonly (string | number)[])[],
  found: readonly string[],
][] = [
  [
    "a member",
    listed(other, own),
    listed(other, { ...own, done: true }),
    [["items", 1, "done"]],
    ["/items/t_{{id1}}/done false true"],
  ],
  [
    "an item less",
    listed(own, other),
    listed(other),
    [
      ["items", 0, "id"],
      ["items", 1],
    ],
    [`/items/t_{{id1}} ${JSON.stringify({ done: false, id: "t_9", title: "mine" })} undefined`],
  ],
  [
    "an item more",
    listed(other),
    listed(own, other),
    [
      ["items", 0, "id"],
      ["items", 1],
    ],
    [`/items/t_{{id1}} undefined ${JSON.stringify({ done: false, id: "t_9", title: "mine" })}`],
  ],
  ["nothing of ours", listed(other), listed(other, { ...other, id: "t_2" }), [["items", 1]], []],
];

for (const [name, expected, observed, at, found] of inLists) {
  test(`in a list, by what names an item: ${name}`, () => {
    const treeOf = (text: string): Json | undefined => {
      const parsed = parseJson(text);
      return parsed.ok ? parsed.value : undefined;
    };
    const bodies = { expected: treeOf(expected), observed: treeOf(observed) };
    const told = itemDifferences(bodies, at, byName);
    assert.deepEqual(
      told.map((one) => `/${one.where.join("/")} ${one.expected} ${one.observed}`),
      found,
    );
    const known = new Map([["id1", "9"]]);
    for (const one of told) {
      const place = { in: "body", at: `/${one.where.join("/")}` } as const;
      const answer = { status: 200, headers: [], body: observed };
      assert.equal(valueAt(answer, place, known), one.observed);
    }
  });
}

test("what stands around texts stays as it is where others take their place", async () => {
  const body = `{"title" : "{{tag}} a long one", "of":["{{1.0}}"],${" ".repeat(200)}"title2":"title"}`;
  const headers = [["Content-Type", "application/json"]] as const;
  const request = { method: "POST", target: "/", headers, body };
  const all = [{ number: 1, request, wait: 0n }];
  const bodyOf = ([one]: typeof all): string => one?.request.body ?? "";
  const isLong = async (some: typeof all): Promise<boolean> => bodyOf(some) === body;
  const isShort = async (): Promise<boolean> => true;
  assert.equal(bodyOf([...(await withShortTexts(all, isLong as never))] as typeof all), body);
  const short = body.replace("{{tag}} a long one", "{{tag}}0").replace('"title"}', '"{{tag}}1"}');
  assert.equal(bodyOf([...(await withShortTexts(all, isShort))] as typeof all), short);
});
