/** The launcher, the set-up and the entry of the command, tried on small trees of their own. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { fingerprint } from "../scripts/setup/build.mjs";
import { bundle, ENTRIES } from "../scripts/setup/bundle.mjs";
import { withLock } from "../scripts/setup/lock.mjs";
import { isInstalled } from "../scripts/setup/packages.mjs";
import { readSource } from "../scripts/tidy/source.ts";

const root = join(import.meta.dirname, "..");
const main = join(root, "src", "cli", "main.ts");
const lockUrl = new URL("../scripts/setup/lock.mjs", import.meta.url).href;

/** What the stand-in for the compiled command prints, or does when told to. */
const STAND_IN = `
const args = process.argv.slice(2);
if (args[0] === "exit") process.exit(Number(args[1]));
if (args[0] === "wait") {
  process.on("SIGTERM", () => process.exit(9));
  setInterval(() => {}, 1000);
}
const cache = process.env.NODE_COMPILE_CACHE;
console.log(JSON.stringify({ args, cwd: process.cwd(), cache, pid: process.pid }));
`;

function folder(t: TestContext): string {
  const path = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "lacuna-test-")));
  t.after(() => fs.rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A tree with the real launcher, a compiled stand-in, and a set-up that leaves a trace. */
function clone(t: TestContext): { tree: string; launcher: string; touch(path: string): void } {
  const tree = folder(t);
  for (const each of ["src", "dist/cli", "scripts", ".setup", "node_modules"]) {
    fs.mkdirSync(join(tree, each), { recursive: true });
  }
  const setup = `import { appendFileSync } from "node:fs";
appendFileSync(new URL("../trace", import.meta.url), "set up\\n");
process.exit(Number(process.env.SETUP_EXIT ?? 0));`;
  const files: Record<string, string> = {
    "package.json": "{}",
    "package-lock.json": "{}",
    "tsconfig.json": "{}",
    "node_modules/.package-lock.json": "{}",
    "dist/package.json": `{ "type": "commonjs" }`,
    "dist/cli/main.js": STAND_IN,
    "scripts/setup.mjs": setup,
    "src/a.ts": "",
    ".setup/ready": `${process.execPath}\nprint\n`,
  };
  for (const [path, text] of Object.entries(files)) fs.writeFileSync(join(tree, path), text);
  fs.copyFileSync(join(root, "lacuna"), join(tree, "lacuna"));
  fs.chmodSync(join(tree, "lacuna"), 0o755);
  const touch = (path: string) => {
    const later = new Date(Date.now() + 5_000);
    fs.utimesSync(join(tree, path), later, later);
  };
  touch(".setup/ready");
  return { tree, launcher: join(tree, "lacuna"), touch };
}

function launch(command: string, args: string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
  return spawnSync(command, args, { cwd, encoding: "utf8", env: { ...process.env, ...env } });
}

test("joined modules are one each, loaded when they are asked for, and know their folder", async (t) => {
  const tree = folder(t);
  const files: Record<string, string> = {
    ...Object.fromEntries(ENTRIES.map((entry) => [entry, "export {};"])),
    "base/state.js": "export const state = { count: 0 }; export const where = import.meta.url;",
    "cli/late.js": `import { state, where } from "../base/state.js";
      console.log("late", state.count, new URL("../cli/main.js", where).href);`,
    "cli/main.js": `import { state } from "../base/state.js"; state.count += 1;
      console.log("early"); await import("./late.js");`,
    "index.js": `export { state } from "./base/state.js";`,
    "serve/threads/thread-entry.js": `import { state } from "../../base/state.js"; state.count += 5;`,
    "package.json": `{ "type": "module" }`,
  };
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(join(tree, path, ".."), { recursive: true });
    fs.writeFileSync(join(tree, path), text);
  }
  await bundle(tree);
  fs.rmSync(join(tree, "base"), { recursive: true });
  const entry = join(tree, "cli", "main.js");
  const { stdout, stderr } = launch(process.execPath, [entry], tree);
  assert.deepEqual([stdout, stderr], [`early\nlate 1 ${pathToFileURL(entry).href}\n`, ""]);
});

