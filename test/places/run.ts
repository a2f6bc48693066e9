/**
 * `npm run test:places`: judges every cell. `--only TEXT` (a part of the name), `--case NAME` (one
 * cell, told whole), `--share N` (every N-th cell, by SEED). Fails for a cell that is wrong.
 */
import { allCells } from "./cells.ts";
import { type Cell, judge, type Verdict } from "./judge.ts";
import { countLines, isWrong } from "./report.ts";
import { rulesWithoutSample } from "./rules.ts";
import { typesWithoutSample } from "./types.ts";

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const only = option("only");
const one = option("case");
const share = Number(option("share") ?? 1);
const seed = Number(process.env["SEED"] ?? 0);
const begun = Date.now();
const verdicts: (readonly [Cell, Verdict])[] = [];
const chosen = allCells().filter(
  ({ name }, i) =>
    (one === undefined || name === one) &&
    (only === undefined || only.split("|").some((each) => name.includes(each))) &&
    (i + seed) % share === 0,
);
console.log(`SEED=${seed}: ${chosen.length} cells`);
for (const cell of chosen) {
  const verdict = await judge(cell);
  verdicts.push([cell, verdict]);
  if (one !== undefined) console.log("text" in verdict ? verdict.text : "", verdict);
  else if (isWrong(verdict)) {
    const lines = verdict.what
      .split("\n")
      .slice(0, 5)
      .map((line) => `    ${line.slice(0, 240)}`);
    console.log(`!! ${verdict.kind}: ${cell.name}\n${lines.join("\n")}`);
  }
}
console.log(countLines(verdicts).join("\n"));
const missing = [...typesWithoutSample(), ...rulesWithoutSample()];
if (missing.length > 0) console.log(`without a sample: ${missing.join("; ")}`);
console.log(`${Math.round((Date.now() - begun) / 1000)} s`);
if (missing.length > 0 || verdicts.some(([, verdict]) => isWrong(verdict))) process.exitCode = 1;
