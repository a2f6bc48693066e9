/** The checker: names, types, guards, decimals, secrets, rows; each problem at its own place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Type } from "../../src/expr/index.ts";
import {
  check,
  formatType,
  HEIGHT_MAX,
  isZone,
  mergeFacts,
  noFacts,
  parse,
  references,
  render,
  withPresent,
} from "../../src/expr/index.ts";
import { testSeed } from "../random.ts";
import { environment } from "./sample.ts";

const seed = testSeed;

function typeOf(text: string): string {
  const checked = check(text, environment, noFacts());
  assert.deepEqual(checked.problems, [], text);
  return formatType(checked.type);
}

/** Asserts one problem: its code, the text that it stands at, and words of message and hint. */
function refuses(text: string, code: string, at: string, words: RegExp, expected?: Type): void {
  const { code: made, problems } = check(text, environment, noFacts(), expected);
  assert.equal(made, undefined, text);
  const [problem] = problems;
  assert.equal(problems.length, 1, `${text}: ${JSON.stringify(problems)}`);
  assert.equal(problem?.code, code, `${text}: ${problem?.message}`);
  assert.equal(text.slice(problem?.start, problem?.end), at, text);
  assert.match(`${problem?.message} | ${problem?.hint ?? ""}`, words, text);
}

test("every type has its words", () => {
  const types: readonly [text: string, words: string][] = [
    ["it.id + 1", "integer"],
    ["it.price", "decimal with 2 places"],
    ["it.author", "row `User` or null"],
    ["articles", "list of row `Article`"],
    ["it.status", "one of `draft`, `published`"],
    ["it.editor.username", "string"],
    ["articles.map(a, a.note)", "list of string or null"],
    ["articles.group(a, a.title, a.price)", "map of list of decimal with 2 places"],
    ["[1, null]", "list of integer or null"],
    ["[]", "list of anything"],
    ["{'a': [1e0]}", "map of list of number"],
    ["it.created - now", "duration"],
    ["it.price * it.price", "decimal with 4 places"],
    ["it.price * it.id", "decimal with 2 places"],
    ["it.price * 1.5 + 0.1", "decimal with 3 places"],
    ["query", "`query`"],
    ["now.getHours('Europe/Paris') == 3", "boolean"],
    ["true ? null : it.id", "integer or null"],
    ["true ? 'a' : 'b'", "one of `a`, `b`"],
    ["counts['a']", "integer"],
    ["divide(it.price, 3, 4, 'down')", "decimal with 4 places"],
  ];
  for (const [text, words] of types) assert.equal(typeOf(text), words, text);
});

test("unknown names, members and functions are named with the nearest", () => {
  refuses("it.titel == 'a'", "unknown-name", "titel", /no member `titel`.*did you mean `title`/);
  refuses("title == 'a'", "unknown-name", "title", /did you mean `it.title`/);
  refuses("artcles", "unknown-name", "artcles", /did you mean `articles`/);
  refuses("zzzzzz", "unknown-name", "zzzzzz", /known here: `it`/);
  refuses("articles.exist(a, a.id == 1)", "unknown-name", "exist", /did you mean `exists`/);
  refuses("articles.exists(a, b == 1)", "unknown-name", "b", /unknown name `b`/);
  refuses("exists(articles)", "unknown-name", "exists", /written `list.exists\(x, condition\)`/);
  refuses("it.id.x", "wrong-type", "x", /an integer has no members/);
  refuses("articles.map(a)", "wrong-type", "articles.map(a)", /is written/);
});

test("variables of macros shadow names, and facts about what they hide", () => {
  assert.equal(typeOf("articles.map(it, it.id).exists(now, now == 1)"), "boolean");
  refuses(
    "it.author != null && articles.exists(it, it.author.username == 'a')",
    "unguarded",
    "it.author",
    /may be null/,
  );
  assert.equal(
    typeOf("it.author != null && articles.exists(a, a.id == 1 && it.author.username == 'a')"),
    "boolean",
  );
});

