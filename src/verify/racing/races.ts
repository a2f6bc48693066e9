/** Makes requests at the same time, as a session goes on, and judges what comes of it. */
import { isStated } from "../../plan/index.ts";
import type { Exploring, Planned } from "../generate/explore.ts";
import type { Judgement } from "../judge/judgement.ts";
import { type Contest, Contests } from "../races/contests.ts";
import { orderOf } from "../races/order.ts";
import { Crowd } from "../races/round.ts";
import type { Miss, RaceCounts, Raced } from "../races/told.ts";
import type { Break, Session } from "../session.ts";
import { namedRequests } from "../shrink/named.ts";
import type { NotShrunk, Shrunk } from "../shrink/shrink.ts";
import { NoAnswer } from "../talk/client.ts";
import type { Answer, Request } from "../world/message.ts";
import { realRequest } from "../world/real.ts";
import { World } from "../world/world.ts";
import { blamedOf, follow, isLike, nearestOrder } from "./found.ts";
import { type RaceFound, shrinkRaces } from "./shrink.ts";
import { clientsOf, knownOf, type Run, templatesOf } from "./template.ts";
import { type Known, type RaceBounds, RaceTrials, type Template } from "./trials.ts";

interface RacesOptions {
  readonly tag: string;
  /** Requests that may be made. */
  readonly requestsMax: number;
  readonly secondsMax: number;
  /** Ends it; what was found up to then stays. */
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((session: Session) => void) | undefined;
}

/** So often contests of one kind are run. */
const ALIKE = 6;
/** Races without an order that are looked into. */
const LOOKED_INTO = 6;
/** How often a race is run again to see it again. */
const AGAIN = 12;
/** Seconds that are taken for that. */
const AGAIN_SECONDS = 3;
const AT_ONCE = "others were made at the same time";

/** Runs races behind the exploration of a session. */
export class Races {
  readonly counts: RaceCounts = { run: 0, broken: 0, unknown: 0 };
  readonly #found: RaceFound[] = [];
  readonly #crowd: Crowd;
  readonly #trials: RaceTrials;
  readonly #session: Session;
  readonly #exploring: Exploring;
  readonly #options: RacesOptions;
  readonly #contests: Contests;
  readonly #apart: World;
  #until: number;
  /** Kinds that are not run any more. */
  readonly #ended = new Set<string>();
  #lookedInto = 0;
  #isShrinking = false;
  #spent = 0;

  constructor(session: Session, url: URL, exploring: Exploring, options: RacesOptions) {
    this.#session = session;
    this.#exploring = exploring;
    this.#options = options;
    this.#until = performance.now() + options.secondsMax * 1000;
    this.#crowd = new Crowd(url);
    this.#contests = new Contests(exploring);
    const { world } = session.judge;
    const { settings } = world;
    this.#apart = new World(session.plan, { settings, beside: world, isApart: true });
    // What is under way gets no answer then.
    options.signal?.addEventListener("abort", () => this.#crowd.close(), { once: true });
    this.#trials = new RaceTrials(this.#crowd, this.#apart, options.tag, (one, judgement, isIn) =>
      this.#tried(one, judgement, isIn),
    );
  }

  /** Whether a document says what is to come of requests at the same time. */
  static isJudged({ plan }: Session): boolean {
    return isStated(plan.about.isolation);
  }

