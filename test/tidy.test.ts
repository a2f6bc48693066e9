/** The repository keeps its own rules, and the checker of those rules sees each breach. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { judgePlacesOf } from "../scripts/tidy/inner.ts";
import { judgeLock, judgePaths, judgePlaces } from "../scripts/tidy/prose.ts";
import { cycles, judgeImports } from "../scripts/tidy/rooms.ts";
import { judgeShape } from "../scripts/tidy/shape.ts";
import { readSource } from "../scripts/tidy/source.ts";
import { judgeExports } from "../scripts/tidy/unused.ts";
import { formatProblem, tidy } from "../scripts/tidy.ts";

const HEADER = "/** A sample that takes nothing and gives nothing. */\n";

/** The rules that one sample at `path` breaks, with the line of each breach. */
function breaches(path: string, text: string): string[] {
  const source = readSource(path, text);
  return [...judgeImports([source]), ...judgeShape(source)].map(
    (problem) => `${problem.line} ${problem.rule}`,
  );
}

test("the repository is tidy", () => {
  const problems = tidy(join(import.meta.dirname, ".."));
  assert.equal(problems.map(formatProblem).join("\n"), "");
});

test("imports are judged by the table of rooms", () => {
  const cases: [path: string, line: string, isRight: boolean][] = [
    ["src/base/a.ts", `import { b } from "./b.ts";`, true],
    ["src/base/a.ts", `import { b } from "../expr/index.ts";`, false],
    ["src/expr/a.ts", `import { b } from "../base/index.ts";`, true],
    ["src/expr/a.ts", `import { b } from "../base/span.ts";`, false],
    ["src/expr/deep/a.ts", `import { b } from "../index.ts";`, true],
    ["src/expr/deep/a.ts", `import { b } from "../../base/index.ts";`, true],
    ["src/expr/deep/a.ts", `import { b } from "../../plan/index.ts";`, false],
    ["src/expr/a.ts", `export * from "../plan/index.ts";`, false],
    ["src/expr/a.ts", `const b = await import("../plan/index.ts");`, false],
    ["src/expr/a.ts", `type B = import("../plan/index.ts").B;`, false],
    ["src/expr/a.ts", `import { b } from "../../scripts/tidy.ts";`, false],
    ["src/expr/a.ts", `import { b } from "re2js";`, true],
    ["src/base/a.ts", `import { b } from "re2js";`, false],
    ["src/read/a.ts", `import { readFileSync } from "node:fs";`, false],
    ["src/read/a.ts", `import { readFileSync } from "fs";`, false],
    ["src/store/a.ts", `import { readFileSync } from "node:fs";`, true],
    ["src/spec/a.ts", `import type { B } from "../plan/index.ts";`, true],
    ["src/spec/a.ts", `import { type B } from "../plan/index.ts";`, true],
    ["src/spec/a.ts", `import { type B, c } from "../plan/index.ts";`, false],
    ["src/plan/a.ts", `import type { B } from "../check/index.ts";`, false],
    ["src/run/ports/a.ts", `import type { B } from "../../spec/index.ts";`, false],
    ["src/store/sqlite/a.ts", `import type { B } from "../../language/index.ts";`, false],
    ["src/serve/http/a.ts", `import type { B } from "../../spec/index.ts";`, false],
    ["src/store/a.ts", `export type { B } from "../run/index.ts";`, true],
    ["src/store/a.ts", `import { step } from "../run/index.ts";`, false],
    ["src/index.ts", `export { check } from "./check/index.ts";`, true],
    ["src/index.ts", `export { check } from "./check/rule.ts";`, false],
    ["src/check/a.ts", `import { main } from "../cli/index.ts";`, false],
    ["src/cellar/a.ts", `import { b } from "./b.ts";`, false],
  ];
  for (const [path, line, isRight] of cases) {
    const problems = judgeImports([readSource(path, line)]);
    assert.equal(problems.length, isRight ? 0 : 1, `${path}: ${line}`);
  }
});

