/** Numbers that a model takes of its counters. */
import type { Session } from "../../run/index.ts";

/** Tells each number that is taken from here on, from 1 on, and the name of its counter. */
export function watchCounters(
  { counters }: Session,
  taken: (counter: string, number: bigint) => void,
): void {
  const next = counters.next.bind(counters);
  Object.assign(counters, {
    next: (counter: string): bigint => {
      const number = next(counter);
      taken(counter, number);
      return number;
    },
  });
}