test("the launcher keeps arguments, folder and exit code, and is silent", (t) => {
  const { tree, launcher } = clone(t);
  const elsewhere = folder(t);
  const args = ["check", "a b.md", "$HOME", "", "--x=*"];
  const result = launch(launcher, args, elsewhere);
  const seen = JSON.parse(result.stdout);
  assert.deepEqual([seen.args, seen.cwd, result.stderr], [args, elsewhere, ""]);
  assert.equal(launch(launcher, ["exit", "7"], elsewhere).status, 7);
  assert.equal(fs.existsSync(join(tree, "trace")), false);
});

test("the launcher turns the compile cache on, or leaves the user's choice", (t) => {
  const { tree, launcher } = clone(t);
  const cacheOf = (env: NodeJS.ProcessEnv) =>
    JSON.parse(launch(launcher, [], tree, env).stdout).cache;
  assert.equal(cacheOf({ NODE_COMPILE_CACHE: undefined }), join(tree, ".setup", "cache"));
  const own = folder(t);
  assert.equal(cacheOf({ NODE_COMPILE_CACHE: own }), own);
});

test("the launcher works through symbolic links, absolute, relative and in chains", (t) => {
  const { launcher } = clone(t);
  const bin = folder(t);
  fs.symlinkSync(launcher, join(bin, "one"));
  fs.symlinkSync("one", join(bin, "two"));
  for (const name of ["one", "two"]) {
    assert.equal(launch(join(bin, name), ["exit", "4"], bin).status, 4, name);
  }
  const PATH = `${bin}:${process.env["PATH"]}`;
  assert.equal(launch("two", ["exit", "5"], folder(t), { PATH }).status, 5);
});

test("the launcher sets up when something is newer, and only then", (t) => {
  const { tree, launcher, touch } = clone(t);
  const count = () => fs.readFileSync(join(tree, "trace"), "utf8").split("\n").length - 1;
  let expected = 0;
  for (const path of ["src/a.ts", "src", "package-lock.json", "node_modules/.package-lock.json"]) {
    const earlier = new Date(Date.now() - 60_000);
    fs.utimesSync(join(tree, ".setup/ready"), earlier, earlier);
    touch(path);
    assert.equal(launch(launcher, ["exit", "0"], tree).status, 0);
    expected += 1;
    assert.equal(count(), expected, path);
    touch(".setup/ready");
    assert.equal(launch(launcher, ["exit", "0"], tree).status, 0);
    assert.equal(count(), expected, `${path}, again`);
  }
  fs.rmSync(join(tree, "dist"), { recursive: true });
  const failed = launch(launcher, [], tree, { SETUP_EXIT: "3" });
  assert.deepEqual([failed.status, failed.stdout], [3, ""]);
});

