/** Races that are run again, each time with data of their own. */
import type { Judge } from "../judge/judge.ts";
import type { Judgement } from "../judge/judgement.ts";
import { type Ordered, orderOf } from "../races/order.ts";
import type { Crowd } from "../races/round.ts";
import type { Raced } from "../races/told.ts";
import { commonTag, TAG_LETTERS } from "../session.ts";
import { freshText } from "../shrink/fresh.ts";
import { type NamedRequest, shows } from "../shrink/named.ts";
import { filled } from "../shrink/names.ts";
import { NoAnswer } from "../talk/client.ts";
import type { Answer, Request } from "../world/message.ts";
import { isMarked } from "../world/texts.ts";
import type { World } from "../world/world.ts";
import { type Blamed, blamedOf, follow, nearestOrder } from "./found.ts";
import { type Outcome, outcomesOf } from "./outcomes.ts";

/** A race as it can be run again. */
export interface Template {
  readonly setup: readonly NamedRequest[];
  /** Of each client from 1 on, then of 0: those behind all others. */
  readonly raced: readonly { readonly client: number; readonly named: NamedRequest }[];
}

/** What is known of the session that races are part of. */
export interface Known {
  readonly judge: Judge;
  readonly tag: string;
  readonly fresh: ReadonlyMap<string, string>;
  readonly madeAtStart: readonly string[];
}

/** A request of a trial, as it went. */
interface RanAgain extends Raced {
  readonly named: NamedRequest;
}

export interface RaceTrial {
  readonly tag: string;
  /** What stood in the place of names. */
  readonly known: ReadonlyMap<string, string>;
  readonly setup: readonly RanAgain[];
  readonly raced: readonly RanAgain[];
  /** Undefined: those before were not answered as stated, or one could not be made. */
  readonly ordered: Ordered | undefined;
  readonly blamed: Blamed | undefined;
  /** Where no order gives the answers: those that each gives. */
  readonly outcomes: readonly Outcome[];
}

export interface RaceBounds {
  requests: number;
  /** An instant of `performance.now()`. */
  readonly until: number;
}

/** Takes what was done; `isOrdered`: an order of what was done at the same time is known. */
type Note = (one: Raced, judgement: Judgement, isOrdered: boolean) => void;

const BASE = 36;

/** Makes trials; the model of the session follows what they do. */
export class RaceTrials {
  readonly #crowd: Crowd;
  /** Judges what may be: it learns nothing for others. */
  readonly #apart: World;
  readonly #tag: string;
  readonly #note: Note;
  /** Tags are counted down: other trials count up. */
  #count = BASE ** TAG_LETTERS - 1;

  constructor(crowd: Crowd, apart: World, tag: string, note: Note) {
    this.#crowd = crowd;
    this.#apart = apart;
    this.#tag = tag;
    this.#note = note;
  }

