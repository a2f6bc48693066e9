/** The parser: shapes, places, literals, bounds, and totality over random texts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Ast } from "../../src/expr/index.ts";
import { childrenOf, HEIGHT_MAX, NESTING_MAX, parse, TEXT_MAX } from "../../src/expr/index.ts";
import { testSeed } from "../random.ts";

const seed = testSeed;

/** The tree with all its operators in parentheses. */
function shape(ast: Ast): string {
  switch (ast.kind) {
    case "literal":
      return ast.literal === "string" ? JSON.stringify(ast.value) : String(ast.value);
    case "name":
      return ast.name;
    case "member":
      return `${shape(ast.of)}.${ast.member}`;
    case "index":
      return `${shape(ast.of)}[${shape(ast.at)}]`;
    case "list":
      return `[${ast.items.map(shape).join(",")}]`;
    case "map":
      return `{${ast.entries.map((e) => `${shape(e.key)}:${shape(e.value)}`).join(",")}}`;
    case "unary":
      return `(${ast.operator}${shape(ast.operand)})`;
    case "binary":
      return `(${shape(ast.left)}${ast.operator}${shape(ast.right)})`;
    case "conditional":
      return `(${shape(ast.condition)}?${shape(ast.then)}:${shape(ast.otherwise)})`;
    case "call":
      return `${ast.receiver ? `${shape(ast.receiver)}.` : ""}${ast.fn}(${ast.args.map(shape)})`;
  }
}

function shapeOf(text: string): string {
  const { ast, problems } = parse(text);
  assert.deepEqual(problems, [], text);
  assert.ok(ast);
  return shape(ast);
}

function problemOf(text: string) {
  const { ast, problems } = parse(text);
  assert.equal(ast, undefined, text);
  assert.equal(problems.length, 1, text);
  return problems[0];
}

test("operators bind as in CEL", () => {
  assert.equal(shapeOf("a || b && c == d + e * -f"), "(a||(b&&(c==(d+(e*(-f))))))");
  assert.equal(shapeOf("a - b - c"), "((a-b)-c)");
  assert.equal(shapeOf("a ? b : c ? d : e"), "(a?b:(c?d:e))");
  assert.equal(shapeOf("!a.b[0].c(d, e) in f"), "((!a.b[0].c(d,e))inf)");
  assert.equal(shapeOf("(a + b) * c"), "((a+b)*c)");
  assert.equal(shapeOf('{"a": 1, "b": [2, 3,],}'), '{"a":1,"b":[2,3]}');
});

test("literals have canonical text", () => {
  assert.equal(shapeOf("0x1F + 007 - -5"), "((31+7)--5)");
  assert.equal(shapeOf("[0.00, .5, 00.50, -0.0, 1.5e3, 1E-7]"), "[0.00,0.5,0.50,0.0,1.5e+3,1e-7]");
  assert.equal(
    shapeOf(`'it\\'s' + r"\\d" + "\\u00e9\\x41\\101\\U0001F600"`),
    '(("it\'s"+"\\\\d")+"éAA😀")',
  );
  assert.equal(shapeOf(`[${"9".repeat(38)}]`), `[${"9".repeat(38)}]`);
});

test("nodes know their places", () => {
  const { ast } = parse("a.bc  == f(x)");
  assert.ok(ast?.kind === "binary" && ast.left.kind === "member" && ast.right.kind === "call");
  assert.deepEqual([ast.start, ast.end], [0, 13]);
  assert.deepEqual([ast.left.start, ast.left.memberStart, ast.left.end], [0, 2, 4]);
  assert.deepEqual([ast.right.fnStart, ast.right.args[0]?.start], [9, 11]);
});

test("problems are at their own place", () => {
  const cases: readonly [text: string, code: string, start: number, part: RegExp][] = [
    ["1 +", "syntax", 3, /expected a value, found the end/],
    ["a b", "syntax", 2, /unexpected `b`/],
    ["", "syntax", 0, /expected a value/],
    ["(a", "syntax", 2, /expected `\)`/],
    ["f(a,)", "syntax", 4, /unexpected/],
    ["a = b", "syntax", 2, /unexpected character `=`/],
    ["a # b", "syntax", 2, /`#`/],
    ["'abc", "syntax", 0, /does not end/],
    ["'a\nb'", "syntax", 0, /does not end/],
    ["'a\\qb'", "syntax", 2, /unknown escape/],
    ["'\\ud800'", "syntax", 1, /not a Unicode character/],
    ["'''a'''", "syntax", 0, /triple/],
    ["b'a'", "syntax", 0, /byte strings/],
    ["5u", "syntax", 0, /unsigned/],
    ["5x", "syntax", 0, /letter/],
    ["a + T{x: 1}", "syntax", 4, /messages/],
    ["for + 1", "syntax", 0, /word of CEL/],
    ["a\u202eb", "syntax", 1, /U\+202E/],
    ["9".repeat(39), "too-large", 0, /38 digits/],
    [`0.${"0".repeat(39)}`, "too-large", 0, /38 digits/],
    ["1e999", "too-large", 0, /binary64/],
  ];
  for (const [text, code, start, part] of cases) {
    const problem = problemOf(text);
    assert.equal(problem?.code, code, text);
    assert.equal(problem?.start, start, text);
    assert.match(problem?.message ?? "", part, text);
  }
});

test("size, nesting and height are bounded", () => {
  assert.equal(problemOf(" ".repeat(TEXT_MAX + 1))?.code, "too-large");
  const nest = (depth: number): string => `${"(".repeat(depth)}a${")".repeat(depth)}`;
  assert.equal(shapeOf(nest(NESTING_MAX - 1)), "a");
  assert.equal(problemOf(nest(NESTING_MAX))?.code, "too-large");
  assert.equal(problemOf("!".repeat(60_000))?.code, "too-large");
  assert.equal(problemOf("[".repeat(60_000))?.code, "too-large");
  assert.equal(problemOf("a?b:".repeat(10_000))?.code, "too-large");
  assert.ok(parse(Array(HEIGHT_MAX).fill("a").join("+")).ast);
  assert.equal(
    problemOf(
      Array(HEIGHT_MAX + 1)
        .fill("a")
        .join("+"),
    )?.code,
    "too-large",
  );
  assert.equal(problemOf(`a${".b".repeat(30_000)}`)?.code, "too-large");
});

test("any text gives a tree or one problem within it, quickly", () => {
  console.log(`SEED=${seed}`);
  const pieces = fc.constantFrom(
    ..."a 1 0x 1.5 .5 1e 'a' \" ' \\ r' b' ( ) [ ] { } . , : ? ! - + * / % < = == && || in has".split(
      " ",
    ),
    " ",
    "\n",
    "\u0000",
    "\ud800",
    "😀",
    "`",
    "//",
    "true",
    "null",
    "for",
  );
  const texts = fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(texts, fc.string({ unit: "binary" })), (text) => {
      const { ast, problems } = parse(text);
      assert.equal(problems.length, ast ? 0 : 1);
      for (const { start, end } of ast ? placed(ast) : problems) {
        assert.ok(0 <= start && start <= end && end <= text.length, JSON.stringify(text));
      }
    }),
    { seed, numRuns: 5000 },
  );
});

function placed(ast: Ast): readonly Ast[] {
  return [ast, ...childrenOf(ast).flatMap(placed)];
}
