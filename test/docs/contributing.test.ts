/** The worked examples of CONTRIBUTING.md: applied to a copy, they compile and do what they say. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const root = join(import.meta.dirname, "../..");
const text = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "lacuna-contributing-"));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Edit {
  readonly path: string;
  readonly before: string;
  readonly added: string;
  /** What stands behind it, where the block says so. */
  readonly behind: string;
}

function editsIn(markdown: string): Edit[] {
  return [...markdown.matchAll(/^```diff (\S+)\n([\s\S]*?)^```$/gm)].map(([, path, body]) => {
    const lines = (body ?? "").split("\n").slice(0, -1);
    const first = lines.findIndex((line) => line.startsWith("+"));
    const last = lines.findLastIndex((line) => line.startsWith("+"));
    const plain = (some: readonly string[]) => some.map((line) => `${line.slice(1)}\n`).join("");
    return {
      path: path ?? "",
      before: plain(lines.slice(0, first)),
      added: plain(lines.slice(first, last + 1)),
      behind: plain(lines.slice(last + 1)),
    };
  });
}

function apply({ path, before, added, behind }: Edit): void {
  const file = join(folder, path);
  if (before === "") {
    assert.ok(!existsSync(file), `${path} is new`);
    writeFileSync(file, added);
    return;
  }
  const source = readFileSync(file, "utf8");
  const pieces = source.split(before + behind);
  assert.equal(pieces.length, 2, `${path} has these lines once:\n${before}${behind}`);
  writeFileSync(file, pieces.join(before + added + behind));
}

function lacuna(...args: readonly string[]): {
  readonly status: number | null;
  readonly out: string;
} {
  const main = join(folder, "src/cli/main.ts");
  const env = { ...process.env, NO_COLOR: "1", COLUMNS: "120" };
  const done = spawnSync(process.execPath, [main, ...args], { cwd: folder, encoding: "utf8", env });
  return { status: done.status, out: done.stdout + done.stderr };
}

const notes = /^````markdown spec\n([\s\S]*?)^````$/m.exec(
  readFileSync(join(root, "docs/first-document.md"), "utf8"),
)?.[1];

/** The first document with other cells, and what it answers. */
function document(name: string, rules: string, exchanges: string): string {
  assert.ok(notes !== undefined);
  const cell = "| `text` | string | required | no | yes | 1 to 500 characters |";
  const row = "| too short | `invalid` on its name |\n";
  assert.ok(notes.includes(cell) && notes.includes(row), "the first document is as it was");
  const changed = notes
    .replace(cell, `| \`text\` | string | required | no | yes | 1 to 500 characters; ${rules} |`)
    .replace(row, `| not matching | \`invalid\` on its name |\n${row}`)
    .replace(
      "\n## Authentication",
      `\n\`\`\`http ${name}\n${exchanges}\n\`\`\`\n\n## Authentication`,
    );
  const file = join(folder, `${name}.md`);
  writeFileSync(file, changed);
  return file;
}

const write = (body: string, status: number): string =>
  `POST /v1/notes\nContent-Type: application/json\n\n${body}\n\nHTTP/1.1 ${status}`;

/** What the compiler says of the copy. */
function compiled(): string {
  const compiler = join(root, "node_modules/typescript/bin/tsc");
  const known = ["--incremental", "--tsBuildInfoFile", join(folder, "compiled.tsbuildinfo")];
  const args = [compiler, "-p", "tsconfig.json", "--noEmit", ...known];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stdout;
}

test("the worked examples apply and compile", () => {
  cpSync(join(root, "src"), join(folder, "src"), { recursive: true });
  for (const name of ["tsconfig.json", "package.json"])
    cpSync(join(root, name), join(folder, name));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const edits = editsIn(text);
  assert.ok(edits.length > 10, `${edits.length} edits`);
  for (const edit of edits) apply(edit);
  assert.equal(compiled(), "");
});

test("the rule is asked about, and enforced", () => {
  const exchanges = `${write('{"text": "T-1"}', 201)}\n\n${write('{"text": "x"}', 400)}`;
  const file = document("rule", "begins with `T-`", exchanges);
  assert.equal(lacuna("check", file).status, 0, lacuna("check", file).out);
  const tried = lacuna("try", file);
  assert.equal(tried.status, 0, tried.out);
});

test("the question is asked, and an answer that nobody reads does not compile", () => {
  const spec = readFileSync(join(root, "examples/bank/spec.md"), "utf8");
  const file = join(folder, "question.md");
  writeFileSync(file, spec);
  assert.match(lacuna("check", file).out, /When does a client open it again\?/);
  writeFileSync(file, spec.replace(/^- Ends: .*$/m, "$&\n- Retry: after 5 s"));
  assert.equal(lacuna("check", file).status, 0, lacuna("check", file).out);
  const reader = join(folder, "src/check/resolve/outside/streams.ts");
  const whole = readFileSync(reader, "utf8");
  writeFileSync(reader, whole.replace(/^ *retry: .*\n/m, ""));
  assert.match(compiled(), /streams\.ts.*error.*retry/);
  writeFileSync(reader, whole);
});

test("the function is evaluated", () => {
  const rule = 'holds `value.occurrences("an") < 2`, else `invalid` on `text`';
  const exchanges = `${write('{"text": "an"}', 201)}\n\n${write('{"text": "banana"}', 400)}`;
  const tried = lacuna("try", document("function", rule, exchanges));
  assert.equal(tried.status, 0, tried.out);
});

test("the finding is reported", () => {
  const file = join(folder, "finding.md");
  writeFileSync(file, (notes ?? "").replaceAll("writtenAt", "theMomentAtWhichItWasWritten"));
  assert.match(lacuna("check", file).out, /long-name/);
});

test("every path that the page names is there", () => {
  for (const [, path = ""] of text.matchAll(/`((?:src|test|docs)\/[\w./-]+)`/g)) {
    assert.ok(existsSync(join(root, path)), path);
  }
});
