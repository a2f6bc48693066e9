/**
 * `npm run test:clauses [-- --only NAME] [-- --lines N,N] [-- --each N] [-- --seconds N] [-- --part 1/4]`:
 * one clause of a document is changed, the changed document is served, and verified against the
 * document as it was: a service that does one thing otherwise must be found. SEED chooses `--each`
 * changes of each part.
 */
import { Reasons, type Session, type Told } from "../../../src/verify/index.ts";
import { campaignOptions } from "../../campaigns/options.ts";
import { campaignSeed, randomFrom } from "../../random.ts";
import { type Changed, clausesOf } from "./operators.ts";
import { shortened } from "./shortened.ts";
import { statedBy } from "./stated.ts";
import { type Bounds, breaksOf, compiled, type Document, documentOf, trial } from "./trial.ts";

const DOCUMENTS = ["todo", "orders", "bank", "unseen/tracker", "flags"];
const EACH = 14;
/** For so many operations; a larger document is given more. */
const SECONDS = 60;
const REQUESTS = 3_000;
const OPERATIONS = 12;

const {
  only,
  each = EACH,
  seconds,
  all,
  lines,
  unnamed,
  part: slice = { part: 1, of: 1 },
} = campaignOptions({
  lines: "counts",
  part: "part",
  unnamed: "flag",
  only: "text",
  each: "count",
  seconds: "count",
  all: "flag",
});
const seed = campaignSeed();
console.log(`SEED=${seed}`);

/** Some of each part that are of use; the kinds of changes take turns, and the clauses of each. */
function chosen(
  clauses: readonly Changed[],
  random: () => number,
  isOfUse: (one: Changed) => boolean,
): readonly Changed[] {
  const parts = Map.groupBy(clauses, ({ part }) => part);
  return [...parts.values()].flatMap((own) => {
    const kinds = [...Map.groupBy(own, ({ kind }) => kind).values()].map((group) => {
      const drawn = group.map((one) => ({ one, at: random() })).toSorted((a, b) => a.at - b.at);
      const lines = [...Map.groupBy(drawn, ({ one }) => one.line).values()];
      // One change of each clause, before a second one of any.
      return drawn.flatMap((_, i) => lines.flatMap((line) => line[i] ?? []));
    });
    const turns = Array.from({ length: own.length }, (_, i) =>
      kinds.flatMap((kind) => kind[i] ?? []),
    );
    const found: Changed[] = [];
    for (const { one } of turns.flat()) {
      if (!all && found.length >= each) break;
      // To compile a large document takes a while: no more is compiled than is tried.
      if (isOfUse(one)) found.push(one);
    }
    return found;
  });
}

/** The same change where times are short; undefined: no time is, or it is no document then. */
async function shortTrial(document: Document, changed: Changed, bounds: Bounds) {
  const short = shortened(document.text, changed, clausesOf);
  if (short === undefined) return undefined;
  const [served, judged] = [compiled(short.changed), compiled(short.text)];
  if (served === undefined || judged === undefined) return undefined;
  const patient = { ...bounds, patience: PATIENCE };
  const tried = await trial({ ...document, text: short.text }, { served, judged }, patient);
  if (tried === undefined) return undefined;
  const { session } = tried;
  return { breaks: breaksOf(session), lines: judged.lines, requests: session.requests };
}

/** What the report says of what happens later than anybody waits. */
const TIME = "not reached: time";
/** What is waited for where times are shortened, in milliseconds. */
const PATIENCE = 4_000;
/** Parts in which something happens by itself. */
const BY_ITSELF = /^(?:States|Events|Limits)/;

const parts = new Map<string, { killed: number; late: number; of: number }>();
const total = { killed: 0, named: 0, shortened: 0, late: 0, of: 0 };

