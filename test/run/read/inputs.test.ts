import assert from "node:assert/strict";
import { test } from "node:test";
import type { Type } from "../../../src/expr/index.ts";
import { check, noFacts } from "../../../src/expr/index.ts";
import type {
  Body,
  Endpoint,
  Expression,
  FailureCondition,
  Plan,
} from "../../../src/plan/index.ts";
import type { Inputs } from "../../../src/run/ports/index.ts";
import { compileInputs } from "../../../src/run/read/inputs.ts";
import type { RawRequest } from "../../../src/run/read/names.ts";
import { digest } from "../digest.ts";
import { endpoint, field, input, plan, resource, rule, stated, type } from "./plans.ts";

const around = { now: 0n, settings: new Map(), digest };

function raw(over: Partial<RawRequest> & { json?: unknown } = {}): RawRequest {
  const { json, ...rest } = over;
  const body =
    json === undefined ? undefined : typeof json === "string" ? json : JSON.stringify(json);
  const headers = new Map(body === undefined ? [] : [["content-type", "application/json"]]);
  const sent = { headers, body, bodyBytes: body?.length ?? 0 };
  return { params: new Map(), query: "", ...sent, ...rest };
}

function read(over: Partial<Endpoint>, request: RawRequest, inPlan: Partial<Plan> = {}): Inputs {
  const one = endpoint("POST", "/x", over);
  const whole = plan({ resources: [article], ...inPlan, endpoints: [one] });
  return compileInputs(whole, one).read(request, around);
}

const told = (inputs: Inputs): string[] =>
  inputs.failures.map(({ condition, field: name }) => `${condition}: ${name}`);

function expression(text: string, names: Record<string, Type>): Expression {
  const environment = {
    names: new Map(Object.entries(names)),
    collections: new Map(),
    members: ({ name }: { name: string }) =>
      name === "body"
        ? new Map([["title", { type: { kind: "string" } as const, absent: true }]])
        : undefined,
  };
  const { code, problems } = check(text, environment, noFacts());
  assert.ok(code, JSON.stringify(problems));
  return { code, text };
}

const article = resource("Article", [
  field("id", { type: type("id"), create: { is: "no" }, update: { is: "no" } }),
  field("title", { rules: [rule({ kind: "characters", min: 1, max: 5 })] }),
  field("count", { type: type("integer"), create: { is: "optional" } }),
  field("note", {
    type: type("string", { orNull: true }),
    create: { is: "optional" },
    rules: [rule({ kind: "trimmed" }), rule({ kind: "empty becomes null" })],
  }),
]);

const newArticle = (member?: string, is: "new" | "changed" = "new"): Endpoint["body"] => {
  const rules = is === "changed" ? [rule({ kind: "at least one member" })] : [];
  const body: Body = { id: "body", member, content: { is, resource: "Article" }, rules };
  return stated(body);
};

test("a new resource: what the table states, in its order, then what no table names", () => {
  const good = read({ body: newArticle() }, raw({ json: { note: " x ", title: "a" } }));
  assert.deepEqual(good.failures, []);
  assert.deepEqual(
    [...(good.body as Map<string, unknown>)],
    [
      ["title", "a"],
      ["note", "x"],
    ],
  );
  const bad = read(
    { body: newArticle() },
    raw({ json: '{"foo":1,"count":1.5,"note":3,"id":"x","note":4}' }),
  );
  assert.deepEqual(told(bad), [
    "not settable: id",
    "absent: title",
    "wrong type: count",
    "wrong type: note",
    "unknown member: foo",
    "repeated member: note",
  ]);
  assert.equal(bad.body, undefined);
});

test("absent, null and empty are three things", () => {
  const one = (value: string): Inputs =>
    read({ body: newArticle() }, raw({ json: `{"title":"a"${value}}` }));
  assert.equal((one("").body as Map<string, unknown>).has("note"), false);
  assert.equal((one(',"note":null').body as Map<string, unknown>).get("note"), null);
  assert.equal((one(',"note":"  "').body as Map<string, unknown>).get("note"), null);
  assert.deepEqual(told(read({ body: newArticle() }, raw({ json: { title: null } }))), [
    "null: title",
  ]);
  assert.deepEqual(told(read({ body: newArticle() }, raw({ json: { title: "" } }))), [
    "too short: title",
  ]);
});

