/** Runs a race of a replay again, some times, until its answers are such as no order gives. */
import { orderOf } from "../races/order.ts";
import { Crowd } from "../races/round.ts";
import type { Raced } from "../races/told.ts";
import { commonTag, type Session, TAG_LETTERS } from "../session.ts";
import { type Client, NoAnswer } from "../talk/client.ts";
import type { Answer, Request } from "../world/message.ts";
import { World } from "../world/world.ts";
import { isLike, learnedFrom, type Replayed } from "./answers.ts";
import { freshText } from "./fresh.ts";
import { filled } from "./names.ts";
import { type RaceReplay, type Replay, type ReplayRequest, valueAt } from "./replay.ts";

type Said = Pick<Replayed, "is" | "why">;
type Sent = { readonly request: Request; readonly answer: Answer };

/** The requests of one round in the order of the replay; or why there are none. */
type Round = readonly Sent[] | Said;

const BASE = 36;

/** Says whether one of its rounds shows it. */
export async function raceAgain(
  replay: Replay & { readonly race: RaceReplay },
  client: Client,
  { tag, session }: { readonly tag: string; readonly session?: Session },
): Promise<Replayed> {
  const crowd = new Crowd(client.url);
  try {
    let exchanges: readonly Sent[] = [];
    let other: Said | undefined;
    const { rounds } = replay.race;
    for (let i = 0; i < rounds; i++) {
      const own = commonTag(tag) + i.toString(BASE).padStart(TAG_LETTERS, "0");
      const round = new Rounds(replay, crowd, { tag: own, session });
      const sent = await round.run();
      if ("is" in sent) return { ...sent, exchanges };
      exchanges = sent;
      const said = round.said(sent);
      if (said.is === "still broken") return { ...said, exchanges };
      if (said.is !== "fixed") other ??= said;
    }
    const why = `in ${rounds} rounds the answers were such as one order or another gives`;
    return { ...(other ?? { is: "fixed", why }), exchanges };
  } catch (error) {
    if (error instanceof NoAnswer) return { is: "no answer", why: error.message, exchanges: [] };
    throw error;
  } finally {
    crowd.close();
  }
}

class Rounds {
  readonly #replay: Replay & { readonly race: RaceReplay };
  readonly #crowd: Crowd;
  readonly #known: Map<string, string>;
  readonly #session: Session | undefined;

  constructor(
    replay: Replay & { readonly race: RaceReplay },
    crowd: Crowd,
    { tag, session }: { readonly tag: string; readonly session: Session | undefined },
  ) {
    this.#replay = replay;
    this.#crowd = crowd;
    this.#session = session;
    this.#known = new Map([["tag", tag]]);
    for (const { name, like } of replay.fresh) this.#known.set(name, freshText(like));
  }

  async run(): Promise<Round> {
    const { requests } = this.#replay;
    const first = requests.findIndex(({ client }) => client !== undefined);
    const sent: Sent[] = [];
    for (const [i, one] of requests.slice(0, first).entries()) {
      const done = await this.#one(one, i);
      if ("is" in done) return done;
      this.#session?.judged(done.request, done.answer);
      if (done.answer.status !== one.answered) {
        const { status } = done.answer;
        const why = `request ${i + 1} was answered ${status}, not ${one.answered} as before`;
        return { is: "drifted", why };
      }
      sent.push(done);
    }
    const raced = await this.#race(requests.slice(first), first);
    return "is" in raced ? raced : [...sent, ...raced];
  }

  async #one(one: ReplayRequest, i: number): Promise<Sent | Said> {
    const request = filled(one, (name) => this.#known.get(name));
    if (request === undefined) return unseen(i);
    const answer = await this.#crowd.ask(request);
    this.#learn(one, answer);
    return { request, answer };
  }

  #learn({ learns }: ReplayRequest, answer: Answer): void {
    for (const learned of learns) {
      const text = learnedFrom(answer, learned);
      if (text !== undefined) this.#known.set(learned.name, text);
    }
  }

  /** All clients at once, then those behind them. */
  async #race(all: readonly ReplayRequest[], first: number): Promise<Round> {
    const numbers = [...new Set(all.flatMap(({ client }) => client ?? []))];
    const own = numbers.map((client) => all.filter((one) => one.client === client));
    const clients = own.map((some) =>
      some.map((one) => () => filled(one, (name) => this.#known.get(name))),
    );
    const raced = await this.#crowd.race(clients);
    const found = new Map<ReplayRequest, Sent>();
    for (const [i, some] of own.entries()) {
      const answers = raced.filter(({ client }) => client === i + 1);
      for (const [at, one] of some.entries()) {
        const sent = answers[at];
        if (sent === undefined) return unseen(first + all.indexOf(one));
        found.set(one, sent);
        this.#learn(one, sent.answer);
      }
    }
    for (const one of all.filter(({ client }) => client === undefined)) {
      const sent = await this.#one(one, first + all.indexOf(one));
      if ("is" in sent) return sent;
      found.set(one, sent);
    }
    return all.flatMap((one) => found.get(one) ?? []);
  }

  /** What the answers are beside those that orders give. */
  said(sent: readonly Sent[]): Said {
    const seen = this.#compared(sent);
    return this.#session === undefined ? seen : this.#judged(sent, this.#session, seen);
  }

  #compared(sent: readonly Sent[]): Said {
    const { places, seen, allowed } = this.#replay.race;
    const texts = places.map((place) => {
      const answer = sent[place.request]?.answer;
      return answer === undefined ? "" : (valueAt(answer, place) ?? "");
    });
    const isAlike = (tuple: readonly string[]): boolean =>
      tuple.every((text, i) => isLike(text, texts[i] ?? "", this.#known));
    if (allowed.some(isAlike)) return { is: "fixed", why: "an order gives the answers" };
    const odd = places.findIndex(
      (place, i) =>
        place.in === "status" && ![seen, ...allowed].some((tuple) => tuple[i] === texts[i]),
    );
    if (odd >= 0) {
      const { request } = places[odd] ?? { request: 0 };
      const said = `request ${request + 1} was answered ${texts[odd]}`;
      const why = `${said}, as by no order and not as before`;
      return { is: "drifted", why };
    }
    return { is: "still broken", why: "no order of the requests gives the answers" };
  }

  /** What the document states today decides. */
  #judged(sent: readonly Sent[], { judge }: Session, seen: Said): Said {
    const { requests } = this.#replay;
    const first = requests.findIndex(({ client }) => client !== undefined);
    const race = sent.slice(first).map((one, i): Raced => {
      return { ...one, client: requests[first + i]?.client ?? 0 };
    });
    const { world } = judge;
    const apart = new World(world.plan, { settings: world.settings, beside: world, isApart: true });
    const found = orderOf(race, judge, apart);
    if (found.is === "ordered") {
      for (const at of found.order) {
        const { request, answer } = race[at] as Raced;
        judge.judge(request, answer);
      }
      return { is: "fixed", why: "an order gives the answers" };
    }
    if (found.is === "unknown") return { is: "unstated", why: "it cannot be judged" };
    return seen.is === "fixed"
      ? { is: "still broken", why: "by what the document states now no order gives the answers" }
      : seen;
  }
}

function unseen(i: number): Said {
  return { is: "drifted", why: `no answer has shown what request ${i + 1} needs` };
}
