/**
 * Attacks with a client beside them that means well: `node test/fair/run.ts [--only NAME,...]
 * [--seconds N] [--list]`. For each attack a service of its own; a table of what the client waited.
 * Exit code 0: all held; 1: one did not hold; 2: wrong use; 3: the machine was too loaded to judge.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { constants, loadavg, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions, wrongUse } from "../campaigns/options.ts";
import { ATTACKS, type Attack } from "./attacks.ts";
import { Client, type Timed } from "./client.ts";
import { compared, type Figures, judge, percentile, type Verdict } from "./figures.ts";
import { Service } from "./service.ts";

const MIB = 1_048_576;
const CALM_MS = 4_000;
/** An attack with all that belongs to it has ended by then, or the service is ended. */
const WITHIN_MS = 120_000;
const SPEC = readFileSync(join(import.meta.dirname, "spec.md"), "utf8");
const file = (name: string): string => join(import.meta.dirname, name);

interface Outcome {
  readonly figures: readonly Figures[];
  /** How late a process woke that only slept: beside the attack, and before or after it. */
  readonly noiseMs: number;
  readonly machineMs: number;
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
  const late = setTimeout(() => void service.kill(), WITHIN_MS);
  try {
    await attack.prepare?.(service.port);
    await client.timed(1_000);
    const calm = await client.timed(CALM_MS);
    const beforeMs = await noise(control);
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
      // What is judged is the service: the attacker's own work gives way to it on few cores.
      if (attacker.pid !== undefined) setPriority(attacker.pid, constants.priority.PRIORITY_LOW);
      const on = once(attacker, "message");
      // What is timed begins with the attack, not when all of it is in place.
      const timed = client.timed(forMs);
      await Promise.race([on, once(attacker, "exit")]);
      ill = await timed;
    }
    const noiseMs = await noise(control);
    const { peakBytes } = service;
    const isAlive = service.isAlive && attacker?.exitCode !== 1;
    attacker?.kill();
    await service.kill();
    await new Promise((go) => setTimeout(go, 1_000));
    const machineMs = Math.max(beforeMs, await noise(control));
    return { figures: compared(calm, ill), noiseMs, machineMs, peakBytes, isAlive };
  } finally {
    clearTimeout(late);
    client.close();
    for (const one of [attacker, control]) one?.kill();
    await service.kill();
  }
}

const rounded = (ms: number): string => ms.toFixed(ms < 10 ? 1 : 0);

function row(attack: Attack, outcome: Outcome, verdict: Verdict): string {
  const { figures, noiseMs, machineMs, peakBytes } = outcome;
  const cells = figures.map((one) => {
    const wrong = one.wrong === 0 ? "" : ` (${one.wrong} of ${one.count} wrong)`;
    return `${rounded(one.calmMs)} → ${rounded(one.attackedMs)}${wrong}`;
  });
  const peak = peakBytes === undefined ? "?" : String(Math.round(peakBytes / MIB));
  const noises = `${rounded(machineMs)}, ${rounded(noiseMs)}`;
  const load = (loadavg()[0] ?? 0).toFixed(1);
  return `| ${[attack.name, attack.size, ...cells, noises, peak, load, verdict].join(" | ")} |`;
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
const verdicts: Verdict[] = [];
const KINDS = ["ping", "read", "write", "log-in", "Basic", "message"];
console.log(
  "Milliseconds at the 99th percentile, undisturbed → attacked; how late a process woke that only " +
    "slept, without and with the attack; the most memory, in MiB; the load; whether it held.\n",
);
console.log(`| ${["Attack", "Size", ...KINDS, "noise", "memory", "load", "held"].join(" | ")} |`);
console.log(`|${"---|".repeat(KINDS.length + 6)}`);
try {
  for (const attack of chosen) {
    try {
      const outcome = await attacked(attack, folder, (given.seconds ?? 8) * 1_000);
      const verdict = judge(outcome);
      verdicts.push(verdict);
      console.log(row(attack, outcome, verdict));
    } catch (fault) {
      // One that could not be made says nothing of the others.
      verdicts.push("no");
      console.log(`| ${attack.name} | ${attack.size} | not made: ${String(fault)} |`);
    }
  }
  const took = Math.round((performance.now() - beganMs) / 1_000);
  const count = (verdict: Verdict): number => verdicts.filter((one) => one === verdict).length;
  console.log(
    `\n${count("yes")} of ${chosen.length} attacks held; ${count("no")} did not; ` +
      `${count("not judged")} not judged, for the machine was too loaded; ${took} s`,
  );
  process.exitCode = count("no") > 0 ? 1 : count("not judged") > 0 ? 3 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