test("a member that wraps the content is needed, and names inside stand without it", () => {
  const over = { body: newArticle("article") };
  assert.deepEqual(told(read(over, raw({ json: {} }))), ["absent: article"]);
  assert.deepEqual(told(read(over, raw({ json: { article: null } }))), ["null: article"]);
  assert.deepEqual(told(read(over, raw({ json: { article: [] } }))), ["wrong type: article"]);
  assert.deepEqual(told(read(over, raw({ json: { article: { title: "toolong" } } }))), [
    "too long: title",
  ]);
  assert.deepEqual(told(read(over, raw({ json: '{"article":{"title":"a","title":"b"}}' }))), [
    "repeated member: title",
  ]);
});

test("a changed resource: given members only, at least one", () => {
  const over = { body: newArticle(undefined, "changed") };
  assert.deepEqual(told(read(over, raw({ json: {} }))), ["no member given: null"]);
  const good = read(over, raw({ json: { count: 1 } }));
  assert.deepEqual([...(good.body as Map<string, unknown>)], [["count", 1n]]);
});

test("conditions of the whole message come alone", () => {
  const over = { body: newArticle() };
  const headers = (typeName: string): RawRequest["headers"] =>
    new Map([["content-type", typeName]]);
  assert.deepEqual(told(read(over, raw())), ["body absent: null"]);
  assert.deepEqual(told(read(over, raw({ json: "{" }))), ["malformed body: null"]);
  assert.deepEqual(told(read(over, raw({ body: null, headers: headers("application/json") }))), [
    "malformed body: null",
  ]);
  assert.deepEqual(told(read(over, raw({ json: "[]" }))), ["wrong type: null"]);
  for (const [sent, right] of [
    ["application/json; charset=UTF-8", true],
    ["Application/JSON", true],
    ['application/json; charset="utf-8"', true],
    ["application/json; charset=latin1", false],
    ["text/json", false],
    ["application/json; charset", false],
    ["", false],
    ["application/problem+json", false],
    ["application/json; profile=x", true],
  ] as const) {
    const got = told(read(over, raw({ json: { title: "a" }, headers: headers(sent) })));
    assert.deepEqual(got, right ? [] : ["other media type: null"], sent);
  }
  const coded = new Map([...headers("application/json"), ["content-encoding", "gzip"]]);
  assert.deepEqual(told(read(over, raw({ json: { title: "a" }, headers: coded }))), [
    "other media type: null",
  ]);
});

test("a stated `ignored` drops the condition and keeps the rest", () => {
  const row = (condition: FailureCondition): Plan["failures"][0] => ({
    id: "f",
    condition,
    answer: { is: "ignored" },
    columns: [],
  });
  const failures = [row("unknown member"), row("not settable"), row("unknown query parameter")];
  const good = read(
    { body: newArticle() },
    raw({ json: { title: "a", id: "x", foo: 1 }, query: "bar=1" }),
    { failures },
  );
  assert.deepEqual(good.failures, []);
  assert.deepEqual([...(good.body as Map<string, unknown>)], [["title", "a"]]);
});