test("arrows between inner rooms go one way", () => {
  const cases: [path: string, line: string, isRight: boolean][] = [
    ["src/run/query/a.ts", `import { b } from "../context/b.ts";`, true],
    ["src/run/context/a.ts", `import { b } from "../query/b.ts";`, false],
    ["src/run/context/a.ts", `import type { B } from "../query/b.ts";`, false],
    ["src/run/context/a.ts", `export * from "../query/b.ts";`, false],
    ["src/run/context/a.ts", `const b = await import("../query/b.ts");`, false],
    ["src/run/query/deep/a.ts", `import { b } from "../b.ts";`, true],
    ["src/run/query/deep/a.ts", `import { b } from "../../steps/b.ts";`, false],
    ["src/run/steps/a.ts", `import { b } from "../index.ts";`, false],
    ["src/serve/options.ts", `import { b } from "./http/b.ts";`, true],
    ["src/serve/http/a.ts", `import { b } from "../options.ts";`, false],
    ["src/check/rules/a.ts", `import { b } from "../resolve/names/b.ts";`, true],
    ["src/check/resolve/names/a.ts", `import { b } from "../../rules/b.ts";`, false],
    ["src/check/resolve/names/a.ts", `import { b } from "../steps/b.ts";`, false],
    ["src/check/resolve/steps/a.ts", `import { b } from "../names/b.ts";`, true],
  ];
  for (const [path, line, isRight] of cases) {
    const problems = judgeImports([readSource(path, line)]);
    assert.equal(problems.length, isRight ? 0 : 1, `${path}: ${line}`);
  }
});

test("a file of a room with inner rooms stands in one of them, or is named", () => {
  const judged = (path: string): number => judgePlacesOf([readSource(path, HEADER)]).length;
  for (const right of ["src/run/index.ts", "src/run/steps/a.ts", "src/base/a.ts"]) {
    assert.equal(judged(right), 0, right);
  }
  for (const wrong of ["src/run/a.ts", "src/run/misc/a.ts", "src/check/resolve/a.ts"]) {
    assert.equal(judged(wrong), 1, wrong);
  }
});

test("cycles between files are found, through types too", () => {
  const files: Record<string, string> = {
    "src/expr/a.ts": `import { b } from "./b.ts";`,
    "src/expr/b.ts": `import { c } from "./deep/c.ts";`,
    "src/expr/deep/c.ts": `import type { A } from "../a.ts";`,
    "src/expr/d.ts": `import { a } from "./a.ts"; import { b } from "./b.ts";`,
  };
  const sources = Object.entries(files).map(([path, text]) => readSource(path, text));
  assert.deepEqual(cycles(sources), [["src/expr/a.ts", "src/expr/b.ts", "src/expr/deep/c.ts"]]);
  assert.deepEqual(cycles(sources.filter((each) => each.path !== "src/expr/b.ts")), []);
});

test("a switch over a kind names every kind", () => {
  const over = (what: string, other: string) =>
    breaches("src/base/a.ts", `${HEADER}switch (${what}) {\ncase "a":\ndefault:\n${other}\n}\n`);
  assert.deepEqual(over("step.kind", "f();"), ["4 unnamed-kinds"]);
  assert.deepEqual(over("step.kind", "never(step);"), []);
  assert.deepEqual(over("text[0]", "f();"), []);
});

test("what is stated is asked of the plan's own helpers", () => {
  const asked = (path: string, text: string) => breaches(path, `${HEADER}f(${text});\n`);
  assert.deepEqual(asked("src/run/a.ts", 'who.is === "stated"'), ["2 bare-stated"]);
  assert.deepEqual(asked("src/run/a.ts", 'a?.b.is !== "stated"'), ["2 bare-stated"]);
  assert.deepEqual(asked("src/run/a.ts", 'who.status === "stated"'), []);
  assert.deepEqual(asked("src/plan/a.ts", 'who.is === "stated"'), []);
});

