/** Each `http` block of the examples is answered as it says, before and after `kill -9`. */
import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { microsOf } from "../../src/cli/trial/play.ts";
import { parseTimestamp } from "../../src/expr/index.ts";
import { type ParsedExample, parseExample } from "../../src/spec/index.ts";
import type { Kept } from "./answers.ts";
import { compiledExample, exampleNames } from "./example.ts";
import { exchange } from "./exchange.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));
interface Host {
  readonly child: ChildProcess;
  readonly address: string;
}

async function start(name: string, file: string, now: bigint): Promise<Host> {
  const child = fork(CHILD, [name, file, String(now)]);
  const [address] = (await once(child, "message")) as [string];
  return { child, address };
}

async function kill(host: Host): Promise<void> {
  const gone = once(host.child, "exit");
  host.child.kill("SIGKILL");
  await gone;
}

/** Runs a block; the service is killed and started again before the exchanges named. */
async function run(
  name: string,
  parsed: ParsedExample,
  killBefore: ReadonlySet<number>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-served-"));
  const file = join(folder, "data.sqlite");
  const stated = parsed.clock === undefined ? undefined : parseTimestamp(parsed.clock.text);
  let now = typeof stated === "bigint" ? stated : BigInt(Date.now()) * 1000n;
  let host = await start(name, file, now);
  const kept: Kept = new Map();
  try {
    for (const [i, one] of parsed.exchanges.entries()) {
      if (killBefore.has(i)) {
        await kill(host);
        host = await start(name, file, now);
      }
      for (const move of parsed.moves.filter((each) => each.before === i)) {
        const micros = microsOf(move.durationText);
        now += micros;
        const moved = once(host.child, "message");
        host.child.send(String(micros));
        await moved;
      }
      await exchange(
        host.address,
        one,
        kept,
        `${name}: ${one.request.method.text} ${one.request.target.text} (exchange ${i + 1})`,
      );
    }
  } finally {
    await kill(host);
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const name of exampleNames()) {
  const { plan } = compiledExample(name, (path) => readFileSync(path));
  for (const block of plan.examples) {
    const parsed = parseExample(block.text);
    test(`${name}: ${block.title}`, async () => {
      assert.deepEqual(parsed.problems, []);
      assert.ok(parsed.exchanges.length > 0);
      await run(name, parsed, new Set());
    });
    test(`${name}: ${block.title}, killed and started again on the way`, async () => {
      const middle = Math.ceil(parsed.exchanges.length / 2);
      await run(name, parsed, new Set([middle, parsed.exchanges.length - 1]));
    });
  }
}

test("the examples have blocks to run", () => {
  const blocks = exampleNames().flatMap(
    (name) => compiledExample(name, (path) => readFileSync(path)).plan.examples,
  );
  assert.ok(blocks.length >= 5, `${blocks.length} blocks`);
});
