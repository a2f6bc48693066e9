/** Each `http` block of the examples is answered as it says, before and after `kill -9`. */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { microsOf } from "../../src/cli/trial/play.ts";
import { parseTimestamp } from "../../src/expr/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { movableClock, serve } from "../../src/serve/index.ts";
import { type ParsedExample, parseExample } from "../../src/spec/index.ts";
import { sampled } from "../whole.ts";
import type { Kept } from "./answers.ts";
import { compiledExample, exampleNames } from "./example.ts";
import { exchange } from "./exchange.ts";
import { settingsFor } from "./settings.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));

/** A service that runs, with a clock that is moved by microseconds. */
interface Host {
  readonly address: string;
  move(micros: bigint): Promise<unknown>;
  end(): Promise<unknown>;
}

interface Start {
  readonly plan: Plan;
  readonly folder: string;
  readonly now: bigint;
}

/** In a process of its own, which ends by `kill -9`. */
async function startKilled({ plan, folder, now }: Start): Promise<Host> {
  const planFile = join(folder, "plan.json");
  if (!existsSync(planFile)) writeFileSync(planFile, JSON.stringify(plan));
  const child = fork(CHILD, [planFile, join(folder, "data.sqlite"), String(now)]);
  const [address] = (await once(child, "message")) as [string];
  return {
    address,
    move: (micros) => {
      const moved = once(child, "message");
      child.send(String(micros));
      return moved;
    },
    end: () => {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      return gone;
    },
  };
}

async function startHere({ plan, folder, now }: Start): Promise<Host> {
  const clock = movableClock(now);
  const file = join(folder, "data.sqlite");
  const settings = settingsFor(plan);
  const running = await serve(plan, { file, clock, settings, standIns: true });
  const move = async (micros: bigint) => clock.move(micros);
  return { address: running.address, move, end: () => running.stop() };
}

/** Runs a block; the service is killed and started again before the exchanges named. */
async function run(
  plan: Plan,
  { name, parsed }: { readonly name: string; readonly parsed: ParsedExample },
  killBefore: ReadonlySet<number>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-served-"));
  const start = killBefore.size > 0 ? startKilled : startHere;
  const stated = parsed.clock === undefined ? undefined : parseTimestamp(parsed.clock.text);
  let now = typeof stated === "bigint" ? stated : BigInt(Date.now()) * 1000n;
  let host = await start({ plan, folder, now });
  const kept: Kept = new Map();
  try {
    for (const [i, one] of parsed.exchanges.entries()) {
      if (killBefore.has(i)) {
        await host.end();
        host = await start({ plan, folder, now });
      }
      for (const move of parsed.moves.filter((each) => each.before === i)) {
        const micros = microsOf(move.durationText);
        now += micros;
        await host.move(micros);
      }
      await exchange(
        host.address,
        one,
        kept,
        `${name}: ${one.request.method.text} ${one.request.target.text} (exchange ${i + 1})`,
      );
    }
  } finally {
    await host.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

for (const name of exampleNames()) {
  const { plan } = compiledExample(name, (path) => readFileSync(path));
  const killed = new Set(sampled(plan.examples, 2));
  for (const block of plan.examples) {
    const parsed = parseExample(block.text);
    test(`${name}: ${block.title}`, async () => {
      assert.deepEqual(parsed.problems, []);
      assert.ok(parsed.exchanges.length > 0);
      await run(plan, { name, parsed }, new Set());
    });
    if (!killed.has(block)) continue;
    test(`${name}: ${block.title}, killed and started again on the way`, async () => {
      const middle = Math.ceil(parsed.exchanges.length / 2);
      await run(plan, { name, parsed }, new Set([middle]));
    });
  }
}

test("the examples have blocks to run", () => {
  const blocks = exampleNames().flatMap(
    (name) => compiledExample(name, (path) => readFileSync(path)).plan.examples,
  );
  assert.ok(blocks.length >= 5, `${blocks.length} blocks`);
});