test("the launcher becomes the command: its process id, its signals", async (t) => {
  const { tree, launcher } = clone(t);
  const child = spawn(launcher, ["wait"], { cwd: tree, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const [line] = await new Promise<[Buffer]>((resolve) => {
    child.stdout.once("data", (data: Buffer) => resolve([data]));
  });
  assert.equal(JSON.parse(line.toString()).pid, child.pid);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  assert.equal(await ended, 9);
});

test("the entry refuses an old Node.js with one line and exit code 2", () => {
  const old = `Object.defineProperty(process, "versions", {
    value: { ...process.versions, node: "22.22.0" },
  });`;
  const fake = `data:text/javascript,${encodeURIComponent(old)}`;
  const result = launch(process.execPath, ["--import", fake, main, "--version"], root);
  assert.equal(result.status, 2);
  assert.equal(result.stdout, "");
  assert.match(result.stderr, /^lacuna: this is Node\.js 22\.22\.0; .*24.*\n$/);
});

test("the entry loads nothing before it has looked at the version", () => {
  // A static import is linked first: an export that an old Node.js lacks would be the message.
  const { imports } = readSource(main, fs.readFileSync(main, "utf8"));
  assert.ok(imports.length > 0);
  assert.deepEqual(
    imports.filter((each) => !each.isDynamic),
    [],
  );
});

test("the entry prints the version of the package", () => {
  const result = launch(process.execPath, [main, "--version"], tmpdir());
  const { version } = JSON.parse(fs.readFileSync(join(root, "package.json"), "utf8"));
  assert.deepEqual([result.status, result.stdout, result.stderr], [0, `${version}\n`, ""]);
});

test("an installation counts only when it is whole and is that of the lock file", (t) => {
  const tree = folder(t);
  const write = (path: string, packages: object) => {
    fs.mkdirSync(join(tree, path, ".."), { recursive: true });
    fs.writeFileSync(join(tree, path), JSON.stringify({ packages }));
  };
  const a = { version: "1.0.0", integrity: "x" };
  const other = { version: "1.0.0", integrity: "y", optional: true };
  write("package-lock.json", { "": {}, "node_modules/a": a, "node_modules/other": other });
  assert.equal(isInstalled(tree), false, "nothing there");
  write("node_modules/a/package.json", {});
  assert.equal(isInstalled(tree), false, "interrupted");
  const list = "node_modules/.package-lock.json";
  write(list, { "node_modules/a": a });
  assert.equal(isInstalled(tree), true);
  write(list, { "node_modules/a": { ...a, version: "1.0.1" } });
  assert.equal(isInstalled(tree), false, "another version");
  write(list, { "node_modules/other": other });
  assert.equal(isInstalled(tree), false, "one is missing");
  write(list, { "node_modules/a": a });
  fs.rmSync(join(tree, "node_modules/a"), { recursive: true });
  assert.equal(isInstalled(tree), false, "a folder was removed");
});

test("the fingerprint sees content and names, not times", (t) => {
  const tree = folder(t);
  fs.mkdirSync(join(tree, "src"));
  const file = join(tree, "src", "a.ts");
  const print = () => fingerprint(tree, ["src", "missing.json"]);
  fs.writeFileSync(file, "one");
  const first = print();
  fs.utimesSync(file, new Date(0), new Date(0));
  assert.equal(print(), first);
  fs.writeFileSync(file, "two");
  const second = print();
  assert.notEqual(second, first);
  fs.renameSync(file, join(tree, "src", "b.ts"));
  assert.notEqual(print(), second);
});

test("set-ups at the same time run one after the other", async (t) => {
  const lock = join(folder(t), "lock");
  const log = join(folder(t), "log");
  const code = `import { appendFileSync } from "node:fs";
    import { withLock } from ${JSON.stringify(lockUrl)};
    await withLock(process.argv[1], () => {}, async () => {
      appendFileSync(process.argv[2], "in ");
      await new Promise((resolve) => setTimeout(resolve, 150));
      appendFileSync(process.argv[2], "out ");
    });`;
  const args = ["--input-type=module", "-e", code, lock, log];
  const codes = await Promise.all(
    [1, 2, 3].map(() => {
      const child = spawn(process.execPath, args, { stdio: "inherit" });
      return new Promise((resolve) => child.once("exit", resolve));
    }),
  );
  assert.deepEqual(codes, [0, 0, 0]);
  assert.equal(fs.readFileSync(log, "utf8"), "in out in out in out ");
  assert.equal(fs.existsSync(lock), false);
});

test("a lock is taken over from the dead, and left behind by nobody", {
  timeout: 20_000,
}, async (t) => {
  const lock = join(folder(t), "lock");
  const crash = `import { withLock } from ${JSON.stringify(lockUrl)};
    await withLock(process.argv[1], () => {}, async () => process.kill(process.pid, "SIGKILL"));`;
  spawnSync(process.execPath, ["--input-type=module", "-e", crash, lock]);
  assert.equal(fs.existsSync(lock), true);
  assert.equal(
    await withLock(
      lock,
      () => {},
      async () => "done",
    ),
    "done",
  );
  assert.equal(fs.existsSync(lock), false);
  fs.writeFileSync(lock, "1\nanother-host\n");
  fs.utimesSync(lock, new Date(0), new Date(0));
  assert.equal(
    await withLock(
      lock,
      () => {},
      async () => "again",
    ),
    "again",
  );
  await assert.rejects(
    withLock(
      lock,
      () => {},
      async () => Promise.reject(new Error("no")),
    ),
    /no/,
  );
  assert.equal(fs.existsSync(lock), false);
});