test("null is for comparing; every other use wants a guard", () => {
  for (const text of [
    "it.author == null",
    "null != it.note",
    "it.note == 'a'",
    "it.author == caller",
    "caller.password == null",
    "found == null",
    "it.id == null",
  ]) {
    assert.equal(typeOf(text), "boolean", text);
  }
  refuses("it.author.username == 'a'", "unguarded", "it.author", /`it.author != null && ...`/);
  refuses("it.note + 'a'", "unguarded", "it.note", /may be null/);
  refuses("size(it.note) > 1", "unguarded", "it.note", /may be null/);
  refuses("found.id", "unguarded", "found", /may be null/);
  refuses("(true ? it.note : 'a') + 'b'", "unguarded", "(true ? it.note : 'a')", /may be null/);
  refuses("null + 1", "wrong-type", "null", /null cannot be used/);
});

test("guards narrow: not null", () => {
  for (const text of [
    "it.author != null && it.author.username == 'a'",
    "null != it.author && it.author.username == 'a'",
    "it.author == null || it.author.username == 'a'",
    "!(it.author == null) && it.author.username == 'a'",
    "!(it.author == null || it.id == 1) && it.author.username == 'a'",
    "it.author == null ? 'none' : it.author.username",
    "it.author == caller && it.author.username == 'a'",
    "it.author == it.editor && it.author.username == 'a'",
    "found != null && found.author != null && found.author.username == 'a'",
    "(it.note == null ? false : it.id == 1) && size(it.note) == 1",
    "articles.map(a, a.author != null, a.author.username) == []",
    "articles.exists(a, a.author != null && a.author.username == 'a')",
    "articles.filter(a, a.author != null).exists(a, a.author.username == 'a')",
    "articles.map(a, false, a.author != null ? a.author.username : 'a') == []",
  ]) {
    const { problems } = check(text, environment, noFacts());
    assert.deepEqual(problems, [], text);
  }
  for (const text of [
    "it.author != null || it.author.username == 'a'",
    "it.author == null && it.author.username == 'a'",
    "(it.author != null || it.id == 1) && it.author.username == 'a'",
    "it.author != null ? false : it.author.username == 'a'",
    "it.editor.manager != null && it.author.username == 'a'",
    "it.author.username == 'a' && it.author != null",
    "users.filter(u, it.author == u).exists(u, true) || it.author.username == 'a'",
    "users.filter(u, it.author == u).all(u, true) && it.author.username == 'a'",
    "users.all(u, it.author == u) && it.author.username == 'a'",
  ]) {
    refuses(text, "unguarded", "it.author", /may be null/);
  }
});

test("guards narrow: present", () => {
  for (const text of [
    "has(query.tag) && query.tag == 'a'",
    "!has(query.tag) || query.tag == 'a'",
    "has(query.tag) ? query.tag == 'a' : true",
    "has(query.tag) && has(query.limit) && query.tag == string(query.limit)",
    "!(!has(query.tag) || !has(query.limit)) && query.tag == string(query.limit)",
    "has(query.offset) && query.offset != null && query.offset > 1",
    "has(counts.a) && counts.a == 1",
    "'a' in counts && counts.a == 1",
    "has(header['if-match']) && header['if-match'] == 'x'",
  ]) {
    assert.equal(typeOf(text), "boolean", text);
  }
  refuses("query.tag == 'a'", "unguarded", "tag", /may be absent.*has\(query.tag\) && .../);
  refuses("query.tag == null", "unguarded", "tag", /may be absent/);
  refuses("has(query.tag) || query.tag == 'a'", "unguarded", "tag", /absent/);
  refuses("has(query.limit) && query.tag == 'a'", "unguarded", "tag", /absent/);
  // Given, null included: presence says nothing about null.
  refuses("has(query.offset) && query.offset > 1", "unguarded", "query.offset", /may be null/);
  refuses("query.offset != null && has(query.offset)", "unguarded", "offset", /absent/);
  refuses("counts.a == 1", "unguarded", "a", /may be absent/);
  refuses("has(query)", "wrong-type", "has(query)", /takes one member/);
  refuses("has(it.author.username)", "unguarded", "it.author", /may be null/);
});

