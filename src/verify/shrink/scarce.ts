/**
 * Requests of which the service takes few from one address, such as those that open an account:
 * what they have made is used again, so that trials do not run into the limit.
 */
import { scarceEndpoints } from "../generate/scarce.ts";
import type { Exchange, Session } from "../session.ts";
import { linksOf, madeFor, type NamedRequest } from "./named.ts";

/** Tells which requests of a session are better not made again. */
export class Scarce {
  readonly #session: Session;
  readonly #numbers: ReadonlySet<number>;
  /** Numbers of those whose results trials have used. */
  readonly #used = new Set<number>();

  constructor(session: Session) {
    const { plan, exchanges } = session;
    this.#session = session;
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

  /**
   * One that came to the same, and of whose rows nothing is kept: no trial has used it. Undefined:
   * there is none, or others hang on a text of its own.
   */
  unused(named: NamedRequest): Pick<Exchange, "request" | "answer"> | undefined {
    const { exchanges } = this.#session;
    const own = exchanges.find(({ number }) => number === named.number);
    if (own === undefined || linksOf(named).some((link) => link.startsWith("new")))
      return undefined;
    const isAlike = ({ judgement, answer }: Exchange): boolean =>
      judgement.is === "as stated" &&
      judgement.ran.endpoint === own.judgement.ran.endpoint &&
      answer.status === own.answer.status &&
      judgement.ran.made.length === own.judgement.ran.made.length;
    const found = exchanges.find(
      (one) => !this.#used.has(one.number) && isAlike(one) && !this.#isReferred(one),
    );
    if (found !== undefined) this.#used.add(found.number);
    return found;
  }

  /** Whether rows that are there refer to what was made for it. */
  #isReferred(exchange: Exchange): boolean {
    const { world } = this.#session.judge;
    const made = new Set(madeFor(this.#session, exchange));
    return world.plan.resources.some(({ name, fields }) =>
      fields.some(({ type: { type } }, place) => {
        if (type.kind !== "reference") return false;
        const own = world
          .rows(type.resource)
          .filter(({ values }) =>
            values.some((value) => typeof value === "string" && made.has(world.shown(value))),
          );
        const keys = new Set<unknown>(own.map(({ key }) => key));
        return keys.size > 0 && world.rows(name).some(({ values }) => keys.has(values[place]));
      }),
    );
  }
}
