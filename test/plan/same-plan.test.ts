/** `scripts/same-plan.ts`: documents in another order or layout state the same; others do not. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { differences } from "../../scripts/same-plan/differences.ts";
import { compile, format } from "../../src/index.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "lacuna-same-plan-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const examples = readdirSync(join(root, "examples")).map((name) => `examples/${name}/spec.md`);
const unseen = readdirSync(join(root, "test/unseen")).map((name) => `test/unseen/${name}`);
const documents = [...examples, ...unseen].filter(
  (file) => file.endsWith(".md") && existsSync(join(root, file)),
);

function textAt(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function planOf(text: string): unknown {
  const { planned } = compile(new TextEncoder().encode(text));
  assert.ok(planned);
  return planned.plan;
}

/** The document with the constructs of each part in the opposite order, and laid out anew. */
function turned(text: string): string {
  const parts = text.split(/^(?=## )/m).map((part) => {
    const pieces = part.split(/^(?=### )/m);
    const [head = "", ...constructs] = pieces;
    return [head.trimEnd(), ...constructs.map((one) => one.trimEnd()).reverse()].join("\n\n");
  });
  return `${parts.join("\n\n\n")}\n`;
}

for (const file of documents) {
  test(`${file} states the same plan when it is turned and laid out anew`, () => {
    const text = textAt(file);
    const other = turned(text);
    assert.notEqual(other, text);
    const found = differences(planOf(text), planOf(format(other)));
    assert.deepEqual(found.slice(0, 3), []);
  });
}

/** Members that wording alone decides. */
const WORDING: ReadonlySet<string> = new Set(["id", "text", "sentence"]);

/** Puts another value at each leaf in turn and tells the keys on the way; puts the first back. */
function* changed(value: object, keys: readonly string[] = []): Generator<readonly string[]> {
  for (const [key, member] of Object.entries(value)) {
    const way = [...keys, key];
    if (typeof member === "object" && member !== null) {
      yield* changed(member, way);
      continue;
    }
    Object.assign(value, { [key]: "another" });
    yield way;
    Object.assign(value, { [key]: member });
  }
}

test("each value of a plan counts but for ids, texts and examples", () => {
  const first = JSON.parse(JSON.stringify(planOf(textAt("examples/todo/spec.md"))));
  const other = JSON.parse(JSON.stringify(first));
  let seen = 0;
  for (const way of changed(other)) {
    seen += 1;
    if (seen % 7 !== 0) continue;
    const isWording = WORDING.has(way.at(-1) as string) || way[0] === "examples";
    assert.equal(differences(first, other).length === 0, isWording, way.join("."));
  }
  assert.ok(seen > 500);
});

test("the command tells where two documents differ, and its exit code what came out", () => {
  const first = join(root, "examples/todo/spec.md");
  const other = join(folder, "other.md");
  writeFileSync(other, textAt("examples/todo/spec.md").replace("at most 2000", "at most 1999"));
  const run = (...files: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [join(root, "scripts/same-plan.ts"), ...files], {
      encoding: "utf8",
    });
  const another = run(first, other);
  assert.equal(another.status, 1);
  assert.match(
    another.stdout,
    /^resources\.Todo\.fields\[\d\]\.rules\[0\]\.max\n {2}- 2000\n {2}\+ 1999$/m,
  );
  const none = run(first, join(folder, "none.md"));
  assert.equal(none.status, 2);
  assert.match(none.stderr, /none\.md: cannot be read/);
});
