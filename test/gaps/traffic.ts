/** The fixed traffic of a document: its `http` blocks, and histories made at random from its plan. */
import { microsOf } from "../../src/cli/trial/play.ts";
import { parseTimestamp } from "../../src/expr/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { type ExampleRequest, parseExample } from "../../src/spec/index.ts";
import { START } from "../histories/history.ts";
import { Random } from "../histories/random.ts";
import { nextStep } from "../histories/requests.ts";
import type { RawRequest } from "../histories/talk.ts";
import { bodyDiffers, filled, headerFits, type Kept } from "../served/answers.ts";
import { bursts } from "./bursts.ts";
import { Coverage } from "./coverage.ts";
import { attempts, coded, failing, goodOf, streaming, together } from "./directed.ts";
import { furtherSessions } from "./further.ts";
import { Guide } from "./guide.ts";
import { type Session, type Step, startPlayer } from "./play.ts";
import { sought } from "./seek.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";

const HISTORIES = 5;
const STEPS = 60;
const SOUGHT_MAX = 3;
const MINUTE = 60_000_000n;

/** The request as bytes, with what earlier answers kept in place of `{{name}}`. */
function rawOf({ method, target, headers, body }: ExampleRequest, kept: Kept): RawRequest {
  const text = body === undefined ? "" : filled(body.text, kept);
  const fields = headers.map(({ name, value }) => [name.text, filled(value.text, kept)] as const);
  const isParts = fields.some(([, value]) => value.startsWith("multipart/"));
  const sent = isParts ? text.replaceAll("\n", "\r\n") : text;
  return {
    method: method.text,
    target: filled(target.text, kept),
    headers: fields,
    body: Buffer.from(sent).toString("latin1"),
  };
}

/** One session for each block: its requests as they are sent once its placeholders are known. */
async function blockSessions(ready: Ready, subject: Subject): Promise<Session[]> {
  const sessions: Session[] = [];
  for (const { text } of ready.plan.examples) {
    const { clock, exchanges, moves } = parseExample(text);
    const stated = clock === undefined ? undefined : parseTimestamp(clock.text);
    const start = typeof stated === "bigint" ? stated : START;
    const steps: Step[] = [];
    const kept: Kept = new Map();
    const player = await startPlayer(ready, subject, { start });
    try {
      for (const [at, { request, response }] of exchanges.entries()) {
        for (const move of moves.filter((one) => one.before === at)) {
          const step: Step = {
            seed: steps.length,
            is: "move",
            micros: microsOf(move.durationText),
          };
          steps.push(step);
          player.move(step);
        }
        const step: Step = { seed: steps.length, is: "request", request: rawOf(request, kept) };
        steps.push(step);
        const answer = await player.ask(step);
        const header = (name: string): string | null =>
          answer.headers.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1] ?? null;
        for (const { name, value } of response.headers) {
          headerFits(value.text, header(name.text), kept);
        }
        if (response.body !== undefined) bodyDiffers(response.body.text, answer.body, kept);
      }
    } finally {
      await player.stop();
    }
    sessions.push({ start, steps });
  }
  return sessions;
}

/** Steps that are likely to succeed: the reference interpreter tells what there is at each. */
function history(ready: Ready, subject: Subject, seed: number): Session {
  const guide = new Guide(ready, subject);
  const random = new Random(seed);
  while (guide.steps.length < STEPS) {
    const step = nextStep({ ...guide.around(), random });
    if (step.is === "request") guide.take(step);
    if (step.is === "move") guide.take({ ...step, micros: BigInt(step.micros) });
  }
  return guide.session;
}

const READS_MAX = 8;

/** After the session the clock runs on, and what can be read is read again. */
function readAgain(session: Session): Session {
  const { steps } = session;
  const reads = new Map(
    steps.flatMap((step) =>
      step.is === "request" && step.request.method === "GET"
        ? [[`${step.request.target} ${step.request.headers.join()}`, step.request] as const]
        : [],
    ),
  );
  const again = [MINUTE, 60n * MINUTE, 31n * 1_440n * MINUTE].flatMap((micros, i): Step[] => [
    { seed: 1_000_000 + i, is: "move", micros },
    ...[...reads.values()].slice(-READS_MAX).map((request, j): Step => {
      return { seed: 1_000_100 + 100 * i + j, is: "request", request };
    }),
  ]);
  return { ...session, steps: [...steps, ...again] };
}

