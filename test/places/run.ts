/**
 * `npm run test:places`: judges every cell. Fails for a cell that is wrong.
 *
 * `--only TEXT` (part of the name, `|` between several), `--case NAME` (one cell, told whole),
 * `--share N` (every N-th cell, by SEED), `--from N` and `--to N` (a slice), `--jobs N` (processes),
 * `--wrong FILE` (the names of wrong cells are written there), `--again FILE` (judges those only),
 * `--save FILE` (each verdict as a line of JSON), `--check` (whether what is refused must be, and
 * what is not may be served, alone: nothing is served), `--store postgres://...` (where rows are
 * kept; default: in a file).
 */
import { fork } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { campaignOptions } from "../campaigns/options.ts";
import { allCells } from "./cells.ts";
import { type Cell, judge, type Verdict } from "./judge.ts";
import { countLines, isWrong } from "./report.ts";
import { rulesWithoutSample } from "./rules.ts";
import { typesWithoutSample } from "./types.ts";

const given = campaignOptions({
  only: "text",
  case: "text",
  share: "count",
  from: "count",
  to: "count",
  jobs: "count",
  wrong: "text",
  again: "text",
  save: "text",
  check: "flag",
  store: "text",
});
const { only, case: one, again, share = 1, jobs = 2, from = 0 } = given;
const to = given.to ?? Number.POSITIVE_INFINITY;
const seed = Number(process.env["SEED"] ?? 0);
if (given.store !== undefined) process.env["PLACES_STORE"] = given.store;
const checkOnly = given.check;
const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));
const PROGRESS_MS = 30_000;

const cells = allCells();
const listed = again === undefined ? undefined : new Set(readFileSync(again, "utf8").split("\n"));
const chosen = [...cells.entries()]
  .filter(
    ([i, { name }]) =>
      (one === undefined || name === one) &&
      (listed === undefined || listed.has(name)) &&
      (only === undefined || only.split("|").some((each) => name.includes(each))) &&
      i >= from &&
      i < to &&
      (i + seed) % share === 0,
  )
  .map(([i]) => i);

/** A line for what is wrong, with the head of what was seen, and how the cell is judged alone. */
function tell({ name }: Cell, verdict: Verdict): void {
  if (!isWrong(verdict)) return;
  const lines = verdict.what
    .split("\n")
    .slice(0, 5)
    .map((line) => `    ${line.slice(0, 240)}`);
  console.log(`!! ${verdict.kind}: ${name}\n${lines.join("\n")}`);
}

/** One process takes cell after cell until none is left; a cell that ends the process is wrong. */
function work(waiting: number[], put: (at: number, verdict: Verdict) => void): Promise<void> {
  return new Promise((done) => {
    const child = fork(WORKER, checkOnly ? ["check"] : []);
    let held: number | undefined;
    const next = (): void => {
      held = waiting.shift();
      if (held === undefined) child.disconnect();
      else child.send(held);
    };
    child.on("message", ({ at, verdict }: { at: number; verdict: Verdict }) => {
      put(at, verdict);
      next();
    });
    child.on("exit", (code, signal) => {
      if (held === undefined) return done();
      const what = `the process ended: ${code ?? signal}`;
      put(held, { is: "wrong", kind: "crash", what, text: "" });
      void work(waiting, put).then(done);
    });
    next();
  });
}

const begun = Date.now();
const seconds = (): number => Math.round((Date.now() - begun) / 1000);
const verdicts = new Map<number, Verdict>();
console.log(`SEED=${seed}: ${chosen.length} of ${cells.length} cells`);
if (chosen.length === 0) {
  console.error("No cell has such a name, or is in such a slice.");
  process.exit(2);
}
if (one !== undefined) {
  const verdict = await judge(cells[chosen[0] ?? -1] as Cell, checkOnly);
  console.log("text" in verdict ? verdict.text : "", verdict);
  verdicts.set(chosen[0] ?? -1, verdict);
} else {
  const put = (at: number, verdict: Verdict): void => {
    verdicts.set(at, verdict);
    tell(cells[at] as Cell, verdict);
  };
  const progress = setInterval(() => {
    const wrong = [...verdicts.values()].filter(isWrong).length;
    console.log(`${verdicts.size} of ${chosen.length}, ${wrong} wrong, ${seconds()} s`);
  }, PROGRESS_MS);
  const waiting = [...chosen];
  await Promise.all(Array.from({ length: jobs }, () => work(waiting, put)));
  clearInterval(progress);
}
const judged = chosen.map((at) => [cells[at] as Cell, verdicts.get(at) as Verdict] as const);
console.log(countLines(judged).join("\n"));
const wrong = judged.filter(([, verdict]) => isWrong(verdict));
const file = given.wrong;
if (file !== undefined) writeFileSync(file, wrong.map(([{ name }]) => `${name}\n`).join(""));
const { save } = given;
if (save !== undefined)
  writeFileSync(
    save,
    judged
      .map(([{ name }, verdict]) =>
        JSON.stringify({ name, ...verdict, text: undefined, warnings: undefined }),
      )
      .join("\n"),
  );
const missing = [...typesWithoutSample(), ...rulesWithoutSample()];
if (missing.length > 0) console.log(`without a sample: ${missing.join("; ")}`);
if (wrong.length > 0) console.log('one of them: npm run test:places -- --case "NAME"');
console.log(`${seconds()} s in ${jobs} processes`);
if (missing.length > 0 || wrong.length > 0) process.exitCode = 1;
