/** Commands in this process: what they print, what they write, and the code that they give. */
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codeEntries } from "../../src/cli/codes.ts";
import { folder, lacuna } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const todo = join(root, "examples/todo/spec.md");
const blank = join(root, "examples/blank/spec.md");
const gone = "# T\n\n## What the service does\n\nIt does.\n";

test("wrong use: one clear line on standard error, nothing on standard output, code 2", async (t) => {
  const path = folder(t);
  const cases: [args: string[], says: RegExp][] = [
    [[], /lacuna COMMAND/],
    [["chek", "x"], /no command `chek`. Did you mean `lacuna check`\?/],
    [["--wrong"], /no option `--wrong`/],
    [["check"], /missing required argument 'file'/],
    [["check", "--formt", "json", todo], /unknown option '--formt'[\s\S]*--format/],
    [["check", "--format", "xml", todo], /no format `xml`; there are text, json/],
    [["check", join(path, "none.md")], /none\.md: there is no such file/],
    [["check", path], /this is a folder/],
    [["check", todo, join(path, "none.md")], /there is no such file/],
    [["check", "-", "-"], /`-` can be named once/],
    [["plan", path], /this is a folder/],
    [["plan", todo, "--format", "yaml"], /no format `yaml`/],
    [["plan", todo, todo], /too many arguments/],
    [["new", todo], /is there already and is left as it is/],
    [["new", join(path, "no/spec.md")], /it cannot be written/],
    [["fmt", path], /this is a folder/],
    [["ask"], /missing required argument/],
    [["why", todo], /missing required argument 'endpoint'/],
    [["why", todo, "GET /todo"], /Did you mean `GET \/todos`\?/],
    [["why", todo, "GET /todos", "9"], /`9` is no status code/],
    [["explain", "slent-thing-unheard-of"], /no finding with the code/],
    [["explain", "table-cell"], /Did you mean `lacuna explain table-cells`\?/],
    [["serve", path], /this is a folder/],
    [["serve", todo, "--port", "99999"], /no port/],
    [["serve", todo, "--memory", "--data", "x"], /not both/],
    [["serve", todo, "--assume", join(path, "a.md")], /a\.md: there is no such file/],
    [["serve", "-", "--assume", "-"], /`-` can be named once/],
    [["serve", "-", "-"], /`-` can be named once/],
    [["serve", todo, todo, "--watch"], /`--watch`: for one document alone, and 2 are named/],
    [["serve", todo, todo, "--memory"], /todo\/spec\.md are not served side by side:\n- It is not/],
    [["check", todo, blank, "--assume", todo], /`--assume` goes with one document/],
    [["check", "--fix", todo, "--assume", todo], /`--fix` or `--assume`, not both/],
    [["ask", "-", "--assume", "-"], /`-` can be named once/],
  ];
  for (const [args, says] of cases) {
    const { code, out, err } = await lacuna(args);
    assert.equal(code, 2, args.join(" "));
    assert.equal(out, "", args.join(" "));
    assert.match(err, says, args.join(" "));
  }
});

test("a file that may not be read", async (t) => {
  const path = join(folder(t), "spec.md");
  writeFileSync(path, "");
  chmodSync(path, 0);
  // Root may read everything: another user asks then (65534, `nobody`).
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65534);
  const { code, err } = await lacuna(["check", path]).finally(() => {
    if (isRoot) process.seteuid?.(0);
  });
  assert.deepEqual([code, err], [2, `lacuna: ${path}: you may not read this file\n`]);
});

