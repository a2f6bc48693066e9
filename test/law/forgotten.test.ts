/** What is stated and not enforced does not compile: an entry taken out of a table is refused. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Seam, seamsOf } from "./seams.ts";

const root = join(import.meta.dirname, "../..");
const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => join("src", path));

interface Place {
  readonly file: string;
  readonly line: number;
}

/** Where the compiler sees errors in the sources with other texts in place of some files. */
function errorsWith(changed: ReadonlyMap<string, string>): Place[] {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-law-"));
  try {
    cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
    for (const name of ["tsconfig.json", "package.json"])
      cpSync(join(root, name), join(folder, name));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const [file, text] of changed) writeFileSync(join(folder, file), text);
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const args = [compiler, "-p", "tsconfig.json", "--noEmit", "--noUnusedLocals", "false"];
    const done = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    return [...done.stdout.matchAll(/^(\S+\.ts)\((\d+),\d+\): error/gm)].map(([, file, line]) => ({
      file: file ?? "",
      line: Number(line),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The text without what a seam's first entry says; lines stay where they are. */
function without(text: string, { start, end }: Seam): string {
  return text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, " ") + text.slice(end);
}

test("an entry taken out of any table or switch over a closed union does not compile", () => {
  const seams = sources.flatMap((file) => seamsOf(file, readFileSync(join(root, file), "utf8")));
  assert.ok(seams.length > 60, `${seams.length} seams`);
  const changed = new Map<string, string>();
  for (const seam of seams) {
    const text = changed.get(seam.file) ?? readFileSync(join(root, seam.file), "utf8");
    changed.set(seam.file, without(text, seam));
  }
  const errors = errorsWith(changed);
  const silent = seams.filter(
    ({ file, from, to }) =>
      !errors.some((one) => one.file === file && from <= one.line && one.line <= to),
  );
  assert.deepEqual(
    silent.map(({ file, from, what }) => `${file}:${from}: ${what}`),
    [],
  );
});

interface Novelty {
  readonly what: string;
  /** Texts that are put behind others, by file. */
  readonly adds: readonly (readonly [file: string, behind: string, text: string])[];
  /** Files that must not compile before they say what they do with it. */
  readonly refused: readonly string[];
}

const RULE =
  "export type Rule = { readonly id: ItemId } /** Characters are Unicode code points. */ & (";
const kind = (name: string): string => `\n | { readonly kind: "${name}" }`;

/** Compiled together: no file is refused for two of them. */
const FORGOTTEN: readonly Novelty[] = [
  {
    what: "a type",
    adds: [["plan/types/value.ts", "export type BaseType =", kind("novelType")]],
    refused: [
      "plan/scalar-types.ts",
      "plan/type-kinds.ts",
      "run/read/scalar.ts",
      "run/show/scalar.ts",
      "store/schema/columns.ts",
      "store/schema/json.ts",
    ],
  },
  {
    what: "a rule",
    adds: [["plan/types/value.ts", RULE, kind("novelRule")]],
    refused: ["plan/rule-kinds.ts", "check/rules/occurs.ts"],
  },
  {
    what: "a step",
    adds: [
      ["plan/types/step.ts", "export type Step = { readonly id: ItemId } & (", kind("novelStep")],
    ],
    refused: ["plan/causes/steps.ts", "plan/step-kinds.ts", "run/steps/index.ts"],
  },
  {
    what: "a condition",
    adds: [["plan/types/condition.ts", "export type FailureCondition =", ' "novelCondition" |']],
    refused: ["language/conditions.ts", "plan/causes/stages.ts"],
  },
];

const UNENFORCED: Novelty = {
  what: "a rule that is said to be judged in reading",
  adds: [
    ["plan/types/value.ts", RULE, kind("novelRule")],
    [
      "plan/rule-kinds.ts",
      "export const ruleKinds = {",
      '\n novelRule: { by: "reading", types: TEXTS, places: EVERYWHERE },',
    ],
  ],
  refused: ["run/read/rules.ts"],
};

for (const novelties of [FORGOTTEN, [UNENFORCED]]) {
  test(`${novelties.map(({ what }) => what).join(", ")} that nobody enforces does not compile`, () => {
    const changed = new Map<string, string>();
    for (const [file, behind, text] of novelties.flatMap(({ adds }) => adds)) {
      const path = `src/${file}`;
      const before = changed.get(path) ?? readFileSync(join(root, path), "utf8");
      assert.ok(before.includes(behind), `${path} has no ${behind}`);
      changed.set(path, before.replace(behind, behind + text));
    }
    const found = new Set(errorsWith(changed).map((one) => one.file));
    const expected = novelties.flatMap(({ refused }) => refused);
    assert.equal(new Set(expected).size, expected.length);
    assert.deepEqual(
      expected.filter((file) => !found.has(`src/${file}`)),
      [],
    );
  });
}
