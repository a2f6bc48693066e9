/** The formats of `check`: each says the same findings, in the form that its readers need. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { checkBytes } from "../../src/cli/pipeline.ts";
import { folder, lacuna } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const schema = JSON.parse(readFileSync(join(root, "docs/schema/check.schema.json"), "utf8"));
const isReport = new Ajv2020({ strict: true }).compile(schema);
const blank = join(root, "examples/blank/spec.md");
const conduit = join(root, "examples/conduit/spec.md");
const wrong = [
  "# Wrong: 100%, really",
  "",
  "## What the service does",
  "",
  "It does.",
  "",
  "## Endpoints",
  "",
  "### `GET /a`",
  "",
  "1. Respnd `200` with `1`.",
  "",
  "## Limits",
  "",
  "Quotas: not shown.",
  "",
].join("\n");

interface Document {
  readonly file: string;
  readonly title: string;
  readonly parts: readonly {
    readonly name: string;
    readonly facets: readonly {
      readonly name: string;
      readonly status: string;
      readonly line: number;
      readonly column: number;
    }[];
  }[];
  readonly gaps: readonly { readonly subject: string; readonly line: number }[];
  readonly findings: readonly {
    readonly code: string;
    readonly line: number;
    readonly column: number;
    readonly endColumn: number;
  }[];
  readonly counts: Readonly<Record<string, number>>;
}

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly fixes?: unknown;
}

test("JSON: an object for one document, an array for several, both as the schema says", async () => {
  const { out, code } = await lacuna(["check", "--format", "json", blank]);
  assert.equal(code, 0);
  const document = JSON.parse(out) as Document;
  assert.ok(isReport(document), JSON.stringify(isReport.errors));
  assert.equal(document.file, blank);
  assert.deepEqual(Object.keys(document), schema.$defs.document.required);
  const two = await lacuna(["check", "--format", "json", blank, conduit]);
  const documents = JSON.parse(two.out) as Document[];
  assert.ok(isReport(documents), JSON.stringify(isReport.errors));
  assert.deepEqual(
    documents.map((each) => each.file),
    [blank, conduit],
  );
  assert.deepEqual(documents[0], document);
  assert.equal(isReport({ ...document, extra: 1 }), false);
  assert.equal(isReport({ ...document, counts: { ...document.counts, silent: -1 } }), false);
});

test("JSON: facets and gaps stand on the lines that say so", async () => {
  const { out } = await lacuna(["check", "--format", "json", blank]);
  const { parts, gaps, counts } = JSON.parse(out) as Document;
  const lines = readFileSync(blank, "utf8").split("\n");
  for (const facet of parts.flatMap((part) => part.facets)) {
    const line = lines[facet.line - 1] ?? "";
    const at = line.slice(facet.column - 1).toLowerCase();
    assert.ok(at.includes(facet.name.toLowerCase()), `${facet.name}: ${at}`);
    assert.equal(facet.status, "not shown");
  }
  assert.equal(gaps.length, 28);
  assert.deepEqual(counts, { stated: counts["stated"], none: 0, free: 0, notShown: 28, silent: 0 });
});

test("JSON: what is silent stands among the findings, not among the gaps", async () => {
  const { out, code } = await lacuna(["check", "-", "--format", "json"], { stdin: wrong });
  assert.equal(code, 1);
  const { gaps, findings, file } = JSON.parse(out) as Document;
  assert.equal(file, "-");
  assert.deepEqual(
    gaps.map((gap) => gap.subject),
    ["quotas"],
  );
  assert.ok(findings.filter((each) => each.code === "silent").length > 10);
  const step = findings.find((each) => each.code === "unknown-step");
  assert.deepEqual([step?.line, step?.column, step?.endColumn], [11, 4, 10]);
});

test("JSON: a finding tells its hint, its question and its fix; ask names the same question", async () => {
  const { out } = await lacuna(["check", "-", "--format", "json"], {
    stdin: "# W\n\n## What the service does\n\nX.\n",
  });
  const { findings } = JSON.parse(out) as { findings: Record<string, unknown>[] };
  const silent = findings.filter((each) => each["code"] === "silent");
  assert.ok(silent.every((each) => each["hint"] && each["question"] && each["fix"]));
  const asked = await lacuna(["ask", "-", "--format", "json"], {
    stdin: "# W\n\n## What the service does\n\nX.\n",
  });
  const { questions } = JSON.parse(asked.out) as { questions: Record<string, unknown>[] };
  const known = new Set(silent.map((each) => each["question"]));
  const open = questions.filter((each) => each["silent"]);
  assert.ok(open.length > 0 && open.every((each) => known.has(each["question"])));
  assert.ok(questions.every((each) => typeof each["asks"] === "string"));
});

test("unix: a line for each finding, as editors read them", async () => {
  const { out, code } = await lacuna(["check", "--format", "unix", "-"], { stdin: wrong });
  assert.equal(code, 1);
  const lines = out.trimEnd().split("\n");
  const { findings } = checkBytes(new TextEncoder().encode(wrong));
  assert.equal(lines.length, findings.length);
  for (const line of lines)
    assert.match(line, /^-:\d+:\d+: (error|gap|warning|note): .+ \[[a-z-]+\]$/);
  assert.ok(lines.some((line) => line.startsWith("-:11:4: error: ")));
});

test("SARIF: one run, each finding with its rule, its place and its mend", async () => {
  const { out } = await lacuna(["check", "--format", "sarif", "-"], { stdin: wrong });
  const log = JSON.parse(out);
  const [run] = log.runs;
  assert.equal(log.version, "2.1.0");
  assert.equal(run.columnKind, "utf16CodeUnits");
  const { findings } = checkBytes(new TextEncoder().encode(wrong));
  assert.equal(run.results.length, findings.length);
  run.results.forEach((result: Result, index: number) => {
    const { ruleId, ruleIndex, level, fixes } = result;
    assert.equal(ruleId, findings[index]?.code);
    assert.equal(run.tool.driver.rules[ruleIndex].id, ruleId);
    assert.ok(["error", "warning", "note"].includes(level));
    assert.equal(fixes === undefined, findings[index]?.fix === undefined);
  });
  const step = run.results.find((each: { ruleId: string }) => each.ruleId === "unknown-step");
  assert.deepEqual(step.locations[0].physicalLocation.region, {
    startLine: 11,
    startColumn: 4,
    endLine: 11,
    endColumn: 10,
  });
});

test("SARIF: names of files are URI references", async (t) => {
  const path = join(folder(t), "a b#1.md");
  await lacuna(["new", path]);
  const { out } = await lacuna(["check", "--format", "sarif", path]);
  const { uri } = JSON.parse(out).runs[0].artifacts[0].location;
  assert.ok(uri.startsWith("file:///") && uri.endsWith("/a%20b%231.md"), uri);
});

test("GitHub: one command a line, with nothing unescaped", async () => {
  const { out } = await lacuna(["check", "--format", "github", "-"], { stdin: wrong });
  const lines = out.trimEnd().split("\n");
  const { findings } = checkBytes(new TextEncoder().encode(wrong));
  assert.equal(lines.length, findings.length);
  for (const line of lines) {
    const form =
      /^::(error|warning|notice) file=[^,:]+,line=\d+,endLine=\d+(,col=\d+,endColumn=\d+)?,/;
    assert.match(line, form);
    assert.doesNotMatch(line.replaceAll(/%(25|0A|0D|3A|2C)/g, ""), /%/);
  }
  assert.ok(
    lines.some((line) =>
      line.startsWith("::error file=-,line=11,endLine=11,col=4,endColumn=10,title=unknown-step::"),
    ),
  );
  assert.ok(lines.some((line) => line.startsWith("::notice file=-,line=15")));
});

test("Markdown: the parts, the findings by cause, what next", async () => {
  const { out } = await lacuna(["check", "--format", "markdown", "-"], { stdin: wrong });
  assert.match(out, /^### Wrong: 100%, really\n/);
  assert.match(out, /\| Limits \| silent \| rate limits, size limits, time-outs \|/);
  assert.match(out, /<code>unknown-step<\/code> · 1/);
  assert.match(out, /- \*\*11:4\*\* /);
  const open = out.split("<details").length;
  assert.equal(out.split("</details>").length, open);
});

test("text: parts with symbols and words, excerpts, counts, one closing sentence", async () => {
  const { out } = await lacuna(["check", "-"], { stdin: wrong });
  assert.match(out, /What the service does +✓ stated +purpose\n +✗ silent +behaviour\n/);
  assert.match(out, /\? not shown +quotas/);
  assert.match(out, /\n {2}-:11:4\n {2}11 │ 1\. Respnd `200` with `1`\.\n {5}│ {4}\^{6}\n/);
  assert.ok(out.indexOf("error unknown-step") < out.indexOf("error silent"));
  assert.match(out, /… and \d+ more, in lines [\d, ]+ \(--all shows them\)/);
  assert.match(
    out,
    /\n1 error · 0 warnings · .* · \d+ silent \(\d+ of both block\)\nNext: mend the error; .*\n$/,
  );
  assert.doesNotMatch(out, /\x1b/);
  const all = await lacuna(["check", "-", "--all"], { stdin: wrong });
  assert.doesNotMatch(all.out, /… and /);
});

test("text: nothing is wider than the terminal, source lines included", async () => {
  for (const columns of [60, 80, 120]) {
    for (const file of [conduit, blank]) {
      const { out } = await lacuna(["check", "-", "--all"], {
        stdin: readFileSync(file, "utf8").replaceAll("## Limits\n", "## Limits"),
        columns,
      });
      const widest = Math.max(...out.split("\n").map((line) => line.length));
      assert.ok(widest <= columns, `${widest} at ${columns}`);
    }
  }
});

test("colours: on a terminal, unless NO_COLOR or --no-color; elsewhere when asked for", async () => {
  const hasColour = async (args: string[], isTerminal: boolean, env = {}) =>
    (await lacuna(["check", ...args, blank], { isTerminal, env })).out.includes("\x1b[");
  assert.equal(await hasColour([], false), false);
  assert.equal(await hasColour([], true), true);
  assert.equal(await hasColour([], true, { NO_COLOR: "1" }), false);
  assert.equal(await hasColour(["--no-color"], true), false);
  assert.equal(await hasColour(["--color"], false, { NO_COLOR: "1" }), true);
  assert.equal(await hasColour([], false, { FORCE_COLOR: "1" }), true);
  assert.equal((await lacuna(["--color", "check", blank])).out.includes("\x1b["), true);
});
