/**
 * `npm run test:verify-gaps [-- --only NAME] [-- --lines N,N] [-- --live N] [-- --part 1/4]`: each clause of the
 * examples is made a gap, and the service of the whole document is judged by what is left: nothing
 * may be broken, for a gap only leaves more open. Requests of one verification by the whole
 * document are judged again by each; one of N clauses is verified with requests of its own, too.
 * SEED chooses the requests, and one of N clauses.
 */
import { read } from "../../../src/read/index.ts";
import type { Session } from "../../../src/verify/index.ts";
import { campaignOptions } from "../../campaigns/options.ts";
import { examples } from "../../export/examples.ts";
import { type Clause, clausesOf } from "../../gaps/clauses.ts";
import { campaignSeed, randomFrom } from "../../random.ts";
import { judgedAgain, recordedOf } from "./again.ts";
import { breaksOf, type Compiled, compiled, documentOf, trial } from "./trial.ts";

/** Of the one verification by the whole document. */
const RECORDED = { requests: 400, seconds: 60 };
/** Of a verification by one clause less. */
const LIVE = { requests: 60, seconds: 10 };
const LIVE_OF = 20;

const {
  only,
  lines,
  live = LIVE_OF,
  part: slice = { part: 1, of: 1 },
} = campaignOptions({ only: "text", lines: "counts", live: "count", part: "part" });
const seed = campaignSeed();
console.log(`SEED=${seed}`);
const random = randomFrom(seed);

type Broken = ReturnType<typeof breaksOf>;

function print([first]: Broken): void {
  if (first === undefined) return;
  const text = JSON.stringify(first, (name, value) =>
    name === "ran" ? undefined : typeof value === "bigint" ? String(value) : value,
  );
  console.log(text.replace(/ {50,}/g, "   ").slice(0, 1_500));
}

for (const { name } of only === undefined ? examples : [documentOf(only)]) {
  const document = documentOf(name);
  const whole = compiled(document.text);
  if (whole === undefined) throw new Error(`${name} has errors`);
  const counts = { tried: 0, live: 0, requests: 0, alarms: 0 };
  const began = performance.now();
  const recorded = await recordedOf(document, whole, { seed, ...RECORDED });
  const again = (judged: Compiled): Session => judgedAgain(document, judged, { seed, recorded });
  if (recorded.breaks.length > 0) {
    console.log(`${name}: broken by the whole document`);
    print(recorded.breaks);
    process.exitCode = 1;
    continue;
  }
  const told = (how: string, breaks: Broken, clause: Clause): void => {
    if (breaks.length === 0) return;
    counts.alarms += 1;
    console.log(`BROKEN ${name}:${clause.line} ${clause.where}: ${clause.before} (${how})`);
    print(breaks);
  };
  const clauses = clausesOf(read(Buffer.from(document.text)).spec).filter(
    ({ kind, line }, i) =>
      kind !== "answer" &&
      (lines === undefined || lines.has(line)) &&
      i % slice.of === slice.part - 1,
  );
  for (const clause of clauses) {
    const isLive = random() < 1 / live;
    const judged = compiled(clause.text);
    if (judged === undefined) continue;
    counts.tried += 1;
    told("judged again", breaksOf(again(judged)), clause);
    if (!isLive) continue;
    const tried = await trial(document, { served: whole, judged }, { seed, ...LIVE });
    counts.live += 1;
    counts.requests += tried?.session.requests ?? 0;
    told("verified", tried === undefined ? [] : breaksOf(tried.session), clause);
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${name}: ${counts.tried} clauses made gaps, each judged by ${recorded.exchanges.length} requests; ` +
      `${counts.live} verified (${counts.requests} requests); ${counts.alarms} with a broken answer, ${seconds} s`,
  );
  if (counts.alarms > 0) process.exitCode = 1;
}