test("facts come in from earlier steps and go out", () => {
  const { whenTrue, whenFalse } = check(
    "has(query.tag) && it.author != null",
    environment,
    noFacts(),
  );
  assert.deepEqual([...whenTrue.present, ...whenTrue.notNull], ["query.tag", "it.author"]);
  assert.deepEqual([...whenFalse.present, ...whenFalse.notNull], []);
  assert.ok(check("size(query.tag) == size(it.author.username)", environment, whenTrue).code);
  const both = mergeFacts(withPresent(noFacts(), "query.limit"), whenTrue);
  assert.ok(check("query.limit > size(query.tag)", environment, both).code);
  const other = check("!has(query.tag) || it.author == null", environment, noFacts());
  assert.deepEqual(other.whenFalse, whenTrue);
  const kept = check("it.id == 1", environment, whenTrue);
  assert.deepEqual(kept.whenTrue.present, whenTrue.present);
  assert.deepEqual(check("false", environment, whenTrue).whenTrue, whenTrue);
});

test("kinds of numbers do not mix, and the hint says what to write", () => {
  refuses("it.price >= 0", "wrong-type", "it.price >= 0", /`0.00`/);
  refuses("it.price + it.id", "wrong-type", "it.price + it.id", /`it.id \* 1.00`/);
  refuses("it.price / 2", "wrong-type", "it.price / 2", /divide\(a, b, places, "half_even"\)/);
  refuses(
    "it.price * 1.5 > it.price",
    "wrong-type",
    "it.price * 1.5 > it.price",
    /round_half_even\(it.price \* 1.5, 2\)/,
  );
  refuses("it.rating + 1", "wrong-type", "it.rating + 1", /`1e0`/);
  refuses("it.rating == 1.5", "wrong-type", "it.rating == 1.5", /`1.5e0`/);
  refuses("it.price % 2.00", "wrong-type", "it.price % 2.00", /does not take/);
  for (const text of [
    "it.price >= 0.0",
    "0.1 < it.price",
    "it.price == (it.id == 1 ? 0.5 : 0.25)",
    "it.price in [0.0, 1.25]",
    "it.price + 0.5 == 1.0",
    "max(it.price, 0.0) == 0.0",
  ]) {
    assert.equal(typeOf(text), "boolean", text);
  }
  refuses("it.price + 0.001 == it.price", "wrong-type", "it.price + 0.001", /places/);
  const wide = check("0.5", environment, noFacts(), { kind: "decimal", places: 2 });
  assert.deepEqual(wide.code, {
    op: "literal",
    type: { kind: "decimal", places: 2 },
    value: "0.50",
  });
});

test("words that a field can never have are named with the nearest", () => {
  refuses("it.status == 'publishd'", "wrong-type", "'publishd'", /never equal.*"published"/);
  refuses("'x' != it.status", "wrong-type", "'x'", /never equal/);
  refuses("it.status in ['draft', 'drft']", "wrong-type", "'drft'", /never equal.*"draft"/);
  refuses("'x' in articles.map(a, a.status)", "wrong-type", "'x'", /never equal/);
  assert.equal(typeOf("it.status in ['draft', 'published']"), "boolean");
  const either: Type = { kind: "string", oneOf: ["draft", "published"] };
  assert.ok(check("it.id == 1 ? 'draft' : 'published'", environment, noFacts(), either).code);
  refuses("'done'", "wrong-type", "'done'", /one of `draft`, `published` is wanted/, either);
  refuses("it.title", "wrong-type", "it.title", /one of .* is wanted/, either);
});

