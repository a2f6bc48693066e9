/**
 * `npm run bench:serve`: Lacuna beside two hand-written controls and other programs, by turns in
 * one run, part by part. `--help` tells the options.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, availableParallelism, cpus, loadavg, platform, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { barLine, markdown, seedOf } from "./figures.ts";
import type { Bench, Found } from "./parts.ts";
import { PARTS } from "./parts.ts";
import { PEER_PARTS } from "./peers.ts";
import { POSTGRES_PARTS } from "./postgres.ts";
import { lacunaNode } from "./servers.ts";

const ALL: Readonly<Record<string, (bench: Bench) => Promise<Found>>> = {
  ...PARTS,
  ...POSTGRES_PARTS,
  ...PEER_PARTS,
};
const NAMES = Object.keys(ALL);
const HELP = `npm run bench:serve -- [OPTIONS]

  --only PARTS       the parts to run, with commas: ${NAMES.join(", ")}
  --results FILE     keeps what each part has measured in FILE (JSON); a part that is there is
                     printed and not run again
  --rows N           rows of the part 'rows'; default 200000
  --per-second N     requests a second of the part 'open-loop'; default 2000
  --quick            one round of 1.5 s in place of five of 3 s

SEED in the environment draws the requests. Prints Markdown.`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    results: { type: "string" },
    rows: { type: "string", default: "200000" },
    "per-second": { type: "string", default: "2000" },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

interface Kept extends Found {
  readonly load: number;
}

function wanted(): readonly string[] {
  const names = values.only?.split(",") ?? NAMES;
  const unknown = names.filter((one) => ALL[one] === undefined);
  if (unknown.length === 0) return names;
  throw new Error(`no part is named ${unknown.join(", ")}: there are ${NAMES.join(", ")}`);
}

function readResults(file: string | undefined): Record<string, Kept> {
  if (file === undefined || !existsSync(file)) return {};
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, Kept>;
}

function print({ title, rows, bars, load }: Kept): void {
  console.log(`\n### ${title}\n`);
  if (rows.length > 0) console.log(`${markdown(rows)}\n`);
  if (bars.length > 0) {
    console.log(markdown([["bar", "measured", "wanted", ""], ...bars.map(barLine)]));
  }
  console.log(`\nLoad of the machine before it: ${load.toFixed(1)}.`);
}

async function run(): Promise<void> {
  const names = wanted();
  const kept = readResults(values.results);
  const node = await lacunaNode();
  const seed = seedOf(20261121);
  const rounds = values.quick
    ? { rounds: 1, durationMs: 1500, warmUpMs: 2000 }
    : { rounds: 5, durationMs: 3000, warmUpMs: 6000 };
  console.log(
    `Node ${process.version}, ${availableParallelism()} x ${cpus()[0]?.model ?? arch()}, ` +
      `${platform()}; seed ${seed}; ${rounds.rounds} rounds of ${rounds.durationMs / 1000} s by ` +
      `turns after ${rounds.warmUpMs / 1000} s that do not count, medians; the load generator on ` +
      "the same machine. `of ours`: our requests a second, of the server's.",
  );
  for (const name of names) {
    const part = ALL[name];
    const folder = mkdtempSync(join(tmpdir(), "lacuna-bench-"));
    try {
      const [load = Number.NaN] = loadavg();
      const numbers = { manyRows: Number(values.rows), perSecond: Number(values["per-second"]) };
      const bench: Bench = { ...rounds, ...numbers, node, folder, seed };
      if (kept[name] === undefined && part) kept[name] = { ...(await part(bench)), load };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    if (values.results !== undefined) writeFileSync(values.results, JSON.stringify(kept));
    if (kept[name]) print(kept[name]);
  }
}

if (values.help) console.log(HELP);
else await run();
