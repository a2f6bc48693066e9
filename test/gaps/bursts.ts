/** Sessions in which something is done again and again, until a limit is passed or it is refused. */
import { type Limit, type Plan, pathText } from "../../src/plan/index.ts";
import type { RawAnswer, RawRequest } from "../histories/talk.ts";
import { type Around, type Good, isRead, upTo } from "./directed.ts";
import { hear, type Player, type Session, type Step, startPlayer } from "./play.ts";
import type { Ready } from "./static.ts";
import { refusedBy, telling } from "./telling.ts";
import { carries, renamed, textsBetween, under } from "./texts.ts";

const AMOUNT_MAX = 6_000;
/** How often something is done that passes no limit that is left. */
const TIMES = 64;
/** How often something wrong is tried again. */
const SPOILT_MAX = 30;
const PLACES_MAX = 6;
/** Behind a refusal time passes: until a window is over, and until what is kept may be gone. */
const WAITS_MICROS: readonly bigint[] = [61_000_000n, 1_860_000_000n];
const WAITS_MAX = 120;
const SEED = 5_000_000;

/** A way to do the same again. */
interface Again {
  readonly name: string;
  readonly isWrong: boolean;
  request(i: number): RawRequest;
}

/** A text, or the name of a member. */
const TEXT = /("(?:[^"\\]|\\.)*")( *:)?/g;

/** A text that no other has; before the sign of an address. */
function numbered(text: string, i: number): string {
  const at = text.includes("@") ? text.indexOf("@") : text.length;
  return `${text.slice(0, at)}${i}${text.slice(at)}`;
}

/** The body with some of its texts changed. */
function edited(body: string, isTaken: (at: number) => boolean, edit: (text: string) => string) {
  let at = 0;
  return body.replaceAll(TEXT, (all, quoted: string, name?: string) =>
    name === undefined && isTaken(at++) ? `"${edit(quoted.slice(1, -1))}"` : all,
  );
}

function* ways(plan: Plan, { request: one, endpoint }: Good): Generator<Again> {
  const { path = [], idempotency } = plan.endpoints[endpoint] ?? {};
  const key = idempotency?.header;
  const field = key?.is === "stated" ? key.value.toLowerCase() : undefined;
  const fresh = (made: RawRequest, i: number): RawRequest => under(made, field, `burst ${i}`);
  yield { name: "same", isWrong: false, request: (i) => fresh(one, i) };
  const places = [...one.body.matchAll(TEXT)].filter(([, , name]) => name === undefined).length;
  const wholes = [
    () => true,
    ...Array.from({ length: places }, (_, own) => (at: number) => at === own),
  ];
  if (!isRead(one) && places > 0) {
    for (const [nth, isTaken] of wholes.slice(0, PLACES_MAX).entries()) {
      yield {
        name: `numbered ${nth}`,
        isWrong: false,
        request: (i) =>
          fresh({ ...one, body: edited(one.body, isTaken, (text) => numbered(text, i)) }, i),
      };
    }
  }
  const [target = "", ...query] = one.target.split("?");
  const segments = target.split("/");
  for (const [nth, segment] of path.toReversed().entries()) {
    const isWhole = "param" in segment && !segment.before && !segment.after && !segment.rest;
    if (!isWhole || isRead(one)) continue;
    const at = segments.length - 1 - nth;
    yield {
      name: `segment ${nth}`,
      isWrong: false,
      request: (i) => {
        const made = segments.with(at, numbered(segments[at] ?? "", i)).join("/");
        return fresh({ ...one, target: [made, ...query].join("?") }, i);
      },
    };
  }
  for (const [nth, isTaken] of wholes.slice(1, PLACES_MAX).entries()) {
    const body = edited(one.body, isTaken, (text) => `${text} `);
    const other = edited(one.body, isTaken, (text) => `x${text}`);
    yield { name: `spoilt ${nth}`, isWrong: true, request: () => ({ ...one, body }) };
    yield { name: `other ${nth}`, isWrong: true, request: () => ({ ...one, body: other }) };
  }
}

/** Amounts of a limit, as its text has them; none where it is past the greatest burst. */
function amountsOf({ amount, counts }: Limit): number[] {
  if (amount.is !== "stated" || counts.is.endsWith(" bytes")) return [];
  const all = [...amount.value.value.text.matchAll(/\d+/g)].map(([digits]) => Number(digits));
  return all.filter((one) => one <= AMOUNT_MAX);
}

/** Whether requests to the endpoint are among those that the limit counts. */
function counts(plan: Plan, { counts: what }: Limit, endpoint: number): boolean {
  const { method, path = [] } = plan.endpoints[endpoint] ?? {};

  if (what.is !== "requests") return method !== "GET";
  return what.endpoint === undefined || what.endpoint === `${method} ${pathText(path)}`;
}

class Bursts {
  readonly made: Session[] = [];
  private readonly around: Around;
  private readonly telling: Ready;
  private seed = SEED;

  constructor(around: Around) {
    this.around = around;
    this.telling = { ...around.ready, plan: telling(around.ready.plan, { ignored: false }) };
  }