test("what is exported is imported by somebody", () => {
  const unused = (user: string, other = "") =>
    judgeExports(
      [
        readSource("src/base/a.ts", "export const a = 1;\nexport { b } from './b.ts';\n"),
        readSource("src/run/c.ts", user),
      ],
      [other],
    ).map(({ line, message }) => `${line} ${message}`);
  const NOBODY = ["1 nobody imports `a`", "2 nobody imports `b`"];
  assert.deepEqual(unused(""), NOBODY);
  assert.deepEqual(unused('import { a, type b as c } from "../base/a.ts";'), []);
  assert.deepEqual(unused('const { a } = await import("../base/a.ts");'), NOBODY.slice(1));
  assert.deepEqual(unused('(await import("../base/a.ts")).b();'), NOBODY.slice(0, 1));
  assert.deepEqual(unused("", 'import { a, b } from "../src/base/a.ts";'), []);
  assert.deepEqual(unused('export { c } from "./d.ts";'), [...NOBODY, "1 nobody imports `c`"]);
});

test("lengths: files, functions, parameters, columns", () => {
  const line = "f();\n";
  assert.deepEqual(breaches("src/base/a.ts", HEADER + line.repeat(399)), []);
  assert.deepEqual(breaches("src/base/a.ts", HEADER + line.repeat(400)), ["401 file-length"]);
  const body = (lines: number) => `const f = () => {\n${"g();\n".repeat(lines - 2)}};\n`;
  assert.deepEqual(breaches("src/base/a.ts", HEADER + body(70)), []);
  assert.deepEqual(breaches("src/base/a.ts", HEADER + body(71)), ["2 function-length"]);
  const four = "class A { m(this: A, a: 1, b: 2, c: 3, d: 4) {} }\n";
  assert.deepEqual(breaches("src/base/a.ts", HEADER + four), []);
  const five = "class A { m({ a }: B, b = 2, c: 3, d: 4, ...e: 5[]) {} }\n";
  assert.deepEqual(breaches("src/base/a.ts", HEADER + five), ["2 parameters"]);
  const wide = (columns: number) => `// ${"\u{1F600}".repeat(columns - 3)}\n`;
  assert.deepEqual(breaches("src/base/a.ts", HEADER + wide(100)), []);
  assert.deepEqual(breaches("src/base/a.ts", HEADER + wide(101)), ["2 columns"]);
});

test("a data table may be long and hold long texts, but not branch", () => {
  const marked = `/* data table */\n${HEADER}`;
  const row = `row({ text: "${"x".repeat(120)}", more: 1 });\n`;
  assert.deepEqual(breaches("src/base/a.ts", marked + row.repeat(500)), []);
  assert.deepEqual(breaches("src/base/a.ts", `${HEADER}${row}`), ["2 columns"]);
  const branch = "if (a) b();\n";
  assert.deepEqual(breaches("src/base/a.ts", marked + branch), ["3 data-table"]);
  const late = `${HEADER}\n\n/* data table */\n${"f();\n".repeat(400)}`;
  assert.deepEqual(breaches("src/base/a.ts", late), ["401 file-length"]);
});

test("`any` and comments that switch checking off", () => {
  const cases = ["let a: any;", "f(a as any);", "type A = Map<string, any[]>;", "// @ts-ignore"];
  for (const text of cases) {
    assert.deepEqual(breaches("src/base/a.ts", `${HEADER}${text}\n`), ["2 any"], text);
  }
  const innocent = `const any = "any"; // any\nobject.any = any;\n`;
  assert.deepEqual(breaches("src/base/a.ts", HEADER + innocent), []);
});

