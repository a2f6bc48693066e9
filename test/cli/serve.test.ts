/** `lacuna serve` as a process: what it prints works, and Ctrl-C stops it. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { dataName } from "../../src/cli/commands/serve.ts";
import { bellsText, hook, post } from "../serve/bells.ts";
import { receiver } from "../serve/receiver.ts";
import { folder } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const main = join(root, "src/cli/main.ts");
const todo = join(root, "examples/todo/spec.md");
const blank = join(root, "examples/blank/spec.md");

interface Served {
  readonly child: ChildProcess;
  /** What it printed up to the line that says how to stop it. */
  readonly said: string;
}

function serve(t: TestContext, args: readonly string[], cwd: string): Promise<Served> {
  const child = spawn(process.execPath, [main, "serve", ...args], {
    cwd,
    stdio: "pipe",
    env: { ...process.env, LACUNA_SETTING_JWT_KEY: "k".repeat(32) },
  });
  t.after(() => child.kill("SIGKILL"));
  let said = "";
  let err = "";
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  return new Promise((done, fail) => {
    child.stdout.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes("Ctrl-C")) done({ child, said });
    });
    child.once("exit", (code) => fail(new Error(`ended with ${code}: ${err}`)));
  });
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((done) => child.once("exit", done));

test("it says where it is, what to try, and where the data is; Ctrl-C stops it", async (t) => {
  const cwd = folder(t);
  const { child, said } = await serve(t, [todo, "--port", "0"], cwd);
  assert.match(said, /^To-do list is served at http:\/\/127\.0\.0\.1:\d+\n/);
  assert.match(said, /serves +6 endpoints\n/);
  assert.match(said, /gaps +none: everything is said\n/);
  const [, url = ""] = /try +curl -i (\S+)\n/.exec(said) ?? [];
  const answer = await fetch(url);
  assert.equal(answer.status, 200);
  assert.deepEqual(await answer.json(), []);
  assert.ok(existsSync(join(cwd, ".lacuna/todo.sqlite")));
  const ended = exitOf(child);
  child.kill("SIGINT");
  assert.equal(await ended, 0);
});

test("a document in which nothing is stated is served, and every request meets the gap", async (t) => {
  const cwd = folder(t);
  const { child, said } = await serve(t, [blank, "--port", "0", "--memory"], cwd);
  assert.match(said, /serves +nothing: no endpoint is stated/);
  assert.match(said, /gaps +28 gaps; \d+ can be met, and answer 501/);
  const [, url = ""] = /try +curl -i (\S+)\n/.exec(said) ?? [];
  const answer = await fetch(url);
  assert.equal(answer.status, 501);
  const body = (await answer.json()) as { gap?: { place?: string } };
  assert.match(JSON.stringify(body.gap), /spec\.md:\d+:\d+/);
  assert.equal(existsSync(join(cwd, ".lacuna")), false);
  const ended = exitOf(child);
  child.kill("SIGTERM");
  assert.equal(await ended, 0);
});

test("with --examples, a request that meets a gap gets an example, marked with its place", async (t) => {
  const cwd = folder(t);
  const text = readFileSync(blank, "utf8").replace(
    /## Endpoints\n[\s\S]*?(?=\n## )/,
    [
      "## Endpoints\n",
      "Request payloads and response payloads: not shown.\n",
      "### Every endpoint\n",
      "Order of checks: not shown.\n",
      "### `GET /pets`\n",
      "- Who: not shown\n",
      "1. What it does: not shown.\n",
      '```json example 404 application/json\n{"no": true}\n```\n',
      '```json example 200 application/json\n[{"name": "Rex"}]\n```\n',
      "### `GET /pets/{id}`\n",
      "- Who: not shown\n",
      "1. What it does: not shown.\n",
    ].join("\n"),
  );
  const placed = text.replace(
    "Purpose and behaviour: not shown.",
    "Purpose: not shown.\n\n- Base path: none",
  );
  writeFileSync(join(cwd, "pets.md"), placed);
  const flags = ["pets.md", "--port", "0", "--memory"];
  const [shown, open] = await Promise.all([
    serve(t, [...flags, "--examples"], cwd),
    serve(t, flags, cwd),
  ]);
  assert.match(shown.said, /examples +answer what meets a gap/);
  const ask = async ({ said }: Served, path: string) => {
    const [, address = ""] = /served at (\S+)/.exec(said) ?? [];
    return fetch(`${address}${path}`);
  };
  const example = await ask(shown, "/pets");
  assert.equal(example.status, 200);
  assert.equal(example.headers.get("content-type"), "application/json");
  assert.match(example.headers.get("lacuna-example") ?? "", /pets\.md:\d+:1$/);
  assert.deepEqual(await example.json(), [{ name: "Rex" }]);
  assert.equal((await ask(shown, "/pets/1")).status, 501);
  assert.equal((await ask(open, "/pets")).status, 501);
});

test("with assumptions, it says so, and a gap that they fill is not met", async (t) => {
  const cwd = folder(t);
  const flags = [join(root, "examples/conduit/spec.md"), "--port", "0", "--memory"];
  const assumptions = join(root, "examples/conduit/assumptions.md");
  const statusAt = async (said: string): Promise<number> => {
    const address = /served at (\S+)/.exec(said)?.[1];
    return (await fetch(`${address}/api/no/such/path`)).status;
  };
  const { said } = await serve(t, [...flags, "--assume", assumptions], cwd);
  assert.match(said, /assumed +\d+ answers of .*assumptions\.md\n/);
  assert.equal(await statusAt(said), 404);
  const alone = await serve(t, flags, cwd);
  assert.doesNotMatch(alone.said, /assumed/);
  assert.equal(await statusAt(alone.said), 501);
});

test("receivers inside the own network get nothing but by a flag; a seed is named", async (t) => {
  const cwd = folder(t);
  const there = await receiver(t);
  const file = join(cwd, "bells.md");
  writeFileSync(file, bellsText());
  const told = async (said: string, name: string): Promise<void> => {
    const address = /served at (\S+)/.exec(said)?.[1] ?? "";
    const url = `${there.address}/${name}`;
    assert.equal(await post(address, "/hooks", hook(name, url)), 201);
    assert.equal(await post(address, "/bells", { name }), 201);
  };
  const flags = [file, "--port", "0", "--memory"];
  const closed = await serve(t, flags, cwd);
  await told(closed.said, "closed");
  const open = await serve(t, [...flags, "--allow-private-receivers", "--shake", "7"], cwd);
  assert.match(open.said, /shaken +by `7`: what is free varies, and secrets can be guessed\n/);
  await told(open.said, "open");
  await there.until(1);
  assert.deepEqual(
    there.got.map((one) => one.path),
    ["/open"],
  );
});

test("the database is named after the document, or the folder of a spec.md", () => {
  const cases: [file: string, name: string][] = [
    ["examples/orders/spec.md", "orders"],
    ["a/shop.md", "shop"],
    ["shop.MD", "shop"],
    ["-", "stdin"],
    ["a/b.txt", "b.txt"],
  ];
  for (const [file, name] of cases) assert.equal(dataName(file), name, file);
});
