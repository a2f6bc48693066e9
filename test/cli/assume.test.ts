/** `--assume`: what stands in the assumptions file is shown with its name, lines and words. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { folder, lacuna } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const spec = join(root, "examples/conduit/spec.md");
const file = join(root, "examples/conduit/assumptions.md");
const schema = JSON.parse(readFileSync(join(root, "docs/schema/check.schema.json"), "utf8"));
const isReport = new Ajv2020({ strict: true }).compile(schema);
const lines = readFileSync(file, "utf8").split("\n");
const given = ["--assume", file];

interface Place {
  readonly line: number;
  readonly column: number;
}

interface Document {
  readonly gaps: readonly { readonly id: string }[];
  readonly findings: readonly (Place & { readonly code: string; readonly file?: string })[];
  readonly parts: readonly unknown[];
  readonly assumed: readonly (Place & {
    readonly text: string;
    readonly file: string;
    readonly instead?: Place;
  })[];
}

async function checked(...args: readonly string[]): Promise<Document> {
  const { out } = await lacuna(["check", "--format", "json", ...args]);
  const document: unknown = JSON.parse(out);
  assert.ok(isReport(document), JSON.stringify(isReport.errors));
  return document as Document;
}

test("JSON: each assumption stands in its file, and its gap in the document", async () => {
  const alone = await checked(spec);
  const both = await checked(spec, ...given);
  const ids = new Set(alone.gaps.map((gap) => gap.id));
  assert.ok(both.gaps.length < alone.gaps.length);
  assert.ok(both.gaps.every((gap) => ids.has(gap.id)));
  assert.deepEqual(both.parts, alone.parts);
  assert.equal(alone.assumed, undefined);
  assert.ok(both.assumed.length > 30);
  const document = readFileSync(spec, "utf8").split("\n");
  const isOpen: string[] = [];
  for (const each of both.assumed) {
    assert.equal(each.file, file);
    const [word = ""] = each.text.split(" ");
    assert.ok((lines[each.line - 1] ?? "").slice(each.column - 1).startsWith(word), each.text);
    if (each.instead !== undefined) isOpen.push(document[each.instead.line - 1] ?? "");
  }
  assert.deepEqual(
    isOpen.filter((line) => !line.includes("not shown")),
    [],
  );
});

/** The conduit assumptions with one line that contradicts, and one that answers nothing. */
function wrongFile(t: { after(act: () => void): void }): string {
  const path = join(folder(t), "wrong.md");
  const text = lines
    .join("\n")
    .replace(
      "- One request: all or nothing, as if alone",
      "- One request: all or nothing, as if alone\n- Base path: `/v9`",
    );
  writeFileSync(path, text);
  return path;
}

test("findings in the assumptions name that file, its line and its words, in every format", async (t) => {
  const wrong = wrongFile(t);
  const line = 1 + readFileSync(wrong, "utf8").split("\n").indexOf("- Base path: `/v9`");
  const run = (...args: string[]) => lacuna(["check", spec, "--assume", wrong, ...args]);
  const text = await run();
  assert.equal(text.code, 1);
  assert.match(text.out, new RegExp(`${wrong}:${line}:\\d+\\n +${line} │ - Base path: \`/v9\``));
  assert.match(text.out, new RegExp(`see +${spec}:\\d+:\\d+ stated here`));
  const { findings } = await checked(spec, "--assume", wrong);
  const found = findings.filter((each) => each.code === "assumption-contradicts");
  assert.deepEqual(
    found.map((each) => [each.file, each.line]),
    [[wrong, line]],
  );
  const [{ results }] = JSON.parse((await run("--format", "sarif")).out).runs;
  const [result] = results.filter(
    (each: { ruleId: string }) => each.ruleId === "assumption-contradicts",
  );
  const { artifactLocation, region } = result.locations[0].physicalLocation;
  assert.deepEqual([artifactLocation.uri, region.startLine], [`file://${wrong}`, line]);
  assert.match((await run("--format", "github")).out, new RegExp(`file=${wrong},line=${line},`));
  assert.ok((await run("--format", "markdown")).out.includes(`wrong.md:${line}:`));
  const plan = await lacuna(["plan", spec, "--assume", wrong]);
  assert.deepEqual([plan.code, plan.out], [1, ""]);
  assert.match(plan.err, new RegExp(`^${wrong}:${line}:\\d+ assumption-contradicts `));
});

test("text: what is assumed is listed, with the line of its gap, and counted", async () => {
  const { out, code } = await lacuna(["check", spec, ...given, "--all"], { columns: 120 });
  const { assumed } = await checked(spec, ...given);
  assert.equal(code, 0);
  assert.match(out, new RegExp(` · ${assumed.length} assumed\\n`));
  for (const { line, column } of assumed) assert.ok(out.includes(`${file}:${line}:${column} `));
  assert.match(out, /\(not shown in line \d+\)/);
  const folded = await lacuna(["check", spec, ...given]);
  assert.match(folded.out, /… and \d+ more \(--all shows them\)/);
});

test("plan: items that are assumed are listed, and their origins name the file", async () => {
  const { out } = await lacuna(["plan", spec, ...given, "--origins"]);
  const { assumed, origins, gaps } = JSON.parse(out);
  const alone = JSON.parse((await lacuna(["plan", spec, "--origins"])).out);
  assert.ok(gaps.length < alone.gaps.length);
  for (const id of assumed) assert.equal(origins[id].file, file, id);
  const elsewhere = Object.values(alone.origins as Record<string, { file?: string }>);
  assert.ok(elsewhere.every((each) => each.file === undefined));
});

test("ask: only what is not assumed, and how much is", async () => {
  const { gaps, assumed } = await checked(spec, ...given);
  const { out } = await lacuna(["ask", spec, ...given]);
  assert.equal(out.match(/^\d+\. /gm)?.length, gaps.length);
  assert.ok(out.includes(`${assumed.length} points more are assumed, in \`${file}\``));
});

test("why: lines of the assumptions are marked, and are that file's lines", async () => {
  const args = ["why", spec, "POST /users/login", "401", ...given];
  const { out } = await lacuna(args, { columns: 400 });
  const marked = [...out.matchAll(/^ +(\S+):(\d+) +assumed +(.*)$/gm)];
  assert.ok(marked.length > 0);
  for (const [, name, line, source] of marked) {
    assert.equal(name, file);
    assert.equal(source, lines[Number(line) - 1]?.trim());
  }
  assert.equal(out.split(" assumed ").length - 1, marked.length);
  const alone = await lacuna(["why", spec, "POST /users/login", "422"]);
  assert.doesNotMatch(alone.out, / assumed /);
});
