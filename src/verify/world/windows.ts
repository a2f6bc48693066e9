/** Where windows of limits begin and end, and what of them hangs on a few milliseconds. */
import { durationOf, type Limit, type Plan, statedOf } from "../../plan/index.ts";
import type { Session } from "../../run/index.ts";
import type { Counted } from "./rates.ts";

/** The instants nearest to a request, of those that are about it. */
const NEAREST = 4;

const distance = (a: bigint, b: bigint): bigint => (a < b ? b - a : a - b);

/** Some of the instants: those nearest to that one. */
export function nearest(all: Iterable<bigint>, at: bigint): readonly bigint[] {
  const sorted = [...new Set(all)].toSorted((a, b) => (distance(a, at) < distance(b, at) ? -1 : 1));
  return sorted.slice(0, NEAREST);
}

/** The beginning of the fixed window in which an instant lies. */
const startOf = (at: bigint, length: bigint): bigint => at - (((at % length) + length) % length);

/** What of a model's requests was counted by which limits. */
export class Windows {
  /** Groups that were counted, by the name of their limit. */
  readonly #groups = new Map<string, Set<number>>();

  note(passed: readonly Counted[]): void {
    for (const { limit, group } of passed) {
      const groups = this.#groups.get(limit.name) ?? new Set();
      this.#groups.set(limit.name, groups.add(group));
    }
  }

  #counted({ name }: Limit, session: Session, from: bigint, to: bigint): readonly bigint[] {
    const groups = this.#groups.get(name) ?? [];
    return [...groups].flatMap((group) => session.counters.tallies(name, group, from, to));
  }

  /** Instants about that one at which requests leave the window of a limit. */
  ends({ limits }: Plan, session: Session, at: bigint, about: bigint): readonly bigint[] {
    const found = limits.flatMap((limit) => {
      const stated = statedOf(limit.window);
      if (stated === undefined || stated.is === "day") return [];
      const length = durationOf(stated.durationText);
      const [from, to] = [at - about, at + about];
      if (stated.is === "sliding") {
        const all = this.#counted(limit, session, from - length, to - length);
        return all.map((one) => one + length);
      }
      const start = startOf(to, length);
      return start >= from && this.#groups.has(limit.name) ? [start] : [];
    });
    return nearest(found, at);
  }

  /**
   * How much later than they are taken to do windows may begin, for what is counted in them: an
   * answer seldom shows whether a request came just before or just behind that.
   */
  shifts({ limits }: Plan, session: Session, now: bigint, about: bigint): readonly bigint[] {
    const found = limits.flatMap((limit) => {
      const stated = statedOf(limit.window);
      if (stated === undefined || stated.is === "day") return [];
      const length = durationOf(stated.durationText);
      const from = stated.is === "sliding" ? now - length + 1n : startOf(now, length);
      const all = this.#counted(limit, session, from - about, from + about);
      return all.map((one) => (one < from ? one - from : one - from + 1n));
    });
    return nearest(found, 0n);
  }
}
