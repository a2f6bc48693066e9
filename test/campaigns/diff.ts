/**
 * Comparison run over single edits of the examples, those of the mutation run: each that changes
 * what the plan means is named at its line, both ways, and none that does not.
 * `node test/campaigns/diff.ts [--share N] [--part I/N] [--only NAME] [--list]`; the seed is
 * `SEED`. `--part`: the I-th of N parts of a run, which together have each edit once.
 */
import { meaningOf } from "../../src/change/meaning.ts";
import { type Diff, diffOf } from "../../src/cli/diff/model.ts";
import type { Side } from "../../src/cli/diff/places.ts";
import { kioskText, sideOf } from "../change/documents.ts";
import { campaignSeed, randomFrom } from "../random.ts";
import { examples, exampleText } from "./examples.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { campaignOptions } from "./options.ts";

export interface Tally {
  edits: number;
  /** Edits that leave no plan. */
  refused: number;
  /** Edits that change no meaning. */
  same: number;
  /** Edits that change the meaning, and are named at their line, both ways. */
  named: number;
  /** Of those: how many have a change that is named elsewhere, too. */
  alsoElsewhere: number;
  readonly wrong: string[];
}

function isAt({ entries }: Diff, line: number): boolean {
  return entries.some(({ before, now }) => before?.line === line || now?.line === line);
}

function kinds({ entries, unnamed }: Diff): string {
  const said = entries.map(
    ({ kind, about, before, now }) => `${kind} of ${about} (${before?.line}, ${now?.line})`,
  );
  return [...said, ...unnamed.map((one) => `unnamed: ${one}`)].join("; ") || "nothing";
}

/** Why the comparison is wrong about an edit; undefined: it is right. */
function faultOf(forth: Diff, back: Diff, { line, isOther }: Terms): string | undefined {
  for (const diff of [forth, back]) {
    if (diff.unnamed.length > 0) return `a fault of the list: ${kinds(diff)}`;
    if (!isOther && diff.entries.length > 0) return `nothing has changed: ${kinds(diff)}`;
    if (isOther && !isAt(diff, line)) return `not named at its line: ${kinds(diff)}`;
  }
  return undefined;
}

interface Terms {
  readonly line: number;
  readonly isOther: boolean;
}

/** Judges the mutants of a document; `chosen` says which. */
export function judge(
  text: string,
  chosen: (mutant: Mutant, at: number) => boolean,
  tell: (line: string) => void = () => {},
): Tally {
  const tally: Tally = { edits: 0, refused: 0, same: 0, named: 0, alsoElsewhere: 0, wrong: [] };
  const side = sideOf(text) as Side;
  const meaning = meaningOf(side.planned.plan);
  let at = 0;
  for (const mutant of mutantsOf(text)) {
    if (!chosen(mutant, at++)) continue;
    tally.edits++;
    const other = sideOf(mutant.text);
    if (other === undefined) {
      tally.refused++;
      continue;
    }
    const isOther = meaningOf(other.planned.plan) !== meaning;
    const { line, before, after } = mutant;
    const [forth, back] = [diffOf(side, other), diffOf(other, side)];
    const fault = faultOf(forth, back, { line, isOther });
    if (fault !== undefined) tally.wrong.push(`${line}: ${before}\n    -> ${after}\n    ${fault}`);
    else if (isOther) tally.named++;
    else tally.same++;
    const isApart = forth.entries.some(
      (one) => one.before?.line !== line && one.now?.line !== line,
    );
    if (isOther && isApart) tally.alsoElsewhere++;
    if (isOther) tell(`${line}: ${before}\n    -> ${after}\n    ${kinds(forth)}`);
  }
  return tally;
}

/** The documents of the run, by name. */
function documents(): readonly (readonly [string, string])[] {
  return [...examples().map((name) => [name, exampleText(name)] as const), ["kiosk", kioskText()]];
}

if (import.meta.main) {
  const given = campaignOptions({ share: "count", part: "part", only: "text", list: "flag" });
  const seed = campaignSeed();
  const random = randomFrom(seed);
  const share = given.share ?? 1;
  const { part, of } = given.part ?? { part: 1, of: 1 };
  let wrong = 0;
  const all = { edits: 0, refused: 0, same: 0, named: 0, alsoElsewhere: 0 };
  console.log(`seed ${seed}, one edit of ${share}, part ${part} of ${of}`);
  for (const [name, text] of documents()) {
    if (given.only !== undefined && given.only !== name) continue;
    const tell = given.list ? (line: string): void => console.log(`  ${line}`) : undefined;
    const tally = judge(text, (_, at) => at % of === part - 1 && random() < 1 / share, tell);
    for (const key of Object.keys(all) as (keyof typeof all)[]) all[key] += tally[key];
    wrong += tally.wrong.length;
    const { edits, refused, same, named, alsoElsewhere } = tally;
    console.log(
      `${name}: ${edits} edits, ${refused} refused, ${same} change no meaning, ${named} named at ` +
        `their line (${alsoElsewhere} elsewhere, too), ${tally.wrong.length} wrong`,
    );
    for (const one of tally.wrong) console.log(`  WRONG ${one}`);
  }
  console.log(
    `all: ${all.edits} edits, ${all.refused} refused, ${all.same} change no meaning, ` +
      `${all.named} named, ${wrong} wrong`,
  );
  process.exitCode = wrong > 0 ? 1 : 0;
}
