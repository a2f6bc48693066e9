/** Runs random histories: `--steps N`, `--only NAME`, `--length N`; SEED names the first. */
import { runHistory, shrink, told } from "./history.ts";
import { madeSubject, writtenSubjects } from "./subjects.ts";

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const wanted = Number(option("steps") ?? 200_000);
const length = Number(option("length") ?? 60);
const first = Number(process.env["SEED"] ?? Date.now() % 1_000_000_000);
const only = option("only");
const store = option("store") === "memory" ? "memory" : "sqlite";
const subjects = writtenSubjects().filter((one) => only === undefined || one.name === only);
console.log(`SEED=${first}`);
const unsupported = new Map<string, number>();
const statuses = new Map<string, number>();
const failed = new Map<string, number>();
let steps = 0;
for (let seed = first; steps < wanted; seed++) {
  const made = only === "made" || (only === undefined && seed % 2 === 1);
  const live = subjects.filter((one) => (failed.get(one.name) ?? 0) < Number(option("failures") ?? 1));
  const found = failed.get("made") ?? 0;
  if (made && found >= Number(option("failures") ?? 1)) break;
  const subject = made ? madeSubject(seed) : live[(seed >> 1) % live.length];
  if (subject === undefined) break;
  const ran = await runHistory(subject, { seed, count: length }, store);
  steps += ran.steps.length;
  for (const [name, count] of ran.unsupported) unsupported.set(name, (unsupported.get(name) ?? 0) + count);
  for (const [name, count] of ran.statuses) statuses.set(name, (statuses.get(name) ?? 0) + count);
  if (ran.difference === undefined) continue;
  const name = made ? "made" : subject.name;
  failed.set(name, (failed.get(name) ?? 0) + 1);
  console.log(`--- ${subject.name}, seed ${seed}\n${told(store === "memory" ? ran : await shrink(subject, ran.steps))}`);
  process.exitCode = 1;
}
console.log(`${steps} steps; answers ${[...statuses].sort().map((one) => one.join(": ")).join(", ")}`);
for (const [name, count] of unsupported) console.log(`not served: ${name} (${count})`);
