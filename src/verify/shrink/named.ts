/** What was sent in a session, as requests that can be made again with other data. */
import type { Exchange, Session } from "../session.ts";
import type { Answer, Request } from "../world/message.ts";
import { isMarked } from "../world/texts.ts";
import { isRenewable, TextsOnce } from "./fresh.ts";
import { keyHeader, usedKeys, withOtherKeys } from "./keys.ts";
import { madeBy, Naming, namesIn, textsOf } from "./names.ts";

/** A request with names in the place of what differs each time. */
export interface NamedRequest {
  /** That of its exchange. */
  readonly number: number;
  readonly request: Request;
  /** How long nothing is sent before it, in microseconds. */
  readonly wait: bigint;
}

/** A shorter pause is taken for none. */
const PAUSE = 100_000n;

/** The texts that the service made for an exchange, as far as answers have shown them, in order. */
export function madeFor(
  { judge }: Session,
  { judgement }: Pick<Exchange, "judgement">,
): readonly string[] {
  return judgement.ran.made.map((text) => judge.world.shown(text));
}

export interface Named {
  /** All exchanges of a session, in their order. */
  readonly requests: readonly NamedRequest[];
  /** Numbers of those that were to change something, and did as far as their answers tell. */
  readonly changing: ReadonlySet<number>;
  /** Texts that are to be made anew each time, by their names: what they are like. */
  readonly fresh: ReadonlyMap<string, string>;
  /** What they were. */
  readonly originals: ReadonlyMap<string, string>;
  /** Which exchange was the first to show a text that was made for a row at the start, by names. */
  readonly shownBy: ReadonlyMap<string, number>;
}

/** Whether an answer shows a text. */
export const shows = (
  { headers, body = "" }: Pick<Answer, "headers" | "body">,
  text: string,
): boolean => body.includes(text) || headers.some(([, value]) => value.includes(text));

/** The exchanges of a session, named. */
export function namedRequests(session: Session, tag: string): Named {
  const naming = new Naming(tag);
  const once = new TextsOnce(session);
  const fresh = new Map<string, string>();
  const originals = new Map<string, string>();
  const shownBy = new Map<string, number>();
  for (const [i, mark] of session.madeAtStart.entries()) {
    const text = session.judge.world.shown(mark);
    const shower = session.exchanges.find(({ answer }) => !isMarked(text) && shows(answer, text));
    if (shower === undefined) continue;
    naming.note(text, `0.${i}`);
    shownBy.set(`0.${i}`, shower.number);
  }
  const others = new Map<string, string>();
  const renew = (text: string): string => {
    const name = `new${fresh.size + 1}`;
    fresh.set(name, lettersOf(fresh.size));
    originals.set(name, text);
    return `{{${name}}}`;
  };
  for (const { request, answer } of session.exchanges) {
    if (answer.status >= 400) continue;
    for (const text of once.in(request)) {
      if (others.has(text) || text.includes(tag) || isRenewable(text)) continue;
      others.set(text, renew(text));
    }
  }
  const lasting = [...usedKeys(session.exchanges)].filter((text) => !text.includes(tag));
  const keys = new Map(lasting.map((text) => [text, renew(text)]));
  let last: bigint | undefined;
  const requests = session.exchanges.map((exchange): NamedRequest => {
    const { number, answer } = exchange;
    for (const text of once.in(exchange.request)) {
      if (text.includes(tag) || !isRenewable(text) || naming.text(text) !== text) continue;
      const name = `new${fresh.size + 1}`;
      naming.note(text, name);
      fresh.set(name, text);
      originals.set(name, text);
    }
    const named = once.replaced(naming.request(exchange.request), others);
    const request = withOtherKeys(named, exchange.request, keyHeader(exchange), keys);
    for (const [i, text] of madeFor(session, exchange).entries()) {
      if (!isMarked(text)) naming.note(text, `${number}.${i}`);
    }
    const pause = last === undefined ? 0n : answer.sent - last;
    last = answer.received;
    return { number, request, wait: pause < PAUSE ? 0n : pause };
  });
  const changing = session.exchanges.filter(
    ({ answer, judgement: { ran } }) => answer.status < 400 && !ran.isReading,
  );
  const numbers = new Set(changing.map(({ number }) => number));
  return { requests, changing: numbers, fresh, originals, shownBy };
}

