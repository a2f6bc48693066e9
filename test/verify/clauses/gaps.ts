/**
 * `npm run test:verify-gaps [-- --only NAME] [-- --sample N]`: each clause of the examples is made a gap,
 * and the service of the whole document is verified against what is left: nothing may be broken, for
 * a gap only leaves more open. SEED chooses the requests, and one of N clauses.
 */
import { read } from "../../../src/read/index.ts";
import { campaignOptions } from "../../campaigns/options.ts";
import { examples } from "../../export/examples.ts";
import { clausesOf } from "../../gaps/clauses.ts";
import { campaignSeed, randomFrom } from "../../random.ts";
import { compiled, documentOf, trial } from "./trial.ts";

const REQUESTS = 60;
const SECONDS = 10;

const {
  only,
  sample = 1,
  lines,
} = campaignOptions({ only: "text", sample: "count", lines: "counts" });
const seed = campaignSeed();
console.log(`SEED=${seed}`);
const random = randomFrom(seed);

for (const { name } of examples) {
  if (only !== undefined && name !== only) continue;
  const document = documentOf(name);
  const whole = compiled(document.text);
  if (whole === undefined) throw new Error(`${name} has errors`);
  let alarms = 0;
  let tried = 0;
  let requests = 0;
  for (const { kind, line, where, before, text } of clausesOf(
    read(Buffer.from(document.text)).spec,
  )) {
    if (kind === "answer" || random() >= 1 / sample) continue;
    if (lines !== undefined && !lines.has(line)) continue;
    const judged = compiled(text);
    if (judged === undefined) continue;
    const bounds = { seed, requests: REQUESTS, seconds: SECONDS };
    const { session } = (await trial(document, { served: whole, judged }, bounds)) ?? {};
    tried += 1;
    requests += session?.requests ?? 0;
    const [first] = session?.breaks ?? [];
    if (first === undefined) continue;
    alarms += 1;
    console.log(`BROKEN ${name}:${line} ${where}: ${before}`);
    const { number, request, answer, expected, items, differences } = first;
    console.log(
      JSON.stringify(
        {
          number,
          request,
          answer: { ...answer, sent: 0, received: 0 },
          expected,
          items,
          differences,
        },
        (_, value) => (typeof value === "bigint" ? String(value) : value),
      ).slice(0, 1_500),
    );
  }
  console.log(
    `${name}: ${tried} clauses made gaps, ${requests} requests, ${alarms} with a broken answer`,
  );
  if (alarms > 0) process.exitCode = 1;
}
