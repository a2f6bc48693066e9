/**
 * Campaign of `why`: each statement of each document alone is taken away; an answer that changes
 * must have its line listed, and a listed line must change some answer of that status.
 * `npm run test:why -- [--only NAME] [--limit N] [--list]`
 * `--limit N`: so many statements of each document. `--list`: also listed lines without effect.
 * Exit code 1: an answer changed whose `why` does not list the line.
 */
import { subjects } from "../gaps/subjects.ts";
import { campaignSeed } from "../random.ts";
import { judgeWhy } from "./judge.ts";

const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? undefined : process.argv[at + 1];
};
const only = option("only");
const limit = Number(option("limit") ?? Number.POSITIVE_INFINITY);
const seed = campaignSeed();
console.log(`SEED=${seed}`);
let missing = 0;
for (const subject of subjects().filter(({ name }) => only === undefined || name === only)) {
  const report = await judgeWhy(subject, { seed, limit });
  missing += report.missing.length;
  for (const one of report.missing) console.log(`not listed: ${subject.name}: ${one}`);
  if (process.argv.includes("--list")) {
    for (const one of report.unproven) console.log(`no effect: ${subject.name}: ${one}`);
  }
  console.log(
    `${subject.name}: ${report.removals} statements, ${report.notServed} not served without; ` +
      `${report.missing.length} not listed; ${report.proven} listed and seen, ` +
      `${report.unproven.length} listed without effect in this traffic`,
  );
}
if (missing > 0) process.exitCode = 1;
