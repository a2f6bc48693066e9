/**
 * Requests of which the service takes few from one address, such as those that open an account:
 * what they have made is used again, so that trials do not run into the limit.
 */
import { scarceEndpoints } from "../generate/scarce.ts";
import type { Session } from "../session.ts";
import { linksOf, type NamedRequest } from "./named.ts";

/** Tells which requests of a session are better not made again. */
export class Scarce {
  readonly #numbers: ReadonlySet<number>;

  constructor({ plan, exchanges }: Session) {
    const ids = scarceEndpoints(plan);
    const scarce = exchanges.filter(({ judgement }) => ids.has(judgement.ran.endpoint?.id ?? ""));
    this.#numbers = new Set(scarce.map(({ number }) => number));
  }

  /**
   * Those of which only what the service made for them is used behind them, or a text that has a
   * name: not others of their own, which differ in each trial. The last request is never one.
   */
  among(all: readonly NamedRequest[]): ReadonlySet<NamedRequest> {
    let found = new Set(all.slice(0, -1).filter(({ number }) => this.#numbers.has(number)));
    for (;;) {
      const sent = all.filter((one) => !found.has(one)).flatMap(linksOf);
      const own = new Set(sent.filter((link) => !/^(?:\d+\.\d+|new\d+)$/.test(link)));
      const left = [...found].filter((one) => linksOf(one).every((link) => !own.has(link)));
      if (left.length === found.size) return found;
      found = new Set(left);
    }
  }
}