test("secrets are opaque", () => {
  const wanted = /only be stored, compared with null, or given/;
  refuses("caller.password == 'a'", "wrong-type", "caller.password == 'a'", wanted);
  refuses(
    "caller.password == caller.password",
    "wrong-type",
    "caller.password == caller.password",
    /compare what they hash to: `sha256\(caller\.password\) == sha256\(caller\.password\)`/,
  );
  refuses("caller.password + 'a'", "wrong-type", "caller.password + 'a'", wanted);
  refuses("size(caller.password)", "wrong-type", "size(caller.password)", wanted);
  refuses("string(caller.password)", "wrong-type", "string(caller.password)", wanted);
  refuses("caller.password in ['a']", "wrong-type", "caller.password in ['a']", wanted);
  refuses("[caller.password] == ['a']", "wrong-type", "[caller.password] == ['a']", wanted);
  refuses("is_unique([caller.password])", "wrong-type", "is_unique([caller.password])", wanted);
  refuses("caller.password", "wrong-type", "caller.password", wanted, { kind: "string" });
  assert.equal(typeOf("sha256(caller.password)"), "string");
  assert.equal(typeOf("password_matches(caller.password, caller.password)"), "boolean");
  assert.equal(typeOf("caller.password"), "secret");
});

test("rows compare as rows", () => {
  assert.equal(typeOf("it.editor == caller"), "boolean");
  refuses("it.editor == 'joe'", "wrong-type", "it.editor == 'joe'", /`it.editor.id`/);
  refuses("it.author == 5", "wrong-type", "it.author == 5", /never equal.*`it.author.id`/);
  refuses("it == caller", "wrong-type", "it == caller", /never equal/);
  assert.equal(typeOf("it in articles"), "boolean");
  refuses("caller in articles", "wrong-type", "caller in articles", /never equal/);
  refuses("query == query", "wrong-type", "query == query", /compare its members/);
});

test("literal arguments are read at once", () => {
  refuses("it.title.matches('(')", "pattern", "'('", /does not compile/);
  refuses("it.title.matches('(?=a)')", "pattern", "'(?=a)'", /no look-around/);
  refuses(
    "it.title.matches(it.title)",
    "wrong-type",
    "it.title.matches(it.title)",
    /literal pattern/,
  );
  refuses(
    "now > timestamp('2024-02-30T00:00:00Z')",
    "wrong-type",
    "'2024-02-30T00:00:00Z'",
    /RFC 3339/,
  );
  refuses("duration('1x') == now - now", "wrong-type", "'1x'", /duration/);
  refuses("it.due == date('2023-02-29')", "wrong-type", "'2023-02-29'", /date/);
  refuses(
    "date_of(now, 'Europe/Pariss')",
    "wrong-type",
    "date_of(now, 'Europe/Pariss')",
    /time zone/,
  );
  refuses(
    "it.due + duration('1d')",
    "wrong-type",
    "it.due + duration('1d')",
    /add_days\(it.due, 1\)/,
  );
  refuses(
    "round_down(it.price, it.id)",
    "wrong-type",
    "round_down(it.price, it.id)",
    /literal places/,
  );
  refuses("divide(1, 3, 2, 'up')", "wrong-type", "divide(1, 3, 2, 'up')", /half_even/);
  assert.ok(isZone("Europe/Paris") && isZone("+02:00") && isZone("UTC"));
  assert.ok(!isZone("Mars/Olympus") && !isZone("+24:00") && !isZone(""));
});

test("an expected type is held", () => {
  const text: Type = { kind: "string" };
  refuses("it.id", "wrong-type", "it.id", /string is wanted here, this is an integer/, text);
  refuses("it.note", "unguarded", "it.note", /may be null/, text);
  const open = { kind: "nullable", of: text } as const;
  for (const fitting of ["it.note", "null", "it.title"]) {
    assert.ok(check(fitting, environment, noFacts(), open).code, fitting);
  }
  assert.ok(check("[]", environment, noFacts(), { kind: "list", of: text }).code);
});

