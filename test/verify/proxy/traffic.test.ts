/** `lacuna proxy` before a service: what many clients send at once is judged, and told at the end. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, lacuna } from "../../cli/world.ts";
import { proxied } from "../../peers/proxied.ts";
import { ROOT, served } from "../../peers/served.ts";

const TODO = "examples/todo/spec.md";
const ROUNDS = 8;
const CLIENTS = 6;

type Ask = (method: string, target: string, body?: unknown) => Promise<{ readonly id: string }>;

function asking(address: string): Ask {
  return async (method, target, body) => {
    const response = await fetch(address + target, {
      method,
      headers: { "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return text === "" ? undefined : JSON.parse(text);
  };
}

/** Many clients that change the same few rows at once. */
async function crowd(ask: Ask): Promise<void> {
  const ids = [(await ask("POST", "/todos", { title: "first" })).id];
  const client = async (_: unknown, own: number): Promise<void> => {
    for (let i = 0; i < ROUNDS; i++) {
      const id = ids[(own + i) % ids.length] ?? "";
      const turn = (own * 7 + i * 3) % 6;
      if (turn === 0) ids.push((await ask("POST", "/todos", { title: `${own} ${i}` })).id);
      else if (turn === 1) await ask("POST", `/todos/${id}/finish`);
      else if (turn === 2) await ask("DELETE", `/todos/${id}`);
      else if (turn === 3) await ask("PATCH", `/todos/${id}`, { title: `${own} ${i}` });
      else await ask("GET", turn === 4 ? `/todos/${id}` : "/todos?limit=5");
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

for (const isFresh of [true, false]) {
  test(`requests that overlap are no alarm; the service ${isFresh ? "is new" : "may be old"}`, async () => {
    const service = await proxied({ args: [TODO] }, isFresh);
    await crowd(asking(service.address));
    const found = await service.found();
    assert.deepEqual(found.broken, [], found.tally);
    const [, all = "", asStated = ""] =
      /^(\d+) exchanges?: (\d+) as stated/.exec(found.tally) ?? [];
    assert.equal(Number(all), CLIENTS * ROUNDS + 1);
    // How many overlap hangs on the machine, and those in too many orders are not judged.
    assert.ok(Number(asStated) > Number(all) * 0.6, found.tally);
    assert.ok((found.counts["held"] ?? 0) > 50, JSON.stringify(found.counts));
  });
}

test("what a service does wrongly is named, and gives exit code 1", async (t) => {
  const text = readFileSync(join(ROOT, TODO), "utf8");
  const other = join(folder(t), "other.md");
  writeFileSync(other, text.replace("`already_done` | 409", "`already_done` | 410"));
  const service = await served({ args: [other] });
  const main = join(ROOT, "src/cli/main.ts");
  const args = [main, "proxy", TODO, service.address, "--port", "0", "--fresh"];
  const child = spawn(process.execPath, args, { cwd: ROOT });
  let [said, out] = ["", ""];
  child.stdout.on("data", (chunk) => (out += String(chunk)));
  const ended = new Promise<number | null>((done) => child.once("exit", done));
  const address = await new Promise<string>((done) => {
    child.stderr.on("data", (chunk) => {
      said += String(chunk);
      const found = /stands at (\S+)/.exec(said)?.[1];
      if (found !== undefined) done(found);
    });
  });
  const ask = asking(address);
  const { id } = await ask("POST", "/todos", { title: "one" });
  await ask("POST", `/todos/${id}/finish`);
  await ask("POST", `/todos/${id}/finish`);
  child.kill("SIGINT");
  assert.equal(await ended, 1, said);
  await service.stop();
  assert.match(out, /already_done/);
  assert.match(said, /3 exchanges: 2 as stated, 1 broken/);
});

const wrong: readonly [args: readonly string[], says: RegExp][] = [
  [[TODO, "nowhere"], /is no address such as/],
  [[TODO, "http://127.0.0.1:1", "--port", "70000"], /`--port 70000` is no port/],
  [[TODO, "http://127.0.0.1:1", "--format", "xml"], /no format `xml`/],
  [["missing.md", "http://127.0.0.1:1"], /missing\.md/],
  [[TODO, "http://127.0.0.1:1", "--host", "192.0.2.1"], /cannot listen at 192\.0\.2\.1/],
];
for (const [args, says] of wrong) {
  test(`wrong use: ${args.slice(1).join(" ")}`, async () => {
    const [file = "", ...rest] = args;
    const { code, err } = await lacuna(["proxy", join(ROOT, file), ...rest]);
    assert.equal(code, 2, err);
    assert.match(err, says);
  });
}