/** Whether anything happens by itself as time passes. */
function hasTimes({ machines, resources, webhooks, streams }: Plan): boolean {
  const timed = machines.some(({ transitions }) =>
    transitions.some(({ on }) => on.is === "time" || on.is === "every" || on.is === "by itself"),
  );
  const kept = resources.some((one) => one.invariants.some(({ kind }) => kind === "kept for"));
  return timed || kept || webhooks.length > 0 || streams.length > 0;
}

export interface TrafficOptions {
  readonly seed: number;
  /** Whether rare answers are searched for, which takes a while. */
  readonly searches: boolean;
}

interface Raw {
  readonly blocks: readonly Session[];
  /** Made at random, with what is likely to succeed. */
  readonly made: readonly Session[];
  /** Made with what has rarely been seen. */
  readonly rare: readonly Session[];
}

async function rawTraffic(
  ready: Ready,
  subject: Subject,
  { seed, searches }: TrafficOptions,
): Promise<Raw> {
  const blocks = await blockSessions(ready, subject);
  const made = Array.from({ length: HISTORIES }, (_, i) => history(ready, subject, seed + i));
  const first = searches ? [...blocks, undefined].slice(-SOUGHT_MAX) : [];
  const rare = first.map((block, i) => sought(ready, subject, { seed: seed + i, block }));
  return { blocks, made, rare };
}

/** The sessions of a document: the same ones for the same seed. */
export async function trafficOf(
  ready: Ready,
  subject: Subject,
  seed: number,
  histories = HISTORIES,
): Promise<readonly Session[]> {
  if (ready.plan.endpoints.length === 0) return [];
  const blocks = await blockSessions(ready, subject);
  const made = Array.from({ length: histories }, (_, i) => history(ready, subject, seed + i));
  return [...blocks, ...made].map(readAgain);
}

/** What goes on behind a session: its clock runs on, messages are tried again. */
async function longer(ready: Ready, subject: Subject, session: Session): Promise<Session> {
  const { plan } = ready;
  const open = plan.streams.length > 0 ? await streaming(ready, subject, session) : session;
  const tried = { ...open, steps: [...open.steps, ...attempts(plan)] };
  return hasTimes(plan) ? readAgain(tried) : tried;
}

async function shortened(ready: Ready, subject: Subject, raw: Raw): Promise<Session[]> {
  const { plan } = ready;
  const coverage = new Coverage(ready, subject);
  const sessions: Session[] = [];
  for (const session of [...raw.made, ...raw.blocks]) {
    const taken = await coverage.taken(session, true);
    if (taken !== undefined) sessions.push(taken);
  }
  for (const session of raw.rare) {
    const taken = await coverage.taken(session, true);
    if (taken !== undefined) {
      const good = await goodOf(ready, subject, taken);
      const steps = [...taken.steps, ...failing(good), ...together(plan, good)];
      sessions.push({ ...taken, steps });
    }
    const said = plan.calls.length === 0 ? undefined : coded(session, 2);
    const told = said && (await coverage.taken(said, false));
    if (told === undefined) continue;
    const good = await goodOf(ready, subject, told);
    sessions.push({ ...told, steps: [...told.steps, ...together(plan, good)] });
  }
  return sessions;
}

/** What a document is judged by: the same for the same seed. */
export interface Traffic {
  /** Shortened: for every clause. */
  readonly short: readonly Session[];
  /** For clauses that nothing of the short traffic comes to: one session after the other. */
  more(): AsyncGenerator<Session>;
}

/** Both kinds of traffic of a document. */
export async function allTraffic(
  ready: Ready,
  subject: Subject,
  options: TrafficOptions,
): Promise<Traffic> {
  if (ready.plan.endpoints.length === 0) return { short: [], more: async function* () {} };
  const raw = await rawTraffic(ready, subject, options);
  const going = (one: Session): Promise<Session> => longer(ready, subject, one);
  const short: Session[] = [];
  for (const one of await shortened(ready, subject, raw)) short.push(await going(one));
  const around = { ready, subject, tried: { seen: new Set<string>(), done: new Set<string>() } };
  return {
    short,
    more: async function* () {
      for (const one of raw.rare) {
        yield await going(one);
        yield* await bursts(around, one, await goodOf(ready, subject, one));
      }
      const { blocks } = raw;
      if (!options.searches) return;
      yield* furtherSessions({ around, seed: options.seed, blocks, longer: going });
    },
  };
}
