/**
 * `npm run test:others [-- --only NAME] [-- --seeds N] [-- --seconds N]`: `lacuna verify` against
 * services that others have written, where they are found on this machine. SEED is the first. Each
 * answer that is called broken, and is none of those that were looked into by hand (`known.ts`), is
 * taken for a false alarm: it ends with exit code 1.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../../campaigns/options.ts";
import { lacuna } from "../../cli/world.ts";
import { ROOT } from "../../peers/served.ts";
import { campaignSeed } from "../../random.ts";
import { type Known, known } from "./known.ts";
import { type Other, others, running } from "./services.ts";

const SEEDS = 20;
const SECONDS = 20;
const PRINTED = Number(process.env["PRINTED"] ?? 1_500);

interface Broken {
  readonly items: readonly string[];
  readonly sent: { readonly method: string; readonly target: string; readonly body?: string };
  readonly answered: { readonly status: number; readonly body?: string };
  readonly expected: { readonly status: number; readonly body?: string };
}

const options = campaignOptions({ only: "text", seeds: "count", seconds: "count" });
const { only, seeds = SEEDS, seconds = SECONDS } = options;
const first = campaignSeed();
console.log(`SEED=${first}`);

function knownAs(service: string, { items, sent, answered, expected }: Broken): Known | undefined {
  const request = `${sent.method} ${sent.target} ${sent.body ?? ""}`;
  const told = (one: Broken["answered"]): string => `${one.status} ${one.body ?? ""}`;
  return known.find(
    (one) =>
      one.service === service &&
      items.some((item) => one.item.test(item)) &&
      one.sent.test(request) &&
      one.answered.test(told(answered)) &&
      (one.expected?.test(told(expected)) ?? true),
  );
}

/** Arguments of `lacuna verify` besides the address and the seed. */
function argumentsOf(other: Other, folder: string): string[] {
  const { document, edit = (text) => text, assumptions, settings = {} } = other;
  const file = join(folder, "spec.md");
  writeFileSync(file, edit(readFileSync(join(ROOT, document), "utf8")));
  const given = join(folder, "given.json");
  writeFileSync(given, JSON.stringify({ settings }));
  const all = ["--given", given, "--format", "json", "--seconds", String(seconds)];
  if (assumptions === undefined) return [file, ...all];
  const assumed = join(folder, "assumptions.md");
  writeFileSync(assumed, assumptions());
  return [file, ...all, "--assume", assumed];
}

async function verified(other: Other, home: string, folder: string): Promise<void> {
  const { name } = other;
  // It runs on for all seeds: what one has made is data of others to the next.
  const service = await running(other, home);
  const found = new Map<Known, number>();
  let alarms = 0;
  let requests = 0;
  const held: number[] = [];
  try {
    for (let seed = first; seed < first + seeds; seed++) {
      const all = argumentsOf(other, folder);
      const { out, err } = await lacuna([
        "verify",
        ...all,
        ...["--seed", String(seed), service.address],
      ]);
      if (out === "") throw new Error(err);
      const report = JSON.parse(out);
      requests += report.run.requests;
      held.push(report.counts.held);
      for (const one of report.broken as readonly Broken[]) {
        const as = knownAs(name, one);
        if (as !== undefined) found.set(as, (found.get(as) ?? 0) + 1);
        else {
          alarms += 1;
          console.log(`${name}, seed ${seed}:`, JSON.stringify(one).slice(0, PRINTED));
        }
      }
    }
  } finally {
    await service.stop();
  }
  const word = alarms === 0 ? "no alarm" : `${alarms} ALARMS`;
  const range = `${Math.min(...held)} to ${Math.max(...held)} held`;
  console.log(`${name}: ${word}, ${seeds} seeds, ${requests} requests, ${range}`);
  for (const [{ item, why }, count] of found)
    console.log(`  ${count} times ${item.source}: ${why}`);
  if (alarms > 0) process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), "lacuna-others-"));
try {
  for (const other of others) {
    if (only !== undefined && other.name !== only) continue;
    const home = process.env[other.variable];
    if (home === undefined || !existsSync(home)) {
      console.log(`${other.name}: ${other.variable} names no folder: not found, skipped`);
    } else await verified(other, home, folder);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
