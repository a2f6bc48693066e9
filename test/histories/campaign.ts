/** Runs random histories over all subjects until so many steps are done; counts what came up. */

import { reached } from "../reference/coverage.ts";
import { versionsOf } from "../serve/beside.ts";
import { cellSubject } from "./cell-subjects.ts";
import type { StoreKind } from "./engine.ts";
import { runHistory, type Subject, shrink, told } from "./history.ts";
import { madeSubject } from "./subjects.ts";
import { runTogether } from "./together.ts";
import { wanting } from "./vocabulary.ts";

export interface CampaignOptions {
  readonly seed: number;
  readonly steps: number;
  /** Steps of one history. */
  readonly length: number;
  readonly subjects: readonly Subject[];
  /** Whether every other history is over a document made at random. */
  readonly made: boolean;
  readonly store: StoreKind;
  /** Whether the document is served as an older version beside another. Default: alone. */
  readonly older?: boolean;
  /** Whether requests come several at a time, each of them foreseen. Default: one by one. */
  readonly together?: boolean;
  /** Differences after which a subject is left alone. */
  readonly failuresMax: number;
  say(line: string): void;
}

export interface CampaignResult {
  readonly histories: number;
  readonly documents: number;
  readonly steps: number;
  /** Lines that tell a history with a difference. */
  readonly differences: readonly string[];
  readonly statuses: ReadonlyMap<string, number>;
  /** What the engine said that it does not serve. */
  readonly unsupported: ReadonlyMap<string, number>;
  readonly milliseconds: number;
}

function add(all: Map<string, number>, some: ReadonlyMap<string, number>): void {
  for (const [name, count] of some) all.set(name, (all.get(name) ?? 0) + count);
}

/** Every other document made at random is that of a cell. */
const madeOf = (seed: number): Subject => (seed % 4 === 1 ? cellSubject(seed) : madeSubject(seed));

/** The subject with a newer version that owns the store. */
function asOlder(subject: Subject): Subject {
  const { older, newest } = versionsOf(subject.plan, { order: "same" });
  return { ...subject, plan: older, newest };
}

/** Runs the campaign. */
export async function campaign(options: CampaignOptions): Promise<CampaignResult> {
  const { subjects, length, store, failuresMax, say } = options;
  const [statuses, unsupported] = [new Map<string, number>(), new Map<string, number>()];
  const failed = new Map<string, number>();
  const differences: string[] = [];
  const begun = Date.now();
  let [steps, histories, documents] = [0, 0, 0];
  for (let seed = options.seed; steps < options.steps; seed++) {
    const made = options.made && (seed % 2 === 1 || subjects.length === 0);
    const live = subjects.filter((one) => (failed.get(one.name) ?? 0) < failuresMax);
    if (made && (failed.get("made") ?? 0) >= failuresMax) break;
    let subject: Subject | undefined;
    try {
      subject = made ? madeOf(seed) : live[(seed >> 1) % live.length];
    } catch (fault) {
      // A document that is not right is a fault of the campaign.
      differences.push(`--- made ${seed}\n${String(fault).slice(0, 2_000)}`);
      say(differences.at(-1) as string);
      failed.set("made", (failed.get("made") ?? 0) + 1);
      continue;
    }
    if (subject === undefined) break;
    if (options.older === true) subject = asOlder(subject);
    if (options.together === true && subject.plan.calls.length > 0) continue;
    const making = { seed, count: length };
    const ran = options.together
      ? await runTogether(subject, making, `${store}?schema=together_${process.pid}_${seed}`)
      : await runHistory(subject, making, store);
    steps += ran.steps.length;
    histories++;
    if (made) documents++;
    add(unsupported, ran.unsupported);
    add(statuses, ran.statuses);
    if (ran.difference === undefined) continue;
    const name = made ? "made" : subject.name;
    failed.set(name, (failed.get(name) ?? 0) + 1);
    const small =
      store === "memory" || options.together ? ran : await shrink(subject, ran.steps, store);
    differences.push(`--- ${subject.name}, seed ${seed}\n${told(small)}`);
    say(differences.at(-1) as string);
  }
  return {
    histories,
    documents,
    steps,
    differences,
    statuses,
    unsupported,
    milliseconds: Date.now() - begun,
  };
}

/** What was come across, how often, and what was not. */
export function coverageLines(): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const [mark, count] of [...reached()].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const cut = mark.indexOf(": ");
    const kind = mark.slice(0, cut);
    kinds.set(kind, [...(kinds.get(kind) ?? []), `${mark.slice(cut + 2)} (${count})`]);
  }
  return [...kinds]
    .map(([kind, ones]) => `${kind}: ${ones.join("; ")}`)
    .concat(wanting(reached()).map((one) => `!! ${one}`));
}

/** The answers by status, as one line. */
export function statusLine(statuses: ReadonlyMap<string, number>): string {
  return [...statuses]
    .sort()
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ");
}
