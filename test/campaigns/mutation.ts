/**
 * Mutation run over the normative text of the examples: every mutant must be reported, or change
 * the compiled result. `node test/campaigns/mutation.ts [--sample N]`; the sample's seed is `SEED`.
 */
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { campaignSeed, randomFrom } from "../random.ts";
import { examples, exampleText } from "./examples.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { campaignOptions } from "./options.ts";

/** What a document compiles to: its plan, or the codes of its errors. */
function compiled(text: string): { plan: string | undefined; errors: number } {
  const checked = check(read(new TextEncoder().encode(text)));
  const planned = plan(checked);
  return {
    plan: planned === undefined ? undefined : JSON.stringify(planned.plan),
    errors: checked.findings.filter((finding) => finding.severity === "error").length,
  };
}

export interface Tally {
  mutants: number;
  reported: number;
  changed: number;
  readonly without: Mutant[];
}

/** Judges mutants of one document. */
export function judge(document: string, mutants: Iterable<Mutant>): Tally {
  const original = compiled(document);
  const tally: Tally = { mutants: 0, reported: 0, changed: 0, without: [] };
  for (const mutant of mutants) {
    tally.mutants++;
    const now = compiled(mutant.text);
    if (now.errors > original.errors) tally.reported++;
    else if (now.plan !== original.plan) tally.changed++;
    else tally.without.push(mutant);
  }
  return tally;
}

if (import.meta.main) {
  const given = campaignOptions({ sample: "count", only: "text" });
  const seed = campaignSeed();
  const share = (given.sample ?? 100_000) / 100_000;
  const random = randomFrom(seed);
  const only = given.only === undefined ? examples() : [given.only];
  let without = 0;
  console.log(`seed ${seed}`);
  for (const name of only) {
    const text = exampleText(name);
    const tally = judge(
      text,
      [...mutantsOf(text)].filter(() => random() < share),
    );
    without += tally.without.length;
    console.log(
      `${name}: ${tally.mutants} mutants, ${tally.reported} reported, ` +
        `${tally.changed} change the plan, ${tally.without.length} without effect`,
    );
    for (const mutant of tally.without.slice(0, 40)) {
      console.log(
        `  line ${mutant.line}, ${mutant.kind}\n    - ${mutant.before}\n    + ${mutant.after}`,
      );
    }
  }
  process.exitCode = without > 0 ? 1 : 0;
}