  #nextTag(): string {
    const common = commonTag(this.#tag);
    for (;;) {
      if (this.#count < BASE) this.#count = BASE ** TAG_LETTERS - 1;
      const own = (this.#count--).toString(BASE).padStart(TAG_LETTERS, "0");
      if (common + own !== this.#tag) return common + own;
    }
  }

  /** Sends those before in turn, then all clients at once. */
  async run(template: Template, known: Known, bounds: RaceBounds): Promise<RaceTrial> {
    const filling = new Filling(known, this.#nextTag());
    const none = {
      tag: filling.tag,
      known: filling.known,
      raced: [],
      blamed: undefined,
      outcomes: [],
    };
    const setup = await this.#inTurn(template.setup, known, { filling, bounds });
    if (setup.length < template.setup.length) return { ...none, setup, ordered: undefined };
    const raced = await this.#atOnce(template, { filling, bounds });
    if (raced.length < template.raced.length) return { ...none, setup, ordered: undefined };
    const { judge } = known;
    const ordered = orderOf(raced, judge, this.#apart);
    const { plan } = judge.world;
    const wrong = ordered.is === "no order" ? blamedOf(plan, raced, ordered.misses) : undefined;
    const outcomes = wrong === undefined ? [] : outcomesOf(raced, judge);
    const near = wrong === undefined ? [...raced.keys()] : nearestOrder(raced, wrong);
    const order = ordered.is === "ordered" ? ordered.order : near;
    for (const [i, judgement] of follow(raced, order, judge).entries()) {
      const at = raced[order[i] ?? 0];
      if (at === undefined) continue;
      filling.made(at.named, judgement.ran.made);
      this.#note(at, judgement, ordered.is === "ordered");
    }
    return { ...none, known: filling.known, setup, raced, ordered, blamed: wrong, outcomes };
  }

  /** Whether all is as stated when the same is done one by one, the clients in that order. */
  async isRightInTurn(
    { setup, raced }: Template,
    known: Known,
    { clients, bounds }: { readonly clients: readonly number[]; readonly bounds: RaceBounds },
  ): Promise<boolean> {
    const filling = new Filling(known, this.#nextTag());
    const all = [
      ...setup,
      ...clients.flatMap((client) =>
        raced.flatMap((one) => (one.client === client ? [one.named] : [])),
      ),
    ];
    const done = await this.#inTurn(all, known, { filling, bounds });
    return done.length === all.length;
  }

  /** Those that were answered as stated, up to the first that was not. */
  async #inTurn(
    all: readonly NamedRequest[],
    { judge }: Known,
    { filling, bounds }: { readonly filling: Filling; readonly bounds: RaceBounds },
  ): Promise<readonly RanAgain[]> {
    const done: RanAgain[] = [];
    for (const named of all) {
      const request = filling.of(named);
      const answer = request && (await this.#ask(request, bounds));
      if (request === undefined || answer === undefined) break;
      const judgement = judge.judge(request, answer);
      if (judgement.is !== "as stated") break;
      filling.made(named, judgement.ran.made);
      filling.shown(answer);
      const one = { client: 0, named, request, answer };
      this.#note(one, judgement, true);
      done.push(one);
    }
    return done;
  }

  async #ask(request: Request, bounds: RaceBounds): Promise<Answer | undefined> {
    if (bounds.requests <= 0 || performance.now() > bounds.until) return undefined;
    bounds.requests -= 1;
    try {
      return await this.#crowd.ask(request);
    } catch (error) {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    }
  }

  async #atOnce(
    { raced }: Template,
    { filling, bounds }: { readonly filling: Filling; readonly bounds: RaceBounds },
  ): Promise<readonly RanAgain[]> {
    if (bounds.requests < raced.length || performance.now() > bounds.until) return [];
    const groups = Map.groupBy(raced, ({ client }) => client);
    const clients = [...groups.keys()].filter((one) => one > 0).toSorted((a, b) => a - b);
    const own = clients.map((client) => groups.get(client) ?? []);
    bounds.requests -= raced.length;
    try {
      const found = await this.#crowd.race(
        own.map((all) =>
          all.map(
            ({ named }) =>
              () =>
                filling.of(named),
          ),
        ),
      );
      const done = clients.flatMap((client, i) => {
        const answers = found.filter((one) => one.client === i + 1);
        return answers.map((one, at) => ({ ...one, client, named: own[i]?.[at]?.named }));
      });
      const all = done.flatMap((one) => (one.named === undefined ? [] : [one as RanAgain]));
      for (const { named } of groups.get(0) ?? []) {
        const request = filling.of(named);
        if (request === undefined) return [];
        all.push({ client: 0, named, request, answer: await this.#crowd.ask(request) });
      }
      return all;
    } catch (error) {
      if (error instanceof NoAnswer) return [];
      throw error;
    }
  }
}

/** What stands in the place of names in one trial. */
class Filling {
  readonly tag: string;
  readonly known = new Map<string, string>();
  readonly #of: Known;

  constructor(of: Known, tag: string) {
    this.#of = of;
    this.tag = tag;
    this.known.set("tag", tag);
    for (const [name, like] of of.fresh) this.known.set(name, freshText(like));
  }

  #text(name: string): string | undefined {
    const text = this.#of.judge.world.shown(this.known.get(name) ?? "");
    return text === "" || isMarked(text) ? undefined : text;
  }

  /** The request; undefined: nobody has seen what it needs. */
  of({ request }: NamedRequest): Request | undefined {
    return filled(request, (name) => this.#text(name));
  }

  made({ number }: NamedRequest, texts: readonly string[]): void {
    for (const [i, text] of texts.entries()) this.known.set(`${number}.${i}`, text);
  }

  shown(answer: Answer): void {
    const { world } = this.#of.judge;
    for (const [i, mark] of this.#of.madeAtStart.entries()) {
      if (shows(answer, world.shown(mark))) this.known.set(`0.${i}`, mark);
    }
  }
}
