/** The command as a process of its own: exit codes, pipes, signals. */
import assert from "node:assert/strict";
import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder as temporary } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const main = join(root, "src/cli/main.ts");
const blank = join(root, "examples/blank/spec.md");
const conduit = join(root, "examples/conduit/spec.md");
const options = { cwd: root, encoding: "utf8", timeout: 60_000 } as const;

test("exit codes and streams", () => {
  const cases: [args: string[], code: number][] = [
    [["--version"], 0],
    [["check", blank], 0],
    [["check", "--complete", blank], 1],
    [["nope"], 2],
  ];
  for (const [args, code] of cases) {
    const ran = spawnSync(process.execPath, [main, ...args], options);
    assert.equal(ran.status, code, args.join(" "));
    assert.equal(ran.stderr === "", code < 2, ran.stderr);
  }
});

test("the standard input is read to its end", () => {
  const ran = spawnSync(process.execPath, [main, "check", "-"], { ...options, input: "# T\n" });
  assert.equal(ran.status, 1);
  assert.match(ran.stdout, /^T {2}-\n/);
});

test("a reader that goes away ends it without a word", async () => {
  const child = spawn(process.execPath, [main, "plan", conduit], { cwd: root });
  let err = "";
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  child.stdout.once("data", () => child.stdout.destroy());
  const code = await new Promise((done) => child.once("exit", done));
  assert.deepEqual([code, err], [0, ""]);
});

const isFull = existsSync("/dev/full");

test("an output that is full is said in one line", { skip: !isFull }, () => {
  const full = openSync("/dev/full", "w");
  const stdio: StdioOptions = ["ignore", full, "pipe"];
  const ran = spawnSync(process.execPath, [main, "plan", conduit], { ...options, stdio });
  closeSync(full);
  assert.equal(ran.status, 1);
  assert.equal(ran.stderr, "lacuna: the output cannot be written: no space is left there\n");
});

test("Ctrl-C ends a command with 130", async () => {
  const child = spawn(process.execPath, [main, "check", "-"], { cwd: root, stdio: "pipe" });
  await new Promise((ready) => setTimeout(ready, 1500));
  child.kill("SIGINT");
  const [code, signal] = await new Promise<[number | null, string | null]>((done) =>
    child.once("exit", (code, signal) => done([code, signal])),
  );
  assert.ok(code === 130 || signal === "SIGINT", `${code} ${signal}`);
  child.stdin.destroy();
});

test("check --watch checks again at each change, and ends with what the last check gave", async (t) => {
  const file = join(temporary(t), "spec.md");
  const text = readFileSync(blank, "utf8");
  writeFileSync(file, text);
  const child = spawn(process.execPath, [main, "check", "--watch", file], { cwd: root });
  t.after(() => child.kill("SIGKILL"));
  let out = "";
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  const until = async (count: number): Promise<void> => {
    for (let i = 0; i < 1_000 && out.split("Next:").length - 1 < count; i++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.equal(out.split("Next:").length - 1, count, out);
  };
  await until(1);
  assert.match(out, /0 errors/);
  writeFileSync(file, `${text}\n- Odd: line\n`);
  await until(2);
  assert.match(out, /unknown-bullet/);
  child.kill("SIGINT");
  const code = await new Promise((done) => child.once("exit", done));
  assert.equal(code, 1);
  const odd = spawnSync(process.execPath, [main, "check", "--watch", "-"], options);
  assert.equal(odd.status, 2);
  assert.match(odd.stderr, /`--watch` looks at files/);
});
