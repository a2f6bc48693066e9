/**
 * `npm test [-- PATH...] [--FLAG...]`: sets up, checks the types of everything, and runs the tests
 * on Node 24; threads and commands run the built program. With paths only the tests at or below
 * them run, all from the source, and types are not checked. With `--whole` (`npm run test:whole`)
 * no test takes a sample of what it generates.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile, filesBelow, fingerprint } from "./setup/build.mjs";
import { endLike, runChild } from "./setup/child.mjs";
import { entry, ROOT, say, setUp, timed } from "./setup.mjs";

const TYPED = ["src", "test", "scripts", "bench", "package-lock.json"];
const CONFIGS = ["tsconfig.json", "tsconfig.test.json"];
const TIMEOUT_MS = 600_000;

/** Threads and commands of tests run the built program. */
const BUILT = pathToFileURL(join(ROOT, "scripts", "setup", "built.mjs")).href;

/**
 * Test files that share a process, those of small folders with others: each process loads the
 * program and warms it up once more.
 */
const SHARED_MAX = 20;
const FEW = 4;

/**
 * Writes files that import the test files of one folder below `test` each, at most `SHARED_MAX`;
 * folders of no more than `FEW` files stand together.
 * @param {readonly string[]} files relative to the root
 * @returns {string[]} the files to run
 */
function batches(files) {
  const folder = join(ROOT, ".setup", "tests");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const folderOf = (/** @type {string} */ file) => file.split("/").slice(0, 2).join("-");
  const nameOf = (/** @type {string} */ file) => {
    const own = folderOf(file);
    return files.filter((one) => folderOf(one) === own).length > FEW ? own : "few";
  };
  return [...new Set(files.map(nameOf))].flatMap((name) => {
    const all = files.filter((file) => nameOf(file) === name);
    const count = Math.ceil(all.length / SHARED_MAX);
    return Array.from({ length: count }, (_, part) => {
      const some = all.filter((_file, i) => i % count === part);
      const path = join(folder, `${name.replace(/\.test\.ts$/, "")}-${part + 1}.test.mjs`);
      const urls = some.map((file) => pathToFileURL(join(ROOT, file)).href);
      writeFileSync(path, urls.map((url) => `import ${JSON.stringify(url)};\n`).join(""));
      return path;
    });
  });
}

/** @param {string} node */
async function checkTypes(node) {
  const stamp = join(ROOT, ".setup", "types");
  const print = fingerprint(ROOT, [...TYPED, ...CONFIGS]);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === print) return;
  await timed("checking types", () => compile(ROOT, node, "tsconfig.test.json", []));
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, print);
}

await entry(async () => {
  const args = process.argv.slice(2);
  const paths = args.filter((each) => !each.startsWith("-"));
  const flags = args.filter((each) => each.startsWith("-") && each !== "--whole");
  const only = paths.length > 0 ? "packages" : undefined;
  const node = await setUp(ROOT, { only });
  if (only === undefined) await checkTypes(node);
  const files = (only === undefined ? ["test"] : paths)
    .flatMap((path) => filesBelow(ROOT, path.replace(/\/$/, "")))
    .filter((file) => file.endsWith(".test.ts") && existsSync(join(ROOT, file)));
  if (files.length === 0) {
    say(`no tests at ${paths.join(", ")}`);
    process.exitCode = 2;
    return;
  }
  const options = ["--test", "--test-concurrency=3", `--test-timeout=${TIMEOUT_MS}`];
  options.push("--test-reporter=spec", ...flags);
  // What one process has compiled the others need not.
  const { NODE_COMPILE_CACHE = join(ROOT, ".setup", "test-cache") } = process.env;
  // The build is as new as the source only where everything was set up.
  const built = only === undefined ? [`--import=${BUILT}`] : [];
  const NODE_OPTIONS = [process.env.NODE_OPTIONS ?? "", ...built].join(" ").trim();
  const LACUNA_TESTS = args.includes("--whole") ? "whole" : "sample";
  const env = { ...process.env, NODE_COMPILE_CACHE, NODE_OPTIONS, LACUNA_TESTS };
  endLike(await runChild(node, [...options, ...batches(files)], { cwd: ROOT, env }));
});
