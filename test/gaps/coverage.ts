/** Takes of a long session what shows something new: the rest would cost time for nothing. */
import { withStreams } from "../../src/plan/index.ts";
import { compile } from "../../src/run/index.ts";
import type { RawAnswer, RawRequest } from "../histories/talk.ts";
import { type Player, type Session, type Step, startPlayer } from "./play.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";
import { refusedBy, telling } from "./telling.ts";
import { readableOf, variationsOf } from "./variations.ts";

type Asked = Extract<Step, { is: "request" }>;

function* membersOf(value: unknown, path: string): Generator<string> {
  if (Array.isArray(value)) {
    yield `${path}[${Math.min(value.length, 2)}]`;
    for (const one of value.slice(0, 3)) yield* membersOf(one, `${path}[]`);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, one] of Object.entries(value)) yield* membersOf(one, `${path}.${name}`);
  } else if (typeof value === "string") {
    yield `${path}=${/^[a-z_]{2,16}$/.test(value) ? value : "text"}`;
  } else yield `${path}=${typeof value === "number" ? Math.sign(value) : String(value)}`;
}

/** What an answer shows: its kind, the members that it has, why it is refused. */
export function* shown(where: string, { status, headers, body }: RawAnswer): Generator<string> {
  yield `${where} ${status} ${headers.map(([name]) => name.toLowerCase()).sort()}`;
  if (status >= 400) {
    yield `${where} ${status} ${body.replaceAll(/[\w-]{16,}/g, "id").replaceAll(/\d+/g, "0")}`;
    return;
  }
  try {
    for (const one of membersOf(JSON.parse(body), "")) yield `${where} ${status} ${one}`;
  } catch {
    yield `${where} ${status} ${body.slice(0, 40)}`;
  }
}

interface Taken {
  readonly step: Step;
  readonly isNew: boolean;
  /** What follows may hang on it. */
  readonly hasEffect: boolean;
}

const WAIT_MICROS = 61_000_000n;
const CREDENTIALS = /^(authorization|cookie|x-api-key)$/i;
const SEED = 2_000_000;
/** Fields of a request that decide on an answer, though it may look like others. */
const UNUSUAL = /^(origin|access-control-.*|if-.*|content-encoding|last-event-id)$/;

/** Plays what is worth it, and remembers what has been seen. */
export class Coverage {
  private readonly ready: Ready;
  private readonly subject: Subject;
  private readonly telling: Ready;
  private readonly match: ReturnType<typeof compile>["match"];
  private readonly seen = new Set<string>();

  constructor(ready: Ready, subject: Subject) {
    this.ready = ready;
    this.subject = subject;
    this.telling = { ...ready, plan: telling(ready.plan, { ignored: true }) };
    this.match = compile(withStreams(ready.plan)).match;
  }

  private where({ method, target }: RawRequest): string {
    const found = this.match(method, target.split("?", 1)[0] ?? "");
    return found.is === "endpoint" ? `${found.endpoint} ${method}` : found.is;
  }

  /** Whether answers show what none before has shown. */
  private isNew(request: RawRequest, answer: RawAnswer, why: RawAnswer): boolean {
    const where = this.where(request);
    const gap = refusedBy(why);
    const before = this.seen.size;
    for (const one of shown(where, answer)) this.seen.add(one);
    if (answer.status >= 400) {
      for (const one of shown(`${where} ${gap}`, answer)) this.seen.add(one);
    } else if (gap !== "") this.seen.add(`${where} ${gap}`);
    const names = request.headers.map(([name]) => name.toLowerCase());
    this.seen.add(`${where} ${names.filter((name) => UNUSUAL.test(name)).join()}`);
    return this.seen.size > before;
  }

  /** The session and what varies its requests, without what shows nothing new. */
  async taken(session: Session, varied: boolean): Promise<Session | undefined> {
    const { steps } = session;
    const player = await startPlayer(this.ready, this.subject, session);
    const telling = await startPlayer(this.telling, this.subject, session);
    try {
      const all: Taken[] = [];
      const good = new Map<string, RawRequest>();
      for (const step of steps) {
        const answer = await this.take(player, telling, step, all);
        if (step.is !== "request" || answer === undefined || answer.status >= 300) continue;
        good.set(this.where(step.request), step.request);
      }
      if (varied) await this.vary(player, telling, [...good.values()], all);
      const last = all.findLastIndex((one) => one.isNew);
      const needed = all.slice(0, last + 1).filter((one) => one.isNew || one.hasEffect);
      return last < 0 ? undefined : { ...session, steps: needed.map((one) => one.step) };
    } finally {
      await player.stop();
      await telling.stop();
    }
  }

  private async take(
    player: Player,
    telling: Player,
    step: Step,
    all: Taken[],
  ): Promise<RawAnswer | undefined> {
    if (step.is === "move") {
      player.move(step);
      telling.move(step);
      all.push({ step, isNew: false, hasEffect: true });
      return undefined;
    }
    const answer = await player.ask(step);
    const why = await telling.ask(step);
    const { method } = step.request;
    const hasEffect = answer.status < 300 && !["GET", "HEAD", "OPTIONS"].includes(method);
    const isNew = this.isNew(step.request, answer, why) || step.keeps === true;
    all.push({ step, isNew, hasEffect });
    return answer;
  }

  private async vary(
    player: Player,
    telling: Player,
    good: readonly RawRequest[],
    all: Taken[],
  ): Promise<void> {
    const { plan } = this.ready;
    let seed = SEED;
    const credentials = [...new Set(good.map((one) => this.credentials(one)))]
      .map((text) => JSON.parse(text) as RawRequest["headers"])
      .slice(0, 6);
    for (const request of good) {
      const found = this.match(request.method, request.target.split("?", 1)[0] ?? "");
      if (found.is !== "endpoint") continue;
      const reads = readableOf(plan, found.endpoint);
      for (const one of variationsOf(plan, request, reads, credentials)) {
        const step: Asked = { seed: seed++, is: "request", request: one };
        const answer = await this.take(player, telling, step, all);
        // Past a limit nothing else is seen before its window has passed.
        if (answer?.status !== 429) continue;
        await this.take(player, telling, { seed: seed++, is: "move", micros: WAIT_MICROS }, all);
        await this.take(player, telling, { ...step, seed: seed++ }, all);
      }
    }
  }

  private credentials({ headers }: RawRequest): string {
    return JSON.stringify(headers.filter(([name]) => CREDENTIALS.test(name)));
  }
}
