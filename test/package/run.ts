/**
 * `npm run test:package`: what somebody does who has only the package. From a fresh clone it is
 * packed and installed in an empty project, and the commands of README.md and docs/running.md are
 * run there; the steps of the image are run in a clean folder, and its size is added up.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { consumer, RESOLUTIONS } from "./consumer.ts";

const ROOT = join(import.meta.dirname, "../..");
const TIMEOUT_MS = 540_000;
const IMAGE_BYTES_MAX = 150_000_000;
/** Bytes of Alpine 3.22 and of its libstdc++ and libgcc, unpacked. */
const BASE_BYTES = 8_400_000 + 2_900_000;

const folder = mkdtempSync(join(tmpdir(), "lacuna-package-"));
/** A shell of a user: without what `npm run` has put there. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_COMPILE_CACHE|INIT_CWD)/.test(name)),
);

function run(command: string, cwd: string, env: NodeJS.ProcessEnv = environment): string {
  // Into files: whoever is left behind would hold a pipe open.
  const [out, err] = [join(folder, "out"), join(folder, "err")];
  const files = [openSync(out, "w"), openSync(err, "w")] as const;
  const made = spawnSync("bash", ["-c", `set -euo pipefail\n${command}`], {
    cwd,
    env,
    stdio: ["ignore", ...files],
    timeout: TIMEOUT_MS,
  });
  for (const file of files) closeSync(file);
  const stdout = readFileSync(out, "utf8");
  const said = `${command}\n${stdout}\n${readFileSync(err, "utf8")}`;
  assert.equal(made.status, 0, `exit code ${made.status}, signal ${made.signal}: ${said}`);
  return stdout;
}

let begun = performance.now();
function say(what: string): void {
  const now = performance.now();
  console.log(`✓ ${what} (${((now - begun) / 1000).toFixed(1)} s)`);
  begun = now;
}

function bytesBelow(path: string): number {
  return readdirSync(path, { recursive: true, encoding: "utf8" }).reduce((all, name) => {
    const about = statSync(join(path, name), { throwIfNoEntry: false });
    return all + (about?.isFile() === true ? about.size : 0);
  }, 0);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

/** The blocks of a page that are to be run, as one script. */
function scriptOf(page: string): string {
  const blocks = [...readFileSync(join(ROOT, page), "utf8").matchAll(/```sh run\n([\s\S]*?)```/g)];
  assert.ok(blocks.length > 0, `${page} has no commands`);
  return blocks.map(([, text]) => text ?? "").join("\n");
}

async function runPage(page: string, tarball: string): Promise<void> {
  const project = join(folder, page.replaceAll(/\W/g, "-"));
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "private": true }\n');
  const [port, admin] = [await freePort(), await freePort()];
  const script = scriptOf(page)
    .replaceAll("npm install lacuna", `npm install --no-audit --no-fund ${tarball}`)
    .replaceAll("8080", String(port))
    .replaceAll("9090", String(admin));
  run(`trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${script}`, project);
  say(`the commands of ${page}`);
}

function judgeProject(project: string): void {
  const bin = readdirSync(join(project, "node_modules", ".bin"));
  assert.ok(!bin.some((name) => /^(node|npm)(\.|$)/.test(name)), `brought along: ${bin}`);
  assert.equal(run("npm exec -c 'node --version'", project), run("node --version", project));
  say(`no other node; ${Math.round(bytesBelow(project) / 1e6)} MB with all packages`);
}

/** On an older Node.js, where one is there, the command and the library say so in a line. */
function judgeOld(project: string): void {
  const old = "/usr/bin/node";
  const found = spawnSync(old, ["--version"], { encoding: "utf8" }).stdout?.trim() ?? "";
  if (!/^v(18|20|22)\./.test(found)) return console.log("- no older Node.js is at hand");
  const main = join(project, "node_modules/lacuna/dist/cli/main.js");
  const command = spawnSync(old, [main, "check", "x"], { encoding: "utf8" });
  assert.deepEqual([command.status, command.stdout], [2, ""]);
  assert.match(command.stderr, /^lacuna: this is Node\.js .*needs Node\.js 24 or newer\.\n$/);
  const library = `import("lacuna").catch((fault) => console.log(fault.message))`;
  const said = spawnSync(old, ["-e", library], { cwd: project, encoding: "utf8" }).stdout;
  assert.equal(said, "Lacuna needs Node.js 24 or newer.\n");
  say(`Node.js ${found} is refused in a line`);
}

function judgeTypes(project: string): void {
  cpSync(join(ROOT, "node_modules/typescript"), join(project, "node_modules/typescript"), {
    recursive: true,
  });
  const native = join(ROOT, "node_modules/@typescript");
  cpSync(native, join(project, "node_modules/@typescript"), { recursive: true });
  for (const { module, moduleResolution } of RESOLUTIONS) {
    writeFileSync(join(project, "consumer.mts"), consumer);
    const flags = `--strict --noEmit --target es2024 --lib es2024,dom --types "" --skipLibCheck false`;
    const how = `--module ${module} --moduleResolution ${moduleResolution}`;
    run(`node node_modules/typescript/bin/tsc ${flags} ${how} consumer.mts`, project);
    say(`types under ${moduleResolution}`);
  }
}

function judgeImage(clone: string): void {
  const app = join(folder, "app");
  const prebuilt = `linux-${process.arch}`;
  run(`deploy/image.sh ${app} ${prebuilt}`, clone);
  const image = readFileSync(join(clone, "Dockerfile"), "utf8");
  assert.match(image, /RUN deploy\/image\.sh \/app\n/);
  run(
    `cp ${process.execPath} node && strip node && ./node node_modules/.bin/lacuna --version`,
    app,
  );
  const bytes = bytesBelow(app) + BASE_BYTES;
  assert.ok(bytes <= IMAGE_BYTES_MAX, `the image has ${bytes} bytes`);
  say(`the steps of the image; ${Math.round(bytes / 1e6)} MB with its base`);
  const unit = join(folder, "lacuna.service");
  const text = readFileSync(join(clone, "deploy/lacuna.service"), "utf8");
  writeFileSync(unit, text.replace("/usr/local/bin/lacuna", "/bin/true"));
  if (spawnSync("systemd-analyze", ["--version"]).status !== 0) return;
  run(`systemd-analyze verify ${unit}`, folder);
  say("the unit of systemd");
}

try {
  const clone = join(folder, "clone");
  run(`git clone -q "${ROOT}" "${clone}"`, folder);
  const names = run("npm pack --silent", clone).trim().split("\n");
  const tarball = join(clone, names.at(-1) ?? "");
  const listed = run(`tar -tzf "${tarball}"`, folder);
  assert.match(listed, /^package\/dist\/cli\/main\.js$/m);
  assert.doesNotMatch(listed, /golden|\.ts\.map|package\/(src|test|scripts)\//);
  say(`a fresh clone is packed: ${Math.round(statSync(tarball).size / 1000)} kB`);
  for (const page of ["README.md", "docs/running.md"]) await runPage(page, tarball);
  const project = join(folder, "docs-running-md");
  judgeProject(project);
  judgeOld(project);
  judgeTypes(project);
  judgeImage(clone);
  console.log(`all of it, below ${dirname(folder)}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
