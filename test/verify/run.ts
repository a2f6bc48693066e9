/**
 * `npm run test:verify [-- --only NAME] [-- --seeds N] [-- --seconds N]`: `lacuna verify` against
 * `lacuna serve` of the examples, the six services and those of `test/unseen`, each with seeds of its
 * own for what is free (`--shake`) and for the requests. SEED is the first. Each answer that is called broken is a false
 * alarm: it ends with 1.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../campaigns/options.ts";
import { lacuna } from "../cli/world.ts";
import { ROOT, served } from "../peers/served.ts";
import { campaignSeed } from "../random.ts";
import { documents } from "./documents.ts";

const SEEDS = 20;
const PRINTED = Number(process.env["PRINTED"] ?? 1_500);

const {
  only,
  seeds = SEEDS,
  seconds,
} = campaignOptions({ only: "text", seeds: "count", seconds: "count" });
const first = campaignSeed();
console.log(`SEED=${first}`);

interface Counts {
  readonly held: number;
  readonly broken: number;
}

/** What only the operator knows, as `--given` takes it. */
function givenOf(args: readonly string[], settings: Readonly<Record<string, string>>): string {
  const at = args.indexOf("--rows");
  const rows = at < 0 ? {} : JSON.parse(readFileSync(join(ROOT, args[at + 1] ?? ""), "utf8"));
  return JSON.stringify({ settings, rows });
}

const folder = mkdtempSync(join(tmpdir(), "lacuna-verify-"));
try {
  for (const one of documents) {
    const { name, file = `examples/${one.name}/spec.md`, args = [], settings = {} } = one;
    if (only !== undefined && name !== only) continue;
    const document = join(ROOT, file);
    const given = join(folder, "given.json");
    writeFileSync(given, givenOf(args, settings));
    const assume = args.indexOf("--assume");
    const assumed = assume < 0 ? [] : ["--assume", join(ROOT, args[assume + 1] ?? "")];
    let alarms = 0;
    let requests = 0;
    let most: Counts = { held: 0, broken: 0 };
    for (let seed = first; seed < first + seeds; seed++) {
      const service = await served({ args: [file, ...args, "--shake", String(seed)], settings });
      const all = [...assumed, "--fresh", "--given", given];
      all.push("--format", "json", "--seed", String(seed));
      if (seconds !== undefined) all.push("--seconds", String(seconds));
      const { out, err } = await lacuna(["verify", document, service.address, ...all]);
      await service.stop();
      if (out === "") throw new Error(err);
      const { counts, broken, messages, run } = JSON.parse(out);
      requests += run.requests;
      if (counts.held > most.held) most = counts;
      if (counts.broken === 0) continue;
      alarms += 1;
      const [one] = [...broken, ...messages];
      console.log(`${name}, seed ${seed}:`, JSON.stringify(one).slice(0, PRINTED));
    }
    const word = alarms === 0 ? "no alarm" : `${alarms} ALARMS`;
    console.log(`${name}: ${word}, ${seeds} seeds, ${requests} requests, at most`, most);
    if (alarms > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
