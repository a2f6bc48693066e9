/**
 * Campaign of `why`: each statement of each document alone is changed; an answer that changes must
 * have its line listed, and a listed line must change some answer of that status.
 * `npm run test:why -- [--only NAME] [--limit N] [--jobs N] [--list]`
 * `--limit N`: so many statements of each document. `--list`: also what was not judged.
 * Exit code 1: an exception in either direction.
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
let exceptions = 0;
for (const subject of subjects().filter(({ name }) => only === undefined || name === only)) {
  const started = performance.now();
  const told = (text: string): void => {
    const seconds = Math.round((performance.now() - started) / 1000);
    process.stderr.write(`${subject.name}: ${text} (${seconds} s)\n`);
  };
  const report = await judgeWhy(subject, { seed, limit, changesMax: 20, told });
  exceptions += report.missing.length + report.unproven.length;
  for (const one of report.missing) console.log(`not listed: ${subject.name}: ${one}`);
  for (const one of report.unproven) console.log(`no effect: ${subject.name}: ${one}`);
  if (process.argv.includes("--list")) {
    for (const one of report.unjudged) console.log(`not judged: ${subject.name}: ${one}`);
  }
  told(
    `${report.statements} statements, ${report.unjudged.length} not judged, ` +
      `${report.changes} changes, ${report.probes} requests, ${report.asked} asked; ` +
      `${report.missing.length} not listed; ${report.proven} listed and seen, ` +
      `${report.unproven.length} listed without effect`,
  );
}
if (exceptions > 0) process.exitCode = 1;