for (const name of only === undefined ? DOCUMENTS : [only]) {
  const document = documentOf(name);
  const original = compiled(document.text);
  if (original === undefined) throw new Error(`${name} has errors`);
  /** What the report says of the items of a line. */
  const saidOf = (session: Session, told: Told, line: number): string => {
    const { occurring } = original;
    const hasRows = (resource: string): boolean => session.judge.world.rows(resource).length > 0;
    const reasons = new Reasons(session.plan, {
      ...{ told, hasRows, occurring, gapsMet: session.gapsMet, limitsMet: session.limitsMet },
    });
    const items = [...original.lines].flatMap(([item, at]) => (at === line ? [item] : []));
    const verdicts = items.map((item) => {
      const { verdict } = session.verdicts.of(item);
      return verdict === "not reached" ? `not reached: ${reasons.of(item).is}` : verdict;
    });
    return [...new Set(verdicts)].join(", ");
  };
  const size = Math.max(1, original.plan.endpoints.length / OPERATIONS);
  const stated = statedBy(original.plan);
  const clauses = clausesOf(document.text);
  const at = clauses.filter(({ line }) => lines === undefined || lines.has(line));
  const isOther = ({ text }: Changed): boolean => {
    const other = compiled(text);
    return other !== undefined && statedBy(other.plan) !== stated;
  };
  const some = chosen(at, randomFrom(seed), isOther);
  const own = some.filter((_, i) => i % slice.of === slice.part - 1);
  console.log(`${name}: ${clauses.length} changed clauses, ${own.length} of them tried`);
  for (const changed of own) {
    const began = performance.now();
    const other = compiled(changed.text);
    if (other === undefined) continue;
    const bounds = { seed, requests: REQUESTS * size, seconds: seconds ?? SECONDS * size };
    const tried = await trial(document, { served: other, judged: original }, bounds);
    if (tried === undefined) continue;
    const { session, told } = tried;
    const { part, line, kind, before, after } = changed;
    let found = { breaks: breaksOf(session), lines: original.lines, requests: session.requests };
    const said = saidOf(session, told, line);
    let isShortened = false;
    if (found.breaks.length === 0 && (said.includes(TIME) || BY_ITSELF.test(part))) {
      const again = await shortTrial(document, changed, bounds);
      isShortened = again !== undefined && again.breaks.length > 0;
      if (again !== undefined && isShortened) found = again;
    }
    const { breaks, requests } = found;
    const took = ((performance.now() - began) / 1000).toFixed(0);
    const spent = `${requests} requests, ${took} s`;
    const counts = parts.get(part) ?? { killed: 0, late: 0, of: 0 };
    parts.set(part, counts);
    counts.of += 1;
    total.of += 1;
    if (breaks.length > 0) {
      counts.killed += 1;
      total.killed += 1;
      const items = breaks.flatMap((one) => one.items);
      const isNamed = items.some((item) => found.lines.get(item) === line);
      if (isShortened) total.shortened += 1;
      const how = `${isNamed ? "named" : "killed"}${isShortened ? " with short times" : ""}`;
      console.log(`${how}: ${name}:${line} ${kind} (${spent})`);
      if (isNamed) total.named += 1;
      else if (unnamed) {
        const named = items.map((item) => `${found.lines.get(item)} ${item}`).join("\n    ");
        console.log(`  - ${before}\n  + ${after}\n    ${named}`);
      }
      continue;
    }
    console.log(
      `survived, ${said}: ${name}:${line} ${kind} (${spent})\n  - ${before}\n  + ${after}`,
    );
    if (said !== TIME) continue;
    counts.late += 1;
    total.late += 1;
  }
}

const share = ({ killed, of }: { readonly killed: number; readonly of: number }): string =>
  `${killed} of ${of}, ${((100 * killed) / of).toFixed(1)} %`;
const beyond = ({ late }: { readonly late: number }): string =>
  late === 0 ? "" : `; ${late} of the others wait for longer than the patience`;
for (const [part, counts] of parts) console.log(`${part}: ${share(counts)}${beyond(counts)}`);
const short = `${total.shortened} with short times`;
console.log(`all: ${share(total)} killed, ${total.named} by their line, ${short}${beyond(total)}`);
