/** Tells which event each frame of a stream is. */
import { type Alike, alike, type Knowing } from "../events/alike.ts";
import type { Difference } from "../judge/compare.ts";
import type { Frame } from "./frames.ts";
import type { Entry, Subscription } from "./subscription.ts";

/** Knows what marks in data are that frames have shown. */
export class Matching {
  readonly #knowing: Knowing;
  readonly #known = new Map<string, string>();

  constructor(knowing: Knowing) {
    this.#knowing = knowing;
  }

  compared({ data, loose, happenedAt, since }: Entry, frame: Frame): Alike {
    const early = happenedAt - since;
    const both = { expected: data, loose, observed: frame.data, at: frame.at, early };
    return alike(both, this.#knowing, this.#known);
  }

  /** Goes on with the frames that came; what was no event so far may be one that was added. */
  match(subscription: Subscription): void {
    const { frames, matched, altered } = subscription;
    const came = new Set(matched);
    for (const [i, frame] of frames.entries()) {
      if (matched[i] !== undefined) continue;
      const open = [...subscription.expected].filter(
        ([entry, how]) => how !== "not" && !came.has(entry) && !altered.has(entry),
      );
      const must = open.filter(([, how]) => how === "must");
      const entry = this.#find(
        [...must, ...open].map(([one]) => one),
        frame,
      );
      matched[i] = entry;
      came.add(entry);
    }
  }

  /** Looks at all frames anew, now that all is known that there is to be. */
  again(subscription: Subscription): void {
    subscription.matched.fill(undefined);
    this.match(subscription);
  }

  /** The first of the entries that the frame is. */
  #find(among: readonly Entry[], frame: Frame): Entry | undefined {
    for (const entry of among) {
      if (entry.event !== frame.event) continue;
      const { differences, names } = this.compared(entry, frame);
      if (differences.length > 0) continue;
      for (const [mark, text] of names) this.#known.set(mark, text);
      return entry;
    }
    return undefined;
  }

  /** The first of the entries that has these data, whatever its name. */
  sameData(among: readonly Entry[], frame: Frame): Entry | undefined {
    return among.find((entry) => this.compared(entry, frame).differences.length === 0);
  }

  /** The entry of the same name whose data are nearest, and what is otherwise. */
  nearest(
    among: readonly Entry[],
    frame: Frame,
  ): readonly [Entry, readonly Difference[]] | undefined {
    let best: readonly [Entry, readonly Difference[]] | undefined;
    for (const entry of among) {
      if (entry.event !== frame.event) continue;
      const { differences } = this.compared(entry, frame);
      if (best === undefined || differences.length < best[1].length) best = [entry, differences];
    }
    return best;
  }
}