  /** How often the endpoint is to be asked, so that each limit that is left is passed. */
  times(endpoint: number): number {
    const { plan } = this.around.ready;
    const left = plan.limits.filter((one) => counts(plan, one, endpoint) && !this.isPassed(one));
    return Math.max(TIMES, ...left.flatMap(amountsOf)) + 1;
  }

  private isPassed({ whenPassed }: Limit): boolean {
    const id = whenPassed.is === "stated" ? (whenPassed.value as { id?: string }).id : undefined;
    return id !== undefined && this.around.tried.seen.has(encodeURIComponent(id));
  }

  private step(request: RawRequest): Extract<Step, { is: "request" }> {
    return { seed: this.seed++, is: "request", request };
  }

  /** Plays what comes before, and then what the run does. */
  async begun(before: Session, run: (round: Round) => Promise<void>): Promise<void> {
    const { subject, tried } = this.around;
    const player = await startPlayer(this.telling, subject, before);
    const steps: Step[] = [...before.steps];
    const ask = async (request: RawRequest): Promise<RawAnswer> => {
      const step = this.step(request);
      steps.push(step);
      const answer = await player.ask(step);
      const gap = refusedBy(answer);
      if (gap !== "" && !tried.seen.has(gap)) {
        tried.seen.add(gap);
        this.made.push({ ...before, steps: [...steps] });
      }
      return answer;
    };
    let waits = 0;
    const wait = (micros: bigint): boolean => {
      if (++waits > WAITS_MAX) return false;
      const step = { seed: this.seed++, is: "move", micros } as const;
      steps.push(step);
      player.move(step);
      return true;
    };
    try {
      for (const step of before.steps) await played(player, step);
      await run({ ask, wait });
    } finally {
      await player.stop();
    }
  }

  /** One request in one way, until it is refused and time does not help. */
  async again(before: Session, one: Good, way: Again): Promise<void> {
    const key = `${one.endpoint} ${way.name}`;
    const { done } = this.around.tried;
    if (done.has(key)) return;
    const times = way.isWrong ? SPOILT_MAX : this.times(one.endpoint);
    await this.begun(before, async (round) => {
      for (let i = 0; i < times; i++) {
        const answer = await asked(round, way.request(i), i > 1 && !way.isWrong);
        if (answer.status >= 400 && !way.isWrong) break;
        if (i > 1) done.add(key);
      }
    });
  }

  /** Something new each time, and then a request that speaks of it. */
  async chained(before: Session, first: Chained, second: Good): Promise<void> {
    const key = `${first.endpoint} ${first.way.name} then ${second.endpoint}`;
    const { done } = this.around.tried;
    if (done.has(key)) return;
    const times = this.times(second.endpoint);
    await this.begun(before, async (round) => {
      for (let i = 0; i < times; i++) {
        const answer = await asked(round, first.way.request(i), i > 1);
        if (answer.status >= 400) break;
        const names = textsBetween(first.answer, answer);
        const next = await asked(round, renamed(second.request, names), i > 1);
        if (next.status >= 400) break;
        if (i > 1) done.add(key);
      }
    });
  }
}

interface Round {
  ask(request: RawRequest): Promise<RawAnswer>;
  wait(micros: bigint): boolean;
}

interface Chained extends Good {
  readonly way: Again;
  readonly answer: RawAnswer;
}

async function played(player: Player, step: Step): Promise<void> {
  if (step.is === "move") player.move(step);
  else await player.ask(step);
}

/** Asks; where it `waits`, once more when time has passed. */
async function asked(
  { ask, wait }: Round,
  request: RawRequest,
  waits: boolean,
): Promise<RawAnswer> {
  let answer = await ask(request);
  for (const micros of waits ? WAITS_MICROS : []) {
    if (answer.status < 400 || !wait(micros)) break;
    answer = await ask(request);
  }
  return answer;
}

/** Sessions that end with a refusal that nothing before them has met. */
export async function bursts(
  around: Around,
  session: Session,
  good: readonly Good[],
): Promise<Session[]> {
  const { plan } = around.ready;
  const all = new Bursts(around);
  for (const one of good) {
    const before = upTo(session, one);
    for (const way of ways(plan, one)) await all.again(before, one, way);
  }
  if (!plan.limits.some((one) => one.counts.is === "rows kept")) return all.made;
  const { answers } = await hear(around.ready, around.subject, session);
  for (const second of good.filter((one) => !isRead(one.request))) {
    for (const first of good) {
      const answer = answers[first.at];
      if (isRead(first.request) || first.at >= second.at || answer === undefined) continue;
      const texts = [...textsBetween(answer, { ...answer, headers: [], body: blank(answer.body) })];
      if (
        !carries(
          second.request,
          texts.map(([own]) => own),
        )
      )
        continue;
      const before = upTo(session, second);
      for (const way of ways(plan, first)) {
        if (way.name.startsWith("numbered"))
          await all.chained(before, { ...first, way, answer }, second);
      }
    }
  }
  return all.made;
}

/** JSON of the same shape with no text that is long. */
const blank = (body: string): string =>
  edited(
    body,
    () => true,
    () => "",
  );