test("queries: decoded as form pairs, typed, repeated, unknown, malformed", () => {
  const inputs = [
    input("limit", {
      type: type("integer"),
      rules: [
        rule({ kind: "absent means", value: expression("20", {}) }),
        rule({ kind: "range", min: expression("1", {}).code, max: expression("100", {}).code }),
      ],
    }),
    input("tag", { type: type({ kind: "list", of: type("string") }) }),
    input("q", { rules: [rule({ kind: "not empty" })] }),
  ];
  const query = (text: string): Inputs => read({ inputs }, raw({ query: text }));
  assert.deepEqual([...query("").query], [["limit", 20n]]);
  assert.deepEqual(
    [...query("tag=a+b&tag=c%2Bd&limit=3&q=%C3%A9").query],
    [
      ["limit", 3n],
      ["tag", ["a b", "c+d"]],
      ["q", "é"],
    ],
  );
  assert.deepEqual(told(query("limit=0")), ["too small: limit"]);
  assert.deepEqual(told(query("limit=101")), ["too large: limit"]);
  assert.deepEqual(told(query("q=")), ["empty: q"]);
  assert.deepEqual(told(query("limit=1&limit=2")), ["repeated query parameter: limit"]);
  assert.deepEqual(told(query("x=1&Limit=2")), [
    "unknown query parameter: x",
    "unknown query parameter: Limit",
  ]);
  for (const text of ["q=%", "q=%C3", "q=%zz", "q=\u00e9", "%ff=1"]) {
    assert.deepEqual(told(query(text)), ["malformed query: null"], text);
  }
});

test("paths, headers and cookies are typed by their rows", () => {
  const inputs = [
    input("id", { in: "path", type: type("integer"), needed: "yes" }),
    input("X-Count", { in: "header", type: type("integer"), needed: "yes" }),
    input("seen", { in: "cookie", type: type("boolean") }),
  ];
  const headers = new Map([
    ["x-count", "7"],
    ["cookie", "a=b; seen=true"],
  ]);
  const good = read({ inputs }, raw({ params: new Map([["id", "12"]]), headers }));
  assert.deepEqual(good.failures, []);
  assert.equal(good.path.get("id"), 12n);
  assert.equal(good.header.get("x-count"), 7n);
  assert.equal(good.cookie.get("seen"), true);
  assert.deepEqual(told(read({ inputs }, raw({ params: new Map([["id", "1a"]]) }))), [
    "wrong type: id",
    "absent: X-Count",
  ]);
});

test("dotted input rows nest, and a missing object misses what is inside", () => {
  const inputs = [
    input("user.email", { in: "body", type: type("email"), needed: "yes" }),
    input("user.nick", { in: "body" }),
    input("extra.note", { in: "body" }),
  ];
  const got = (json: unknown): string[] => told(read({ inputs }, raw({ json })));
  assert.deepEqual(got({}), ["absent: user.email"]);
  assert.deepEqual(got({ user: { email: "a", x: 1 }, y: 2 }), [
    "wrong type: user.email",
    "unknown member: user.x",
    "unknown member: y",
  ]);
  const good = read({ inputs }, raw({ json: { user: { email: "a@b.c" } } }));
  const user = new Map([["email", "a@b.c"]]);
  assert.deepEqual(
    good.body,
    new Map([
      ["user", user],
      ["extra", new Map()],
    ] as const),
  );
});

test("lists and parts: items named by position, their own rules, different items", () => {
  const part = {
    id: "p",
    name: "Line",
    fields: [field("sku", { rules: [rule({ kind: "matches", pattern: "^[A-Z]{2}$" })] })],
  };
  const lines = type({ kind: "list", of: type({ kind: "structure", name: "Line" }) });
  const inputs = [
    input("lines", { in: "body", type: lines, rules: [rule({ kind: "items", min: 1, max: 2 })] }),
    input("tags", {
      in: "body",
      type: type({ kind: "list", of: type("string") }),
      rules: [rule({ kind: "different items" })],
    }),
  ];
  const got = (json: unknown): string[] =>
    told(read({ inputs }, raw({ json }), { partTypes: [part] }));
  assert.deepEqual(got({ lines: [{ sku: "AB" }], tags: ["a", "b"] }), []);
  assert.deepEqual(got({ lines: [{ sku: "AB" }, { sku: "a" }, {}] }), [
    "not matching: lines.1.sku",
    "absent: lines.2.sku",
  ]);
  assert.deepEqual(got({ lines: [] }), ["too few items: lines"]);
  assert.deepEqual(got({ lines: [1, null] }), ["wrong type: lines.0", "null: lines.1"]);
  assert.deepEqual(got({ tags: ["a", "b", "a"] }), ["repeated item: tags"]);
});