test("help: on every page, with examples, on standard output", async () => {
  const { out, code } = await lacuna(["--help"]);
  assert.equal(code, 0);
  const names = [...out.matchAll(/^ {2}([a-z]+) .*[a-z]/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== "lacuna");
  assert.deepEqual(names.toSorted(), [
    "ask",
    "backup",
    "check",
    "copy",
    "diff",
    "explain",
    "export",
    "fmt",
    "import",
    "migrate",
    "new",
    "plan",
    "propose",
    "proxy",
    "replay",
    "restore",
    "rows",
    "serve",
    "try",
    "verify",
    "why",
  ]);
  for (const name of names) {
    const page = await lacuna([name ?? "", "--help"]);
    assert.equal(page.code, 0);
    assert.match(page.out, new RegExp(`^Usage: lacuna ${name} `));
    assert.match(page.out, new RegExp(`\\nExamples:\\n  .*lacuna ${name}`));
    assert.deepEqual(await lacuna(["help", name ?? ""]), page);
  }
});

test("check: codes 0 and 1, with --complete for gaps, too", async () => {
  const code = async (...args: string[]) => (await lacuna(["check", ...args])).code;
  assert.equal(await code(todo), 0);
  assert.equal(await code("--complete", todo), 0);
  assert.equal(await code(blank), 0);
  assert.equal(await code("--complete", blank), 1);
  assert.equal(await code("--complete", todo, blank), 1);
  assert.equal((await lacuna(["check", "-"], { stdin: gone })).code, 1);
});

test("an empty document is one with nine parts, and all of them silent", async () => {
  const { code, out } = await lacuna(["check", "-", "--format", "json"], { stdin: "" });
  assert.equal(code, 1);
  const { parts } = JSON.parse(out) as { parts: { facets: { status: string }[] }[] };
  assert.equal(parts.length, 9);
  assert.ok(parts.every((part) => part.facets.every((facet) => facet.status === "silent")));
});

test("check --fix: mends the file in its place, keeps mode, link, mark and line ends", async (t) => {
  const path = folder(t);
  const file = join(path, "real.md");
  const link = join(path, "spec.md");
  writeFileSync(file, `\ufeff${gone.replaceAll("\n", "\r\n")}`);
  chmodSync(file, 0o640);
  symlinkSync(file, link);
  const { code, err } = await lacuna(["check", "--fix", link]);
  assert.equal(code, 0);
  assert.match(err, /\d+ silent points recorded as not shown\n$/);
  assert.equal(statSync(file).mode & 0o777, 0o640);
  assert.ok(lstatSync(link).isSymbolicLink());
  const text = readFileSync(file, "utf8");
  assert.ok(text.startsWith("\ufeff# T\r\n"));
  assert.doesNotMatch(text, /(?<!\r)\n/);
  assert.equal((await lacuna(["check", "--complete", file])).code, 1);
  const again = await lacuna(["check", "--fix", file]);
  assert.match(again.err, /0 silent points/);
  assert.equal(readFileSync(file, "utf8"), text);
  assert.equal((await lacuna(["fmt", "--check", file])).code === 2, false);
});

test("check --fix -: the document goes to standard output, and nothing else", async () => {
  const { out, code } = await lacuna(["check", "--fix", "-"], { stdin: gone });
  assert.equal(code, 0);
  assert.ok(out.startsWith("# T\n"));
  assert.equal((await lacuna(["check", "-", "--format", "json"], { stdin: out })).code, 0);
});

test("new: a document that is complete and honest, never over another", async (t) => {
  const path = join(folder(t), "spec.md");
  assert.equal((await lacuna(["new", path])).code, 0);
  const text = readFileSync(path, "utf8");
  assert.equal((await lacuna(["new"])).out, text);
  assert.equal((await lacuna(["check", path])).code, 0);
  assert.equal((await lacuna(["fmt", "--check", path])).code, 0);
});

test("fmt: writes what differs, checks, leaves alone what cannot be read", async (t) => {
  const path = folder(t);
  const file = join(path, "spec.md");
  writeFileSync(file, readFileSync(blank, "utf8").replaceAll("\n\n", "\n\n\n"));
  const before = readFileSync(file, "utf8");
  const checked = await lacuna(["fmt", "--check", file]);
  assert.deepEqual([checked.code, checked.out], [1, `${file} is not in its normal form\n`]);
  assert.equal(readFileSync(file, "utf8"), before);
  assert.equal((await lacuna(["fmt", file])).code, 0);
  assert.equal(readFileSync(file, "utf8"), readFileSync(blank, "utf8"));
  assert.equal((await lacuna(["fmt", "--check", file])).code, 0);
  const wrong = `${before}\n\nThis is no statement.\n`;
  writeFileSync(file, wrong);
  const refused = await lacuna(["fmt", file]);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /spec\.md:\d+:1: left as it is: 1 error of reading/);
  assert.equal(readFileSync(file, "utf8"), wrong);
  const piped = await lacuna(["fmt", "-"], { stdin: before });
  assert.equal(piped.out, readFileSync(blank, "utf8"));
});

test("plan: the same bytes wherever the lines stand; --origins says where", async () => {
  const text = readFileSync(todo, "utf8");
  const moved = text
    .replaceAll("\n\n## ", "\n\n\n\n## ")
    .replace("## Limits", "> a note\n\n## Limits");
  const { out, code } = await lacuna(["plan", "-"], { stdin: text });
  assert.equal(code, 0);
  assert.equal((await lacuna(["plan", "-"], { stdin: moved })).out, out);
  const plan = JSON.parse(out);
  assert.deepEqual([plan.format, plan.formatVersion, plan.origins], ["lacuna-plan", 2, undefined]);
  const { origins } = JSON.parse((await lacuna(["plan", "-", "--origins"], { stdin: text })).out);
  const place = origins["endpoints/GET /todos/{id}"];
  assert.match(text.split("\n")[place.line - 1] ?? "", /GET \/todos\/\{id\}/);
});

test("plan: errors other than silence are shown on standard error", async () => {
  const wrong = readFileSync(todo, "utf8").replace("Delete `todo`.", "Delet `todo`.");
  const { code, out, err } = await lacuna(["plan", "-"], { stdin: wrong });
  assert.deepEqual([code, out], [1, ""]);
  assert.match(err, /^-:\d+:\d+ unknown-step /);
  assert.match(err, /│ \d+\. Delet|│ +\^/);
  const silent = await lacuna(["plan", "-"], {
    stdin: readFileSync(todo, "utf8").replace("- Base path: none\n", ""),
  });
  assert.equal(silent.code, 0);
});

test("explain: a page for each code, and all codes", async () => {
  const { out } = await lacuna(["explain"]);
  for (const [code, entry] of codeEntries()) {
    assert.ok(out.includes(`${code} `), code);
    const page = (await lacuna(["explain", code])).out;
    assert.ok(page.startsWith(`${entry.severity} ${code}: `));
    assert.doesNotMatch(page, /^#{1,2} (What|Wrong|Right|How|See)|^```|\]\(\.\.\//m, code);
    assert.ok(page.replaceAll(/\s+/g, " ").includes(entry.meaning.replaceAll(/\s+/g, " ")), code);
  }
});

test("serve: a document with errors is not served, and makes no file", async (t) => {
  const data = join(folder(t), "x.sqlite");
  const wrong = readFileSync(todo, "utf8").replace("Delete `todo`.", "Delet `todo`.");
  const { code, err } = await lacuna(["serve", "-", "--data", data], { stdin: wrong });
  assert.equal(code, 1);
  assert.match(err, /has 1 error\. Next: /);
  assert.equal(existsSync(data), false);
});
