/**
 * The campaign of changes: `node test/change/run.ts [--write] [--only NAME]`. Every edit of the cases
 * on a store with rows, keys, messages, timers and a stream, by a start and by a service that runs;
 * every type in place of every other; every kind of rule. `--write` puts the table into the docs.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../campaigns/options.ts";
import { lacuna } from "../cli/world.ts";
import { campaignSeed, randomFrom } from "../random.ts";
import { document } from "../serve/document.ts";
import { base, type Edit, edited, keep } from "./base.ts";
import { BESIDE, FITS, REFUSED, TAKEN, WAITING } from "./cases.ts";
import { type Edited, reruled, retyped } from "./generated.ts";
import { killed } from "./kills.ts";
import { type Became, bell, jobsLater, type Otherwise, started, whileRunning } from "./served.ts";

interface Case {
  readonly name: string;
  readonly edit: Edit;
  readonly expected: Became["is"];
  readonly other: Otherwise;
}

const cases: readonly Case[] = [
  ...Object.entries(TAKEN).map(([name, [edit, more]]) => ({
    ...{ name, edit, expected: "taken" as const },
    other: more === undefined ? {} : { more },
  })),
  ...Object.entries(BESIDE).map(([name, [edit, other = {}]]) => ({
    ...{ name, edit, other, expected: "taken" as const },
  })),
  ...Object.entries(FITS).map(([name, edit]) => ({
    ...{ name: `${name}, and all rows fit`, edit, other: {}, expected: "taken" as const },
  })),
  ...Object.entries({ ...REFUSED, ...WAITING }).map(([name, [edit]]) => ({
    ...{ name, edit, other: {}, expected: "refused" as const },
  })),
];

interface Result {
  readonly name: string;
  readonly start: Became | undefined;
  readonly running: Became | undefined;
  readonly asks: readonly string[];
  readonly wrong: readonly string[];
}

const wordsOf = (fault: unknown): string =>
  fault instanceof Error ? fault.message : String(fault);

const { only, write } = campaignOptions({ only: "text", write: "flag" });
const folder = mkdtempSync(join(tmpdir(), "lacuna-change-"));
const begun = performance.now();
const rung = await bell();
const kept = await keep(folder, rung.address);
const jobs = await jobsLater(kept, join(folder, "jobs.sqlite"));
writeFileSync(join(folder, "old.md"), base);

/** What `lacuna migrate` asks for, by the first column of its table. */
async function asked(text: string): Promise<readonly string[]> {
  writeFileSync(join(folder, "new.md"), text);
  const names = ["old.md", "new.md"].map((one) => join(folder, one));
  const { out } = await lacuna(["migrate", ...names, "--data", kept.file, "--dry-run"]);
  return [...out.matchAll(/^\| (.+?) \| not shown \|/gm)].map(([, what = ""]) => what);
}

async function judged({ name, edit, expected, other }: Case, at: number): Promise<Result> {
  const wrong: string[] = [];
  const text = edited(edit);
  const served = document(text);
  const of = (file: string) => ({ kept, file: join(folder, file), jobs, bell: rung });
  const attempt = async (which: string, run: () => Promise<Became>) => {
    try {
      const became = await run();
      if (became.is !== expected) wrong.push(`${which}: ${became.is}, not ${expected}`);
      if (became.is === "refused" && !/\((before|now): spec\.md:\d+/.test(became.why)) {
        wrong.push(`${which}: no lines: ${became.why}`);
      }
      return became;
    } catch (fault) {
      wrong.push(`${which}: ${wordsOf(fault)}`);
      return undefined;
    }
  };
  const start = await attempt("a start", () => started(of(`${at}.sqlite`), served, other));
  const running = await attempt("a service", () =>
    whileRunning(of(`${at}-running.sqlite`), served, other),
  );
  return { name, start, running, asks: expected === "taken" ? [] : await asked(text), wrong };
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function became(one: Became | undefined): string {
  if (one === undefined) return "wrong";
  return one.is;
}

/** What a start says first of the change, without places. */
function saidOf({ start }: Result): string {
  const text = start?.is === "taken" ? start.said[0]?.slice(9) : start?.why.split("\n- ")[1];
  const said = (text ?? "").replace(/ \((before|now): [^)]*\)/, "").replace(/\n.*/s, "");
  return said.replaceAll(/`it_\w+`/g, "`it_…`").replaceAll(/row \d+/g, "row …");
}

function page(results: readonly Result[], rules: readonly Edited[], types: readonly Edited[]) {
  const taken = types.filter((one) => one.became === "taken");
  const rows = results.map(
    (one) =>
      `| ${cell(one.name)} | ${became(one.start)} | ${became(one.running)} | ${cell(saidOf(one))} | ${one.asks.join(", ")} |`,
  );
  return `# What a change of a document does to what is kept

Made by \`npm run test:change -- --write\`: each edit is done on a store with rows, answers under keys, messages that wait, times that
are set, and events that a stream has sent. A start and a service that runs take it, and then every value is read as it was written, a
retry gets its first answer, each message is delivered once, a stream goes on behind its last event, and what was due is done; or
they refuse it with the lines of both documents, and the store is as it was. What a refused change asks of
[\`lacuna migrate\`](cli.md#migrate) stands in the last column; where it is empty, rows that do not fit are to be mended, or given a value.

| Edit | A start | A service that runs | What is said | What migrate asks for |
|---|---|---|---|---|
${rows.join("\n")}

## Rules

Each kind of rule is added to a field and taken away from it.

| Edit | From | To | A start |
|---|---|---|---|
${rules.map((one) => `| ${one.what} | ${cell(one.was)} | ${cell(one.is)} | ${one.became} |`).join("\n")}

## Types

Of ${types.length} pairs of types, each in place of another on a row that is kept, these are taken; all others are refused.

| From | To |
|---|---|
${taken.map((one) => `| ${cell(one.was)} | ${cell(one.is)} |`).join("\n")}
`;
}

async function all<T>(made: AsyncGenerator<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of made) found.push(one);
  return found;
}

const results: Result[] = [];
for (const [at, one] of cases.entries()) {
  if (only === undefined || one.name.includes(only)) results.push(await judged(one, at));
}
const generated = only === undefined;
const rules = generated ? await all(reruled(folder)) : [];
const types = generated ? await all(retyped(folder)) : [];
const seed = campaignSeed();
const kills = generated
  ? await killed(folder, kept, 20, randomFrom(seed))
  : { old: 0, migrated: 0 };
rung.close();
rmSync(folder, { recursive: true, force: true });

const wrong = [
  ...results.flatMap(({ name, wrong: all }) => all.map((one) => `${name}: ${one}`)),
  ...[...rules, ...types].flatMap(({ what, was, is, wrong: one }) =>
    one === undefined ? [] : [`${what}: ${was} -> ${is}: ${one}`],
  ),
];
for (const one of wrong) console.log(one);
if (write === true) {
  writeFileSync(new URL("../../docs/change.md", import.meta.url), page(results, rules, types));
}
console.log(
  `seed ${seed}: ${kills.old + kills.migrated} kills of a migration left the old ` +
    `${kills.old} times, the new ${kills.migrated} times, half of one never`,
);
const taken = results.filter(({ start }) => start?.is === "taken").length;
console.log(
  `${results.length} edits by a start and by a service that runs: ${taken} taken, ` +
    `${results.length - taken} refused; ${rules.length} of rules, ${types.length} of types; ` +
    `${wrong.length} wrong; ${Math.round((performance.now() - begun) / 1000)} s`,
);
process.exit(wrong.length === 0 ? 0 : 1);