test("holds, required when and gaps answer with their own refusals", () => {
  const otherwise = { is: "error", id: "e", error: "odd", with: [] } as const;
  const even = expression("value % 2 == 0", { value: { kind: "integer" } });
  const condition = expression('has(body.title) && body.title == "x"', {
    body: { kind: "object", name: "body" },
  });
  const thing = resource("Article", [
    field("title", { create: { is: "optional" } }),
    field("n", {
      type: type("integer"),
      create: { is: "required when", condition },
      rules: [rule({ kind: "holds", condition: even, otherwise })],
    }),
    field("g", { create: { is: "optional" }, rules: [rule({ kind: "gap", gap: "g1" })] }),
  ]);
  const gap = {
    id: "g1",
    part: "p",
    scope: "s",
    subject: "x",
    sentence: "x: not shown.",
    blocking: true,
    silent: false,
  };
  const got = (json: unknown, gaps = [gap]): Inputs =>
    read({ body: newArticle() }, raw({ json }), { resources: [thing], gaps });
  assert.deepEqual(told(got({ title: "y" })), []);
  assert.deepEqual(told(got({ title: "x" })), ["absent: n"]);
  assert.deepEqual(got({ n: 3 }).failures[0]?.refusal, otherwise);
  assert.deepEqual(got({ g: "a" }).failures[0]?.refusal, { is: "gap", gap: "g1" });
  assert.deepEqual(told(got({ g: "a" }, [{ ...gap, blocking: false }])), []);
});

test("form bodies are read by the same tables", () => {
  const about = { ...plan().about, bodyFormat: stated("application/x-www-form-urlencoded") };
  const headers = new Map([["content-type", "application/x-www-form-urlencoded"]]);
  const form = (body: string): Inputs =>
    read({ body: newArticle() }, raw({ body, headers }), { about });
  assert.deepEqual(
    [...(form("title=a&count=4").body as Map<string, unknown>)],
    [
      ["title", "a"],
      ["count", 4n],
    ],
  );
  assert.deepEqual(told(form("title=a&title=b")), ["repeated member: title"]);
  assert.deepEqual(told(form("title=%")), ["malformed body: null"]);
});

test("a body format that nothing reads is unsupported by name", () => {
  const about = { ...plan().about, bodyFormat: stated("application/xml") };
  const one = endpoint("POST", "/x", { body: newArticle() });
  const reader = compileInputs(plan({ about, resources: [article], endpoints: [one] }), one);
  assert.equal(reader.unsupported, "body");
});

test("inputs are checked by their place, whatever the order of the table", () => {
  const inputs = (["body", "cookie", "header", "query", "path"] as const).flatMap((place) => [
    input(`${place}1`, { in: place, type: type("integer"), needed: "yes" }),
    input(`${place}2`, { in: place, needed: "yes" }),
  ]);
  const failed = read({ inputs }, raw({ json: { body2: 1 }, query: "query1=x" }));
  assert.deepEqual(told(failed), [
    "absent: path1",
    "absent: path2",
    "wrong type: query1",
    "absent: query2",
    "absent: header1",
    "absent: header2",
    "absent: cookie1",
    "absent: cookie2",
    "absent: body1",
    "wrong type: body2",
  ]);
});

test("a text is changed where its rule stands; what is no text is of the wrong type", () => {
  const rules = [
    rule({ kind: "characters", max: 3 }),
    rule({ kind: "trimmed" }),
    rule({ kind: "empty means absent" }),
  ];
  const one = (word: unknown): Inputs =>
    read({ inputs: [input("word", { in: "body", rules })] }, raw({ json: { word } }));
  assert.deepEqual(told(one("  a ")), ["too long: word"]);
  assert.deepEqual([...(one(" a ").body as Map<string, unknown>)], [["word", "a"]]);
  assert.deepEqual([...(one("   ").body as Map<string, unknown>)], []);
  const empty = [input("word", { in: "body", rules: [rule({ kind: "not empty" })] })];
  assert.deepEqual(told(read({ inputs: empty }, raw({ json: { word: [] } }))), [
    "wrong type: word",
  ]);
  assert.deepEqual(told(read({ inputs: empty }, raw({ json: { word: "" } }))), ["empty: word"]);
});