  get #isOver(): boolean {
    const { requestsMax, signal } = this.#options;
    const isLate = performance.now() > this.#until || this.#crowd.sent >= requestsMax;
    return isLate || signal?.aborted === true || this.#lookedInto >= LOOKED_INTO;
  }

  async run(): Promise<void> {
    while (!this.#isOver) {
      const contest = await this.#contests.next(ALIKE, () => this.#isOver);
      if (contest === undefined) {
        this.#spent += 1;
        if (this.#spent > 1) return;
        continue;
      }
      this.#spent = 0;
      if (this.#ended.has(contest.name)) continue;
      try {
        await this.#contest(contest);
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
        this.counts.unknown += 1;
        return;
      }
      this.#options.progress?.(this.#session);
    }
  }

  async #contest(contest: Contest): Promise<void> {
    const setup = await this.#follow(contest.setup);
    if (setup === undefined) return;
    const asked = clientsOf(contest, this.#exploring.random);
    const { world } = this.#session.judge;
    const real = (request: Request) => realRequest(world, request, setup.known);
    const reads = contest.reads.flatMap((one) => real(one) ?? []);
    await this.#warm(reads, asked.length);
    const clients = asked.map((own) => own.map((one) => () => real(one)));
    if (asked.flat().some((one) => real(one) === undefined)) return;
    const raced = [...(await this.#crowd.race(clients))];
    for (const request of reads) {
      raced.push({ client: 0, request, answer: await this.#crowd.ask(request) });
    }
    this.counts.run += 1;
    await this.#judge(contest, raced, setup.numbers);
  }

  /** Opens the connections of all clients, by what changes nothing. */
  async #warm([read]: readonly Request[], count: number): Promise<void> {
    if (read === undefined || this.#crowd.isWarm(count)) return;
    const clients = Array.from({ length: count }, () => [() => read]);
    for (const { request, answer } of await this.#crowd.race(clients)) {
      this.#judged(request, answer);
    }
  }

  /** Judges one by itself: what is broken may be so because of races before, and is not told. */
  #judged(request: Request, answer: Answer): Judgement {
    const session = this.#session;
    const judgement = session.judge.judge(request, answer);
    const number = session.requests + 1;
    if (judgement.is !== "broken") session.note({ number, request, answer, judgement });
    return judgement;
  }

  /** Requests that come later may be about rows of trials: what made them is known then. */
  #tried({ request, answer }: Raced, judgement: Judgement, isOrdered: boolean): void {
    if (this.#isShrinking || (isOrdered && judgement.is === "broken")) return;
    const { ran } = judgement;
    const told = isOrdered ? judgement : ({ is: "unstated", ran, why: AT_ONCE } as const);
    this.#session.note({ number: this.#session.requests + 1, request, answer, judgement: told });
  }

  /** Sends requests in turn; undefined: one was not answered as stated. */
  async #follow(
    setup: readonly Planned[],
  ): Promise<{ known: ReadonlyMap<string, string>; numbers: readonly number[] } | undefined> {
    const known = new Map<string, string>();
    const numbers: number[] = [];
    const session = this.#session;
    for (const { request, made } of setup) {
      const sent = realRequest(session.judge.world, request, known);
      if (sent === undefined) return undefined;
      const answer = await this.#crowd.ask(sent);
      const judgement = this.#judged(sent, answer);
      if (judgement.is !== "as stated") return undefined;
      numbers.push(session.requests);
      const texts = judgement.ran.made;
      if (texts.length !== made.length && made.length > 0) return undefined;
      for (const [i, mark] of made.entries()) known.set(mark, texts[i] ?? mark);
    }
    return { known, numbers };
  }

  async #judge(contest: Contest, raced: readonly Raced[], setup: readonly number[]): Promise<void> {
    const session = this.#session;
    const { judge } = session;
    const ordered = orderOf(raced, judge, this.#apart);
    if (ordered.is === "ordered" && this.#takeUp(raced, ordered.order)) return;
    const misses: readonly Miss[] = ordered.is === "no order" ? ordered.misses : [];
    const wrong = blamedOf(session.plan, raced, misses);
    const order = wrong === undefined ? [...raced.keys()] : nearestOrder(raced, wrong);
    const judgements = follow(raced, order, judge);
    this.#ended.add(contest.name);
    const numbers = raced.map(() => 0);
    for (const [i, at] of order.entries()) {
      const { request, answer } = raced[at] as Raced;
      const ran = judgements[i]?.ran;
      if (ran === undefined) continue;
      numbers[at] = session.requests + 1;
      const judgement = { is: "unstated", ran, why: AT_ONCE } as const;
      session.note({ number: session.requests + 1, request, answer, judgement });
    }
    if (wrong === undefined) {
      this.counts.unknown += 1;
      return;
    }
    await this.#lookInto({ raced, numbers, setup }, wrong);
  }

  /** The session goes on behind an order; false: it is none after all. */
  #takeUp(raced: readonly Raced[], order: readonly number[]): boolean {
    const session = this.#session;
    const { judge } = session;
    const restore = judge.remembered();
    judge.world.begin();
    const judgements = follow(raced, order, judge);
    if (judgements.some(({ is }) => is === "broken")) {
      judge.world.undo();
      restore();
      return false;
    }
    judge.world.keep();
    for (const [i, judgement] of judgements.entries()) {
      const { request, answer } = raced[order[i] ?? 0] as Raced;
      session.note({ number: session.requests + 1, request, answer, judgement });
    }
    return true;
  }

  /**
   * Called broken only if the same requests one by one are as stated in whatever order the clients
   * come, and at the same time have no order again.
   */
  async #lookInto(run: Run, wrong: NonNullable<ReturnType<typeof blamedOf>>): Promise<void> {
    const session = this.#session;
    // It is told once that the same is broken.
    if (this.#found.some(({ broken }) => isLike(broken.items, wrong.items))) return;
    this.#lookedInto += 1;
    const named = namedRequests(session, this.#options.tag);
    const known = knownOf(session, this.#options.tag, named.fresh);
    const began = performance.now();
    const template = await this.#seenAgain(templatesOf(run, named, session), known);
    // That is no part of the search.
    this.#until += performance.now() - began;
    const blamed = run.raced[wrong.at];
    const number = run.numbers[wrong.at] ?? 0;
    if (template === undefined || blamed === undefined) {
      this.counts.unknown += 1;
      return;
    }
    const broken: Break = {
      number,
      request: blamed.request,
      answer: blamed.answer,
      expected: wrong.ran.outcome.response,
      differences: wrong.differences,
      items: wrong.items,
      race: {
        raced: run.raced.map((one, i) => ({ ...one, number: run.numbers[i] ?? 0 })),
        at: wrong.at,
      },
    };
    session.raceBroken(broken);
    this.counts.broken += 1;
    this.#found.push({ broken, template, known, at: wrong.ran.endpoint?.id });
  }

  /** The first of some ways to run the race again in which it is seen again. */
  async #seenAgain(templates: readonly Template[], known: Known): Promise<Template | undefined> {
    for (const template of templates) {
      const size = template.setup.length + template.raced.length;
      const bounds = {
        requests: AGAIN * size,
        until: performance.now() + AGAIN_SECONDS * 1000,
      };
      if (!(await this.#isRightInTurn(template, known, bounds))) continue;
      for (let i = 0; i < AGAIN && performance.now() < bounds.until; i++) {
        // Whatever is blamed then: it has no order either.
        const { blamed } = await this.#trials.run(template, known, bounds);
        if (blamed !== undefined) return template;
      }
    }
    return undefined;
  }

  async #isRightInTurn(template: Template, known: Known, bounds: RaceBounds): Promise<boolean> {
    const all = new Set(template.raced.map(({ client }) => client));
    const clients = [...all].filter((one) => one > 0);
    for (const order of [clients, clients.toReversed()]) {
      const told = { clients: [...order, 0], bounds };
      if (!(await this.#trials.isRightInTurn(template, known, told))) return false;
    }
    return true;
  }

  /** What was found, in the fewest requests. */
  shrunk(requestsMax: number, secondsMax: number): Promise<readonly (Shrunk | NotShrunk)[]> {
    this.#isShrinking = true;
    return shrinkRaces(this.#found, this.#trials, { requestsMax, secondsMax });
  }

  close(): void {
    this.#crowd.close();
  }
}
