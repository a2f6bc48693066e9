/**
 * Attacks with a client beside them that means well: `node test/fair/run.ts [--only NAME,...]
 * [--seconds N] [--list]`. For each attack a service of its own; a table of what the client waited.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions, wrongUse } from "../campaigns/options.ts";
import { ATTACKS, type Attack } from "./attacks.ts";
import { Client, type Timed } from "./client.ts";
import { compared, type Figures, isHeldUp, PEAK_BYTES, percentile } from "./figures.ts";
import { Service } from "./service.ts";

const MIB = 1_048_576;
const CALM_MS = 4_000;
const SPEC = readFileSync(join(import.meta.dirname, "spec.md"), "utf8");
const file = (name: string): string => join(import.meta.dirname, name);

interface Outcome {
  readonly figures: readonly Figures[];
  readonly noiseMs: number;
  readonly peakBytes: number | undefined;
  readonly isAlive: boolean;
}

/** How late a process woke that only slept, at the 99th percentile, since this was last asked. */
async function noise(control: ChildProcess): Promise<number> {
  const told = once(control, "message") as Promise<[number[]]>;
  control.send("?");
  return percentile((await told)[0], 0.99);
}

async function attacked(attack: Attack, folder: string, forMs: number): Promise<Outcome> {
  const spec = join(folder, `${attack.name}.md`);
  const [from, to] = attack.edit ?? ["", ""];
  writeFileSync(spec, SPEC.replace(from, to));
  const options = { spec, data: join(folder, `${attack.name}.sqlite`) };
  const control = fork(file("control.ts"));
  let service = await Service.start(options);
  let client = await Client.known(service.port);
  let attacker: ChildProcess | undefined;
  try {
    await attack.prepare?.(service.port);
    await client.timed(1_000);
    const calm = await client.timed(CALM_MS);
    await noise(control);
    let ill: readonly Timed[];
    if (attack.restarts) {
      await service.kill();
      await new Promise((go) => setTimeout(go, 26_000));
      service = await Service.start(options);
      client.close();
      client = await Client.known(service.port);
      ill = await client.timed(forMs);
    } else {
      attacker = fork(file("attacker.ts"), [attack.name, String(service.port)]);
      const on = once(attacker, "message");
      // What is timed begins with the attack, not when all of it is in place.
      const timed = client.timed(forMs);
      await Promise.race([on, once(attacker, "exit")]);
      ill = await timed;
    }
    return {
      figures: compared(calm, ill),
      noiseMs: await noise(control),
      peakBytes: service.peakBytes,
      isAlive: service.isAlive && attacker?.exitCode !== 1,
    };
  } finally {
    client.close();
    for (const one of [attacker, control]) one?.kill();
    await service.kill();
  }
}

const rounded = (ms: number): string => ms.toFixed(ms < 10 ? 1 : 0);

function row(attack: Attack, { figures, noiseMs, peakBytes }: Outcome): string {
  const cells = figures.map((one) => {
    const wrong = one.wrong === 0 ? "" : ` (${one.wrong} of ${one.count} wrong)`;
    return `${rounded(one.calmMs)} → ${rounded(one.attackedMs)}${wrong}`;
  });
  const peak = peakBytes === undefined ? "?" : String(Math.round(peakBytes / MIB));
  return `| ${[attack.name, attack.size, ...cells, rounded(noiseMs), peak].join(" | ")} |`;
}

const given = campaignOptions({ only: "text", seconds: "count", list: "flag" });
if (given.list) {
  for (const { name, size } of ATTACKS) console.log(`${name.padEnd(20)} ${size}`);
  process.exit();
}
const names = given.only?.split(",");
const unknown = names?.find((name) => !ATTACKS.some((one) => one.name === name));
if (unknown !== undefined) wrongUse(`There is no attack \`${unknown}\`; --list names them.`);
const chosen = ATTACKS.filter((one) => names?.includes(one.name) ?? true);
const folder = mkdtempSync(join(tmpdir(), "lacuna-fair-"));
const beganMs = performance.now();
let heldUp = 0;
const KINDS = ["ping", "read", "write", "log-in", "Basic", "message"];
console.log(
  "Milliseconds at the 99th percentile, undisturbed → attacked; how late a process woke that only " +
    "slept; the most memory, in MiB.\n",
);
console.log(`| ${["Attack", "Size", ...KINDS, "noise", "memory"].join(" | ")} |`);
console.log(`|${"---|".repeat(KINDS.length + 4)}`);
try {
  for (const attack of chosen) {
    const outcome = await attacked(attack, folder, (given.seconds ?? 8) * 1_000);
    console.log(row(attack, outcome));
    const isLarge = (outcome.peakBytes ?? 0) > PEAK_BYTES;
    if (outcome.figures.some(isHeldUp) || isLarge || !outcome.isAlive) heldUp++;
  }
  const took = Math.round((performance.now() - beganMs) / 1_000);
  console.log(`\n${heldUp} of ${chosen.length} attacks held the client up; ${took} s`);
  process.exitCode = heldUp > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