test("each file has a header, each exported function a doc comment of its own", () => {
  assert.deepEqual(breaches("src/base/a.ts", "const a = 1;\n"), ["1 header"]);
  assert.deepEqual(breaches("src/base/a.ts", `const a = 1;\n${HEADER}`), ["1 header"]);
  assert.deepEqual(breaches("src/base/a.ts", "/** */\nconst a = 1;\n"), ["1 header"]);
  assert.deepEqual(breaches("src/base/a.ts", `#!/usr/bin/env node\n${HEADER}`), []);
  const f = "export function f(): void {}\n";
  assert.deepEqual(breaches("src/base/a.ts", HEADER + f), ["2 doc"]);
  const doc = "/** Does f. */\n";
  assert.deepEqual(breaches("src/base/a.ts", HEADER + doc + f), []);
  assert.deepEqual(breaches("src/base/a.ts", `${HEADER}${doc}\n${f}`), ["4 doc"]);
  assert.deepEqual(breaches("src/base/a.ts", `${HEADER}// Does f.\n${f}`), ["3 doc"]);
  const arrow = "export const g = (): number => 1;\n";
  assert.deepEqual(breaches("src/base/a.ts", HEADER + arrow), ["2 doc"]);
  const later = "const h = (): number => 1;\nexport { h };\n";
  assert.deepEqual(breaches("src/base/a.ts", HEADER + later), ["2 doc"]);
  const overloads = `${doc}export function f(a: 1): void;\nexport function f(a: 2): void;\n`;
  assert.deepEqual(breaches("src/base/a.ts", HEADER + overloads), []);
});

test("clock, chance and platform are closed to the pure rooms", () => {
  const uses = ["Date.now();", "new Date();", "Math.random();", "process.exit();", "fetch(a);"];
  for (const text of [...uses, `console.log("a");`, "setTimeout(a, 1);", "Buffer.from(a);"]) {
    assert.deepEqual(breaches("src/run/a.ts", `${HEADER}${text}\n`), ["2 platform"], text);
    assert.deepEqual(breaches("src/serve/a.ts", `${HEADER}${text}\n`), [], text);
  }
  const own = "function f(process: P): void { process.go(); }\nnew Date(a);\nMath.max(1);\n";
  assert.deepEqual(breaches("src/run/a.ts", HEADER + own), []);
});

test("paths that a document names exist", () => {
  const known = ["README.md", "src/base/span.ts", "examples/todo/spec.md", ".ci/run"];
  const right =
    "`src/base`, `./src/base/`, `src/base/span.ts:12`, `README.md`, `examples/NAME/spec.md`, " +
    "`src/*/span.ts`, `src/**/span.ts`, `.ci/run`, `application/json`, `GET /src/x`, `a / b`\n" +
    "```\n`src/none.ts`\n```\n";
  assert.deepEqual(judgePaths("a.md", right, known), []);
  for (const wrong of ["src/none", "NONE.md", "src/bas", "examples/NAME/none.md", "src/*/x.ts"]) {
    const problems = judgePaths("a.md", `text\nsee \`${wrong}\`\n`, known);
    assert.deepEqual(
      problems.map((each) => [each.line, each.rule]),
      [[2, "named-path"]],
      wrong,
    );
  }
});

test("no text names a place of one machine", () => {
  const slash = "/";
  for (const top of ["home", "root", "work", "Users"]) {
    assert.equal(judgePlaces("a", `see ${slash}${top}/someone\n`).length, 1, top);
  }
  assert.equal(judgePlaces("a", `https:${slash}/registry.example/a\n`).length, 1);
  assert.deepEqual(judgePlaces("a", "src/work/a, GET /users/1, https://example.com/home\n"), []);
});

test("the lock file has no addresses and is complete", () => {
  const right = {
    "": { optionalDependencies: { a: "1" } },
    "node_modules/a": { version: "1" },
  };
  const judge = (packages: object) => judgeLock("l", JSON.stringify({ packages })).length;
  assert.equal(judge(right), 0);
  assert.equal(judge({ "": right[""] }), 1);
  assert.equal(judge({ ...right, "node_modules/a": { resolved: "x" } }), 1);
});
