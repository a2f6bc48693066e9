/** Tests a running service against all that its document states. */
import type { Endpoint, ItemId, Plan } from "../plan/index.ts";
import type { Members } from "../run/index.ts";
import { Evidence, type Occurring } from "./evidence.ts";
import { type Exploring, featuresOf, nextRequests, type Planned } from "./generate/explore.ts";
import { Random } from "./generate/random.ts";
import { blamed } from "./judge/blame.ts";
import type { Difference } from "./judge/compare.ts";
import { Judge, type Judgement } from "./judge/judge.ts";
import { Client, NoAnswer, nowMicros } from "./talk/client.ts";
import { Verdicts } from "./verdicts.ts";
import type { Answer, Request } from "./world/message.ts";
import { isMarked, withTexts } from "./world/texts.ts";
import { World } from "./world/world.ts";

interface VerifyOptions {
  readonly seed: number;
  /** Letters and digits that the data made here have, and others have not. */
  readonly tag: string;
  readonly requestsMax: number;
  readonly secondsMax: number;
  readonly settings?: Members;
  /** Which failures an endpoint can have. */
  readonly occurring: (endpoint: Endpoint) => Occurring;
  readonly given?: ReadonlyMap<string, readonly Members[]>;
  /** Told after each request. */
  readonly progress?: (requests: number, broken: number) => void;
}

/** An answer that the document does not allow. */
export interface Break {
  readonly number: number;
  readonly request: Request;
  readonly answer: Answer;
  readonly expected: Judgement["ran"]["outcome"]["response"];
  readonly differences: readonly Difference[];
  readonly items: readonly ItemId[];
}

export interface Verified {
  readonly verdicts: Verdicts;
  readonly breaks: readonly Break[];
  readonly requests: number;
  readonly seconds: number;
  /** Why it ended before its bounds: nothing new was found, or no answer came. */
  readonly ended: "nothing new" | "requests" | "seconds" | "no answer";
  readonly fault?: string;
}

/** Breaks after which the model and the service are too far apart to go on. */
const BREAKS_MAX = 25;

/** Requests that may be made again. */
const REPEATED = 30;

/** Runs until nothing new is found, or a bound is reached. */
export async function verify(plan: Plan, url: URL, options: VerifyOptions): Promise<Verified> {
  const client = new Client(url);
  try {
    return await new Verification(plan, client, options).run();
  } finally {
    client.close();
  }
}

class Verification {
  readonly #client: Client;
  readonly #options: VerifyOptions;
  readonly #plan: Plan;
  readonly #verdicts = new Verdicts();
  readonly #breaks: Break[] = [];
  readonly #exploring: Exploring;
  readonly #evidence: Evidence;
  readonly #began = performance.now();
  #requests = 0;

  constructor(plan: Plan, client: Client, options: VerifyOptions) {
    this.#plan = plan;
    this.#client = client;
    this.#options = options;
    this.#evidence = new Evidence(plan, options.occurring);
    const world = new World(plan, options.settings);
    const began = nowMicros();
    world.start(began, options.given);
    const random = new Random(options.seed);
    const { tag } = options;
    const judge = new Judge(world, tag);
    judge.began(began);
    this.#exploring = { judge, random, tag, seen: new Set(), clock: nowMicros, before: [] };
  }

  get #seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  async run(): Promise<Verified> {
    const { requestsMax, secondsMax } = this.#options;
    try {
      for (;;) {
        if (this.#requests >= requestsMax) return this.#ended("requests");
        if (this.#seconds >= secondsMax) return this.#ended("seconds");
        if (this.#breaks.length >= BREAKS_MAX) return this.#ended("nothing new");
        const next = nextRequests(this.#exploring);
        if (next.length === 0) return this.#ended("nothing new");
        await this.#follow(next);
      }
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      return { ...this.#ended("no answer"), fault: error.message };
    }
  }

  #ended(ended: Verified["ended"]): Verified {
    const { length: _ } = this.#breaks;
    return {
      ended,
      verdicts: this.#verdicts,
      breaks: this.#breaks,
      requests: this.#requests,
      seconds: this.#seconds,
    };
  }

  /** Sends requests in turn, for as long as they come to what was foreseen. */
  async #follow(next: readonly Planned[]): Promise<void> {
    const known = new Map<string, string>();
    for (const { request, made } of next) {
      const sent = this.#real(request, known);
      if (sent === undefined) return;
      const { judgement } = await this.#send(sent);
      if (judgement.is !== "as stated") return;
      const texts = judgement.ran.made;
      if (texts.length !== made.length && made.length > 0) return;
      for (const [i, mark] of made.entries()) known.set(mark, texts[i] ?? mark);
    }
  }

  /** The request with what was made in place of its marks; undefined: nobody has seen all of it. */
  #real(request: Request, known: ReadonlyMap<string, string>): Request | undefined {
    const { method, target, headers, body } = request;
    const { world } = this.#exploring.judge;
    const text = (one: string): string => world.shown(withTexts(one, known));
    const found: Request = {
      method,
      target: text(target),
      headers: headers.map(([name, value]) => [name, text(value)]),
      ...(body === undefined ? {} : { body: text(body) }),
    };
    return isMarked(JSON.stringify(found)) ? undefined : found;
  }

  async #send(request: Request): Promise<{ readonly judgement: Judgement }> {
    const number = ++this.#requests;
    const answer = await this.#client.ask(request);
    const judgement = this.#exploring.judge.judge(request, answer);
    const { ran } = judgement;
    for (const feature of featuresOf(ran)) this.#exploring.seen.add(feature);
    if (judgement.is === "as stated" && request.method !== "GET") {
      const { before } = this.#exploring;
      before.push(request);
      if (before.length > REPEATED) before.shift();
    }
    if (judgement.is === "as stated") this.#verdicts.held(this.#evidence.of(ran), number);
    else if (judgement.is === "broken") {
      const { differences } = judgement;
      const blame = blamed(this.#plan, ran, differences);
      this.#verdicts.broken(blame, number);
      const { response: expected } = ran.outcome;
      this.#breaks.push({ number, request, answer, expected, differences, items: blame });
    } else if (judgement.gap !== undefined) this.#verdicts.unstated([judgement.gap], number);
    this.#options.progress?.(this.#requests, this.#breaks.length);
    return { judgement };
  }
}
