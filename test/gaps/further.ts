/**
 * Traffic for clauses to which nothing else has come: sessions that are searched for by other seeds,
 * each with code behind its calls, with all variations of what is well, and with bursts.
 */
import type { RawRequest } from "../histories/talk.ts";
import { bursts } from "./bursts.ts";
import { codedUntilWell } from "./coded.ts";
import { type Around, type Good, goodOf, isRead, upTo } from "./directed.ts";
import { edited } from "./edited.ts";
import { done, type Session, type Step, startPlayer } from "./play.ts";
import { sought } from "./seek.ts";
import { under } from "./texts.ts";
import { readableOf, variationsOf } from "./variations.ts";

/** How often a session is searched for from each block, and from nothing. */
const ROUNDS = 4;
const SEEDS_APART = 1_000;
const SEED = 7_000_000;
const BLOCK_ROUNDS = 6;
const WAIT_MICROS = 61_000_000n;
const CREDENTIALS = /^(authorization|cookie|x-.*key|x-person)$/i;
const CALLERS_MAX = 4;

export interface Further {
  readonly around: Around;
  readonly seed: number;
  /** The `http` blocks of the document. */
  readonly blocks: readonly Session[];
  /** What goes on behind a session. */
  readonly longer: (session: Session) => Promise<Session>;
}

/** So many answers alike behind one that was well: nothing can be told any more. */
const ALIKE_MAX = 8;
/** How often all is begun again for one request. */
const BEGUN_MAX = 12;

/** A request that is well in all its variations, at the moment at which it is well. */
async function* varied(
  { ready, subject }: Around,
  before: Session,
  { request, endpoint }: Good,
  credentials: readonly RawRequest["headers"][],
): AsyncGenerator<Session> {
  const { plan } = ready;
  const key = plan.endpoints[endpoint]?.idempotency?.header;
  const field = key?.is === "stated" ? key.value.toLowerCase() : undefined;
  const own = request.headers.find(([name]) => name.toLowerCase() === field)?.[1];
  const all = [...variationsOf(plan, request, readableOf(plan, endpoint), credentials)];
  let seed = SEED;
  let at = 0;
  for (let begun = 0; begun < BEGUN_MAX && at < all.length; begun++) {
    const player = await startPlayer(ready, subject, before);
    const steps: Step[] = [...before.steps];
    const take = async (step: Step) => {
      steps.push(step);
      return await done(player, step, ready);
    };
    let wasWell = false;
    let alike = 0;
    let last = "";
    try {
      for (const step of before.steps) await done(player, step, ready);
      for (; at < all.length && alike < ALIKE_MAX; at++) {
        const one = all[at] ?? request;
        // What is well once would be answered again under its key.
        const isKeyed = own !== undefined && one.headers.some(([, value]) => value === own);
        const made = isKeyed ? under(one, field, `varied ${seed}`) : one;
        const answer = await take({ seed: seed++, is: "request", request: made });
        if (answer === undefined) continue;
        if (answer.status === 429) {
          await take({ seed: seed++, is: "move", micros: WAIT_MICROS });
          await take({ seed: seed++, is: "request", request: made });
          continue;
        }
        wasWell ||= answer.status < 300 && !isRead(made);
        const told = `${answer.status} ${answer.body}`;
        alike = wasWell && answer.status >= 400 && told === last ? alike + 1 : 0;
        last = told;
      }
    } finally {
      await player.stop();
    }
    yield { ...before, steps };
    if (alike === ALIKE_MAX) at -= ALIKE_MAX;
  }
}

function callersIn(good: readonly Good[]): RawRequest["headers"][] {
  const all = good.map(({ request }) =>
    JSON.stringify(request.headers.filter(([name]) => CREDENTIALS.test(name))),
  );
  return [...new Set(all)].slice(0, CALLERS_MAX).map((text) => JSON.parse(text));
}

/** What comes of one session that has been found. */
async function* around(
  session: Session,
  { around: all, longer }: Further,
): AsyncGenerator<Session> {
  const { ready, subject } = all;
  yield await longer(session);
  const good = await goodOf(ready, subject, session);
  if (ready.plan.calls.length > 0) {
    yield await longer(await codedUntilWell(ready, subject, session, 2));
  }
  yield* await bursts(all, session, good);
  yield* await edited(all, session);
  const credentials = callersIn(good);
  for (const one of good.toSorted(
    (a, b) => Number(isRead(a.request)) - Number(isRead(b.request)),
  )) {
    yield* varied(all, upTo(session, one), one, credentials);
  }
}

/** One session after the other, the same ones for the same seed. */
export async function* furtherSessions(further: Further): AsyncGenerator<Session> {
  const { seed, blocks, around: all } = further;
  const { ready, subject } = all;
  if (ready.plan.calls.length > 0) {
    for (const block of blocks) yield await codedUntilWell(ready, subject, block, BLOCK_ROUNDS);
  }
  for (const block of blocks) yield* around(block, further);
  const begins = [undefined, ...blocks];
  for (let round = 1; round <= ROUNDS; round++) {
    const own = seed + round * SEEDS_APART;
    const block = begins[round % begins.length];
    yield* around(sought(ready, subject, { seed: own, block }), further);
  }
}