test("independent problems are all reported, in the order of the text", () => {
  const { problems } = check("it.titel == 'a' || foo && it.price > 0", environment, noFacts());
  assert.deepEqual(
    problems.map((p) => [p.code, p.start]),
    [
      ["unknown-name", 3],
      ["unknown-name", 19],
      ["wrong-type", 26],
    ],
  );
});

test("a tree can be checked in place of its text", () => {
  const { ast } = parse("it.id == 1");
  assert.ok(ast);
  assert.deepEqual(check(ast, environment, noFacts()), check("it.id == 1", environment, noFacts()));
});

test("code is plain data, and its text checks to the same code", () => {
  for (const text of [
    "it.author != null && it.author.username.startsWith('a') || !has(query.tag)",
    "-(it.id - (2 - 3)) * 4 % 5",
    "(it.id == 1 ? 'a' : 'b') + string(-it.id)",
    "-(-1)",
    "-1.50 < it.price",
    "articles.map(a, a.id > 1, a.price)",
    "articles.filter(a, a.id > 1).map(b, b.price)",
    "articles.group(a, a.status, a.id)",
    "{'a': [1, 2][0], \"b\\n\": -2}",
    "1.5e-7 < it.rating",
    "timestamp('2024-01-01T00:00:00Z') + duration('1h') < now",
    "date_of(now, '+02:00') == it.due",
    "has(header['if-match']) && header['if-match'] == '\\u0007\"'",
    "!(!(it.id == 1))",
    "(it.id == 1) == (it.id == 2)",
    "it.id - 1 - 2 == it.id - (1 - 2)",
    "articles.filter(a, a.note != null).map(a, a.note)",
    "articles.filter(a, a.note != null).map(b, b.note)",
    "(true ? false : true) ? (true ? 1 : 2) : 3",
  ]) {
    const first = check(text, environment, noFacts());
    assert.ok(first.code, `${text}: ${JSON.stringify(first.problems)}`);
    const code: unknown = JSON.parse(JSON.stringify(first.code));
    assert.deepEqual(code, first.code);
    const again = check(render(first.code), environment, noFacts());
    assert.deepEqual(again.code, first.code, render(first.code));
  }
});

test("references are what code reads from outside", () => {
  const { code } = check(
    "articles.filter(a, a.author == caller).exists(it, it.editor.username == slug('x'))",
    environment,
    noFacts(),
  );
  assert.ok(code);
  const found = references(code);
  assert.deepEqual([...found.names], ["caller"]);
  assert.deepEqual([...found.resources], ["Article"]);
  assert.deepEqual([...found.functions], ["slug"]);
  assert.deepEqual(
    found.members.map(({ of, member }) => `${of}.${member}`),
    ["Article.author", "User.username", "Article.editor"],
  );
});

test("any text gives code or problems within it, never an exception", () => {
  console.log(`SEED=${seed}`);
  const pieces =
    "it . author username query tag ( ) == != && || ! null 1 1.5 1e0 'a' [ ] { } : ? , in + - * / " +
    "has( .exists(a, .map(a, .group( size( articles caller true a now duration( '1d' max(";
  const text = fc
    .array(fc.constantFrom(...pieces.split(" ")), { maxLength: 14 })
    .map((parts) => parts.join(" ").replaceAll(" . ", "."));
  let sound = 0;
  fc.assert(
    fc.property(text, (expr) => {
      const { code, problems } = check(expr, environment, noFacts());
      assert.equal(code === undefined, problems.length > 0, expr);
      for (const { start, end } of problems) {
        assert.ok(0 <= start && start <= end && end <= expr.length, expr);
      }
      if (code) sound++;
    }),
    { seed, numRuns: 8_000 },
  );
  assert.ok(sound > 0, "some are without problems");
});

