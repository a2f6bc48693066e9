/** `lacuna verify` beside Schemathesis: the same service, the same interface, the same faults. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportedText } from "../test/export/exported.ts";
import { failuresIn } from "../test/export/judge.ts";
import { program, versionOf } from "../test/peers/tools.ts";
import { judged } from "../test/verify/faults/judged.ts";
import { type Fault, seeded } from "../test/verify/faults/seeded.ts";
import { running } from "../test/verify/faults/shop.ts";

const SECONDS = 60;
const GRACE_MS = 30_000;
const FILE = join(import.meta.dirname, "../test/verify/faults/shop.md");

interface Bounds {
  readonly seed: number;
  /** For each run. */
  readonly seconds?: number | undefined;
  /** How many faults, spread over all; undefined: all. */
  readonly faults?: number | undefined;
}

interface Run {
  readonly requests: number;
  readonly seconds: number;
  /** What was found wrong, in words that are the same for the same. */
  readonly found: readonly string[];
}

/** A key of a new shop's manager, as an operator would give it to a tester. */
async function keyOf(address: string): Promise<string> {
  const answer = await fetch(`${address}/shop/shops`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "Api-Version": "2" },
    body: '{"shop":"Bench","name":"Bea"}',
  });
  return ((await answer.json()) as { readonly key: string }).key;
}

async function byOther(
  tool: string,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
  fault?: Fault,
): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-beside-"));
  const service = await running(fault === undefined ? [] : [fault]);
  try {
    const file = join(folder, "openapi.json");
    writeFileSync(file, exportedText(FILE, readFileSync(FILE)));
    const key = await keyOf(service.address);
    const args = [
      ...["run", file, "--url", `${service.address}/shop`, "--seed", String(seed)],
      ...["--max-time", String(seconds), "--continue-on-failure"],
      ...["--header", `Authorization: Bearer ${key}`, "--header", "Api-Version: 2"],
    ];
    const began = performance.now();
    const before = service.requests();
    const out = await outputOf(tool, args, { folder, seconds });
    const found = failuresIn(out).flatMap(({ operation, checks }) =>
      checks.map((check) => `${operation} ${check}`),
    );
    const took = (performance.now() - began) / 1000;
    return { requests: service.requests() - before, seconds: took, found: [...new Set(found)] };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function outputOf(
  tool: string,
  args: readonly string[],
  { folder, seconds }: { readonly folder: string; readonly seconds: number },
): Promise<string> {
  const env = { ...process.env, NO_COLOR: "1", COLUMNS: "200" };
  const child = spawn(tool, args, { cwd: folder, env });
  const late = setTimeout(() => child.kill("SIGKILL"), seconds * 1000 + GRACE_MS);
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => (out += String(chunk)));
  }
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", () => {
      clearTimeout(late);
      done(out);
    });
  });
}

async function byLacuna(seed: number, seconds: number, fault?: Fault): Promise<Run> {
  const { requests, seconds: took, breaks } = await judged(seed, fault, { seconds });
  return { requests, seconds: took, found: [...new Set(breaks.flatMap(({ items }) => items))] };
}

interface Sums {
  kills: number;
  requests: number;
  seconds: number;
}

/** Runs both on the right service, then on each fault: a kill is what is not found on the right one. */
export async function besides({ seed, seconds = SECONDS, faults }: Bounds): Promise<void> {
  const tool = program("LACUNA_SCHEMATHESIS", "schemathesis", "st");
  const all = Object.keys(seeded) as Fault[];
  const step = Math.max(1, Math.floor(all.length / (faults ?? all.length)));
  const chosen = all.filter((_, i) => i % step === 0).slice(0, faults);
  const testers = new Map<string, (fault?: Fault) => Promise<Run>>();
  testers.set("lacuna verify", (fault) => byLacuna(seed, seconds, fault));
  if (tool !== undefined) {
    testers.set(versionOf(tool), (fault) => byOther(tool, { seed, seconds }, fault));
  }
  if (tool === undefined) console.log("Schemathesis not found: `pip install schemathesis`");
  for (const [name, run] of testers) {
    const right = await run();
    const sums: Sums = { kills: 0, requests: right.requests, seconds: right.seconds };
    console.log(`${name}: ${right.found.length} alarms on the right service`);
    for (const one of right.found) console.log(`  ${one}`);
    for (const fault of chosen) {
      const { found, requests, seconds: took } = await run(fault);
      const isKilled = found.some((one) => !right.found.includes(one));
      if (isKilled) sums.kills += 1;
      sums.requests += requests;
      sums.seconds += took;
      console.log(`  ${isKilled ? "killed" : "NOT KILLED"}: ${fault}`);
    }
    const runs = chosen.length + 1;
    const each = `${Math.round(sums.requests / runs)} requests and ${(sums.seconds / runs).toFixed(1)} s a run`;
    console.log(`${name}: ${sums.kills} of ${chosen.length} faults killed, ${each}`);
  }
}
