/**
 * The required tests of JSON Schema 2020-12 (json-schema-org/JSON-Schema-Test-Suite), from the
 * corpora beside the repository: verdicts agree on each case that the model expresses, and the
 * others are refused by name. `docs/reference/types.md` has how many are refused, and why.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { jsonText, judgeSchemas, readJson, Schemas, type Tree } from "../../src/schema/index.ts";

const ROOT = join(import.meta.dirname, "../..");
const CORPORA = process.env["LACUNA_CORPORA"] ?? join(ROOT, "../shared/corpora");
const SUITE = join(CORPORA, "json-schema-2020-12");
const REFERENCE = join(ROOT, "docs/reference/types.md");

type Members = ReadonlyMap<string, Tree>;

/** References to the whole schema are references to it by its name in a document. */
function renamed(value: Tree): Tree {
  if (Array.isArray(value)) return value.map(renamed);
  if (!(value instanceof Map)) return value;
  return new Map(
    [...(value as Members)].map(([name, one]): [string, Tree] => {
      if (name === "enum" || name === "const") return [name, one];
      const isOwn = name === "$ref" && typeof one === "string" && /^#(\/|$)/.test(one);
      return [name, isOwn ? `#/$defs/Suite${one.slice(1)}` : renamed(one)];
    }),
  );
}

/** Why a group is refused: the first of these that its problems name. */
const CAUSES: readonly (readonly [cause: string, told: RegExp])[] = [
  ["`$dynamicRef`, `$dynamicAnchor`", /^`\$dynamic(Ref|Anchor)` is not/],
  ["`$id`", /^`\$id` is not/],
  ["another `$schema`", /not in the dialect/],
  ["a reference out of the document", /leads out of the document/],
];

interface Outcome {
  readonly agreed: number;
  readonly wrong: readonly string[];
  readonly refused: ReadonlyMap<string, number>;
}

function run(file: string): Outcome {
  const read = readJson(readFileSync(join(SUITE, file), "utf8"));
  assert.ok(read.ok, file);
  let agreed = 0;
  const wrong: string[] = [];
  const refused = new Map<string, number>();
  for (const group of read.value as readonly Members[]) {
    const text = jsonText(renamed(group.get("schema") ?? true));
    const tests = group.get("tests") as readonly Members[];
    const problems = judgeSchemas([{ name: "Suite", read: readJson(text) }]);
    if (problems.length > 0) {
      const cause = CAUSES.find(([, told]) => problems.some(({ message }) => told.test(message)));
      const name = cause?.[0] ?? problems[0]?.message ?? "";
      refused.set(name, (refused.get(name) ?? 0) + tests.length);
      continue;
    }
    const schemas = new Schemas([{ name: "Suite", text }]);
    for (const one of tests) {
      const verdict = schemas.judge("Suite", one.get("data") ?? null);
      if ((verdict === "valid") === one.get("valid")) agreed++;
      else wrong.push(`${file}: ${group.get("description")}: ${one.get("description")}`);
    }
  }
  return { agreed, wrong, refused };
}

const skip = existsSync(SUITE) ? false : "json-schema-2020-12: not found, skipped";

test("required cases of JSON Schema 2020-12 agree, or are refused by name", { skip }, (context) => {
  const files = readdirSync(SUITE).filter((name) => name.endsWith(".json"));
  const outcomes = files.sort().map(run);
  assert.deepEqual(
    outcomes.flatMap(({ wrong }) => wrong),
    [],
  );
  const agreed = outcomes.reduce((sum, one) => sum + one.agreed, 0);
  const refused = new Map(CAUSES.map(([cause]) => [cause, 0]));
  for (const [cause, count] of outcomes.flatMap((one) => [...one.refused])) {
    refused.set(cause, (refused.get(cause) ?? 0) + count);
  }
  const all = [...refused.values()].reduce((sum, count) => sum + count, agreed);
  context.diagnostic(`${agreed} of ${all} agree`);
  const page = readFileSync(REFERENCE, "utf8");
  assert.ok(page.includes(`${agreed} of ${all}`), `${agreed} of ${all} agree`);
  for (const [cause, count] of refused) {
    assert.ok(page.includes(`| ${cause} | ${count} |`), `${cause}: ${count} cases`);
  }
});