const LETTERS = 26;

/** Five small letters, others for each number. */
function lettersOf(number: number): string {
  const digits = [0, 1, 2, 3, 4].map((i) => Math.floor(number / LETTERS ** i) % LETTERS);
  return String.fromCharCode(...digits.map((one) => "a".charCodeAt(0) + one));
}

/** A text of the data made here, whole. */
const OWN = /\{\{tag\}\}[A-Za-z0-9]*/g;

/** What binds a request to others: names of what was made, and texts of its own. */
export function linksOf({ request }: NamedRequest): readonly string[] {
  const texts = textsOf(request);
  const own = texts.flatMap((text) => text.match(OWN) ?? []);
  return [...namesIn(...texts), ...own].filter((name) => name !== "tag" && name !== "{{tag}}");
}

/** Where a request goes. */
const placeOf = (one: NamedRequest | undefined): string =>
  `${one?.request.method} ${one?.request.target.split("?")[0]}`;

/** Which requests hang on which. */
export class Links {
  readonly #all: readonly NamedRequest[];
  readonly #shownBy: ReadonlyMap<string, number>;
  readonly #changing: ReadonlySet<number>;
  readonly #links = new Map<number, readonly string[]>();
  /** Of each text of its own: the requests that changed something with it. */
  readonly #changedWith = new Map<string, NamedRequest[]>();

  constructor({ requests, changing, shownBy }: Named) {
    this.#all = requests;
    this.#changing = changing;
    this.#shownBy = shownBy;
    for (const one of requests) {
      const { number } = one;
      const links = linksOf(one);
      this.#links.set(number, links);
      for (const link of changing.has(number) ? links : []) {
        const those = this.#changedWith.get(link) ?? [];
        those.push(one);
        this.#changedWith.set(link, those);
      }
    }
  }

  /**
   * Which request made what a name stands for, or was the first to change something with a text of
   * its own elsewhere: those of one endpoint do not hang on each other. 0: none.
   */
  #maker(link: string, of: number): number {
    const known = this.#shownBy.get(link) ?? madeBy(link)?.[0];
    if (known !== undefined) return Number(known);
    const own = this.#all.find(({ number }) => number === of);
    const first = this.#changedWith.get(link)?.find((one) => placeOf(one) !== placeOf(own));
    return first?.number ?? 0;
  }

  /** Numbers of the requests that make what these hold, and what those hold. */
  makers(numbers: Iterable<number>): ReadonlySet<number> {
    const found = new Set<number>();
    const open = [...numbers];
    for (let number = open.pop(); number !== undefined; number = open.pop()) {
      for (const link of this.#links.get(number) ?? []) {
        const maker = this.#maker(link, number);
        if (maker === 0 || maker >= number || found.has(maker)) continue;
        found.add(maker);
        open.push(maker);
      }
    }
    return found;
  }

  /** Numbers of requests that change something of which they hold a name. */
  changers(names: ReadonlySet<string>): ReadonlySet<number> {
    const found = this.#all.filter(
      ({ number }) =>
        this.#changing.has(number) &&
        (this.#links.get(number) ?? []).some((link) => names.has(link)),
    );
    return new Set(found.map(({ number }) => number));
  }

  /** Numbers of requests before that one that share something with it or with its makers. */
  related(number: number): ReadonlySet<number> {
    const near = [number, ...this.makers([number])];
    const links = new Set(near.flatMap((one) => this.#links.get(one) ?? []));
    const found = this.#all
      .filter((one) => one.number < number)
      .filter((one) => (this.#links.get(one.number) ?? []).some((link) => links.has(link)))
      .map((one) => one.number);
    return new Set([...found, ...this.makers([number, ...found])]);
  }
}