test("the longest chains and widest literals are checked", () => {
  const chain = Array.from({ length: HEIGHT_MAX - 3 }, () => "it.author != null").join(" && ");
  assert.ok(check(chain, environment, noFacts()).code);
  const wrong = `${"(it.price + ".repeat(90)}1${")".repeat(90)}`;
  assert.equal(check(wrong, environment, noFacts()).problems.length, 1);
  const words = Array.from({ length: 8000 }, (_, i) => `'w${i}'`);
  assert.ok(check(`it.title in [${words.join(",")}]`, environment, noFacts()).code);
});

const PART: Type = { kind: "object", name: "part:Size" };
const parts = new Map([
  ["width", { type: { kind: "integer" } as const, absent: false }],
  ["price", { type: { kind: "decimal", places: 2 } as const, absent: true }],
  ["of", { type: { kind: "row", resource: "User" } as const, absent: true }],
]);
const withParts = {
  ...environment,
  members: (type: Parameters<typeof environment.members>[0]) =>
    type.name === "part:Size" ? parts : environment.members(type),
};

test("a part and JSON are written as literals where they are wanted", () => {
  const json: Type = { kind: "json" };
  const right: readonly [text: string, wanted: Type][] = [
    ["{'width': 1, 'price': 1.5}", PART],
    ["{'width': 1, 'of': caller}", PART],
    ["[{'width': 1}, {'width': size(it.tags)}]", { kind: "list", of: PART }],
    ["{'a': 1.50, 'b': [true, null, 'x'], 'c': it.title}", json],
    ["it.title", json],
    ["[1, 2e0]", json],
    ["{'a': it.id, 'b': it.price, 'c': it.rating}", json],
    ["null", { kind: "nullable", of: PART }],
  ];
  for (const [text, wanted] of right) {
    const { problems } = check(text, withParts, noFacts(), wanted);
    assert.deepEqual(problems, [], text);
  }
  const wrong: readonly [text: string, wanted: Type, words: RegExp][] = [
    ["{'price': 1.50}", PART, /needs `width`/],
    ["{'width': 'a'}", PART, /integer is wanted here/],
    ["{'widht': 1, 'width': 1}", PART, /did you mean `width`/],
    ["{'width': 1, 'width': 2}", PART, /stands twice/],
    ["{'a': it.created}", json, /json is wanted here, this is a timestamp.*`string\(it.created\)`/],
  ];
  for (const [text, wanted, words] of wrong) {
    const { problems, code } = check(text, withParts, noFacts(), wanted);
    assert.equal(code, undefined, text);
    assert.match(problems.map((one) => `${one.message} ${one.hint ?? ""}`).join("; "), words, text);
  }
});

test("a word guards what comes with it", () => {
  const said = new Map([
    ["word", { type: { kind: "string", oneOf: ["yes", "no", "later"] } as const, absent: false }],
    [
      "code",
      {
        type: { kind: "string" } as const,
        absent: true,
        givenWhen: { member: "word", words: ["no", "later"] },
      },
    ],
  ]);
  const open = {
    ...environment,
    names: new Map([...environment.names, ["x", { kind: "object", name: "said" } as const]]),
    members: (type: Parameters<typeof environment.members>[0]) =>
      type.name === "said" ? said : environment.members(type),
  };
  const problems = (text: string) => check(text, open, noFacts()).problems.length;
  assert.equal(problems("x.word == 'no' && x.code == 'a'"), 0);
  assert.equal(problems("x.word != 'yes' && x.code == 'a'"), 0);
  assert.equal(problems("x.word == 'yes' || x.code == 'a'"), 0);
  assert.equal(problems("x.word == 'yes' && x.code == 'a'"), 1);
  assert.equal(problems("x.word != 'no' && x.code == 'a'"), 1);
  assert.equal(problems("x.code == 'a'"), 1);
});
