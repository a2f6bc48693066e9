/** The first screen of README.md: its document is served, asked about, answered and served on. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { samples } from "./prose.ts";
import { assertLike, commandsOf } from "./transcript.ts";

const root = join(import.meta.dirname, "../..");
const main = join(root, "src/cli/main.ts");
const env = { ...process.env, NO_COLOR: "1", COLUMNS: "100" };
/** How long an edit may take to be served. */
const EDIT_MS = 10_000;

const readme = samples().filter(
  ({ info, place }) => place.startsWith("README.md") && info.endsWith(" first"),
);

/** Starts the service; settles with its address. */
async function serves(args: readonly string[], cwd: string): Promise<[ChildProcess, string]> {
  const child = spawn(process.execPath, [main, ...args, "--port", "0"], { cwd, env });
  const ended = once(child, "exit").then(() => "");
  let told = "";
  for (;;) {
    const address = /served at (\S+)/.exec(told)?.[1];
    if (address !== undefined) return [child, address];
    const more = await Promise.race([once(child.stdout, "data"), ended]);
    assert.notEqual(more, "", `not served: ${told}`);
    told += String(more);
  }
}

/** Sends what a `curl -i` line sends, to another address; gives what it would print. */
async function curl(line: string, address: string): Promise<string> {
  const url = /http:\/\/\S+/.exec(line)?.[0] ?? "";
  const [, field = ""] = / -H '([^']*)'/.exec(line) ?? [];
  const [name = "", value = ""] = field.split(": ");
  const [, body = ""] = / -d '([^']*)'/.exec(line) ?? [];
  const target = new URL(new URL(url).pathname, address);
  const answer = await fetch(target, { method: "POST", headers: { [name]: value }, body });
  const { status } = answer;
  const shown = ["content-type", "lacuna-gap"].flatMap((each) => {
    const text = answer.headers.get(each);
    const title = each.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
    return text === null ? [] : [`${title}: ${text}`];
  });
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...shown].join("\n");
  return `${head}\n\n${await answer.text()}`;
}

/** The document with the lines of a diff in place of those that it takes away. */
function edited(document: string, diff: string): string {
  const lines = (sign: string): string =>
    diff
      .split("\n")
      .filter((each) => each.startsWith(sign))
      .map((each) => `${each.slice(1)}\n`)
      .join("");
  assert.ok(document.includes(lines("-")), "the diff is of the document");
  return document.replace(lines("-"), () => lines("+"));
}

test("the first 60 lines hold the document, its gap, the question and the answer", () => {
  const lines = readFileSync(join(root, "README.md"), "utf8").split("\n");
  assert.deepEqual(
    readme.map(({ info }) => info),
    ["markdown first", "console first", "diff first", "console first"],
  );
  const last = readme.at(-1);
  const end = Number(last?.place.split(":")[1]) + (last?.text.split("\n").length ?? 0);
  assert.ok(end <= 60 && end <= lines.length, `it ends in line ${end}`);
  assert.equal(readme[0]?.text.trimEnd().split("\n").length, 20);
});

test("a request meets the gap of the first screen, and the answer to it is served", async () => {
  const [document, before, diff, after] = readme.map(({ text }) => text);
  const folder = mkdtempSync(join(tmpdir(), "lacuna-readme-"));
  const file = join(folder, "notes.md");
  writeFileSync(file, document ?? "");
  let service: ChildProcess | undefined;
  try {
    let address = "";
    for (const { line, output } of commandsOf(before ?? "")) {
      const args = line.split(" ").slice(1);
      if (line.endsWith(" &")) {
        [service, address] = await serves(args.slice(0, -1), folder);
      } else if (line.startsWith("curl ")) {
        assertLike(await curl(line, address), output, line);
      } else {
        const done = spawnSync(process.execPath, [main, ...args], { cwd: folder, env });
        assertLike(String(done.stdout), output, line);
      }
    }
    writeFileSync(file, edited(document ?? "", diff ?? ""));
    const [again] = commandsOf(after ?? "");
    assert.ok(again !== undefined);
    const end = Date.now() + EDIT_MS;
    let told = await curl(again.line, address);
    while (told.startsWith("HTTP/1.1 501") && Date.now() < end) {
      await pause(50);
      told = await curl(again.line, address);
    }
    assertLike(told, again.output, again.line);
  } finally {
    if (service !== undefined) {
      service.kill("SIGTERM");
      if (service.exitCode === null) await once(service, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  }
});
