/** Shows the breaks of races again in the fewest requests. */
import type { Break } from "../session.ts";
import { ddmin } from "../shrink/ddmin.ts";
import type { NamedRequest } from "../shrink/named.ts";
import { withoutParts, withShortTexts } from "../shrink/parts.ts";
import type { NotShrunk, Shrunk } from "../shrink/shrink.ts";
import { isLike } from "./found.ts";
import { raceReplayOf } from "./replay.ts";
import type { Known, RaceBounds, RaceTrial, RaceTrials, Template } from "./trials.ts";

/** A break of a race, and how it can be run again. */
export interface RaceFound {
  readonly broken: Break;
  readonly template: Template;
  readonly known: Known;
  /** Id of the endpoint of the request that is called wrong. */
  readonly at: string | undefined;
}

/** Trials that tell how often it shows. */
const MEASURED = 4;
/** Trials of a candidate at most: a race need not show each time. */
const TRIES_MAX = 5;
/** A candidate that shows it is missed so seldom. */
const MISSED = 0.05;
/** Trials at the end, in which it has to show twice. */
const CONFIRMED = 10;

type Raced = Template["raced"][number];

/** What became of the breaks of races. */
export async function shrinkRaces(
  found: readonly RaceFound[],
  trials: RaceTrials,
  { requestsMax, secondsMax }: { readonly requestsMax: number; readonly secondsMax: number },
): Promise<readonly (Shrunk | NotShrunk)[]> {
  const done: (Shrunk | NotShrunk)[] = [];
  if (requestsMax === 0) return done;
  const until = performance.now() + secondsMax * 1000;
  let left = requestsMax;
  for (const [i, one] of found.entries()) {
    const requests = Math.ceil(left / (found.length - i));
    const bounds: RaceBounds = { requests, until };
    done.push(await new RaceSearch(one, trials, bounds).shrink());
    left -= requests - bounds.requests;
  }
  return done;
}

/** The search for one break. */
class RaceSearch {
  readonly #found: RaceFound;
  readonly #trials: RaceTrials;
  readonly #bounds: RaceBounds;
  #tries = TRIES_MAX;

  constructor(found: RaceFound, trials: RaceTrials, bounds: RaceBounds) {
    this.#found = found;
    this.#trials = trials;
    this.#bounds = bounds;
  }

  async shrink(): Promise<Shrunk | NotShrunk> {
    const { broken, template, known } = this.#found;
    const rate = await this.#rate(template);
    if (rate === 0) return { broken, why: "it did not show again" };
    const tries = Math.ceil(Math.log(MISSED) / Math.log(1 - Math.min(rate, 0.99)));
    this.#tries = Math.min(TRIES_MAX, Math.max(2, tries));
    const few = await this.#fewer(template);
    const small = await this.#smaller(few);
    for (const one of [small, few, template]) {
      const trial = await this.#confirmed(one);
      if (trial === undefined) continue;
      const { world } = known.judge;
      const shown = (text: string): string => world.shown(text);
      const replay = raceReplayOf(trial, { shown, fresh: known.fresh });
      if (replay === undefined) return { broken, why: "its answers hide a text" };
      const answers = [...trial.setup, ...trial.raced].map(({ answer }) => answer);
      return { broken, replay, answers, from: broken.number };
    }
    return { broken, why: "it did not show again" };
  }

  async #trial(template: Template, bounds = this.#bounds): Promise<RaceTrial> {
    return this.#trials.run(template, this.#found.known, bounds);
  }

  #isShown({ blamed }: RaceTrial): boolean {
    if (blamed === undefined) return false;
    const { broken, at } = this.#found;
    return isLike(blamed.items, broken.items) || blamed.ran.endpoint?.id === at;
  }

  /** The share of trials in which it shows. */
  async #rate(template: Template): Promise<number> {
    let shown = 0;
    for (let i = 0; i < MEASURED; i++) {
      if (this.#isShown(await this.#trial(template))) shown += 1;
    }
    return shown / MEASURED;
  }

  /** Whether one of some trials shows it. */
  async #shows(template: Template): Promise<boolean> {
    const clients = new Set(template.raced.map(({ client }) => client).filter((one) => one > 0));
    if (clients.size < 2) return false;
    for (let i = 0; i < this.#tries; i++) {
      const trial = await this.#trial(template);
      if (this.#isShown(trial)) return true;
      // What cannot be run cannot be run the next time either.
      if (trial.ordered === undefined) return false;
    }
    return false;
  }

  /** None of its requests can be left out. */
  async #fewer({ setup, raced }: Template): Promise<Template> {
    const few = await ddmin(raced, (some: readonly Raced[]) => this.#shows({ setup, raced: some }));
    const before = await ddmin(setup, (some: readonly NamedRequest[]) =>
      this.#shows({ setup: some, raced: few }),
    );
    return { setup: before, raced: few };
  }

  /** Without headers, members and letters that can be left out. */
  async #smaller({ setup, raced }: Template): Promise<Template> {
    const all = [...setup, ...raced.map(({ named }) => named)];
    const from = (some: readonly NamedRequest[]): Template => ({
      setup: some.slice(0, setup.length),
      raced: raced.flatMap(({ client }, i) => {
        const named = some[setup.length + i];
        return named === undefined ? [] : [{ client, named }];
      }),
    });
    const test = (some: readonly NamedRequest[]): Promise<boolean> => this.#shows(from(some));
    return from(await withShortTexts(await withoutParts(all, test), test));
  }

  /** The last of some trials that show it; undefined: fewer than two do. */
  async #confirmed(template: Template): Promise<RaceTrial | undefined> {
    const size = template.setup.length + template.raced.length;
    // What was found is confirmed, even when the search has used up its bounds.
    const bounds = { requests: size * CONFIRMED, until: Number.POSITIVE_INFINITY };
    let shown = 0;
    for (let i = 0; i < CONFIRMED; i++) {
      const trial = await this.#trial(template, bounds);
      if (!this.#isShown(trial)) continue;
      shown += 1;
      if (shown >= 2) return trial;
    }
    return undefined;
  }
}
