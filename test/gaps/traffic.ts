/** The fixed traffic of a document: its `http` blocks, and histories made at random from its plan. */
import { microsOf } from "../../src/cli/trial/play.ts";
import { parseTimestamp } from "../../src/expr/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { makeId } from "../../src/run/chance/random.ts";
import { seededRandom } from "../../src/serve/calls/call-run.ts";
import { type ExampleRequest, parseExample } from "../../src/spec/index.ts";
import { START, settingsOf } from "../histories/history.ts";
import { Random, SEED_BYTES, StepBytes } from "../histories/random.ts";
import { type Step as HistoryStep, nextStep } from "../histories/requests.ts";
import { textRows, undelivered } from "../histories/subjects.ts";
import { fieldsSent, type RawRequest } from "../histories/talk.ts";
import { Reference } from "../reference/service.ts";
import type { Outside } from "../reference/work.ts";
import { bodyDiffers, filled, headerFits, type Kept } from "../served/answers.ts";
import { Coverage } from "./coverage.ts";
import { type Session, type Step, startPlayer } from "./play.ts";
import { settingsGiven } from "./service.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";

const HISTORIES = 5;
const STEPS = 60;
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
    const player = await startPlayer(ready, subject, start);
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
  const plan = undelivered(ready.plan);
  const bytes = new StepBytes();
  bytes.begin(1);
  const turn =
    plan.calls.length === 0
      ? undefined
      : () => seededRandom(Buffer.from(bytes.draw(SEED_BYTES)).toString("base64url"));
  const outside: Outside = {
    settings: settingsOf({ plan, settings: settingsGiven(plan, subject) }),
    random: bytes.draw,
    turn,
    idText: (now, random) => makeId({ now, random }),
  };
  const reference = new Reference(plan, outside);
  reference.start(START, subject.rows === undefined ? {} : textRows(subject.rows));
  const random = new Random(seed);
  const before: HistoryStep[] = [];
  const steps: Step[] = [];
  let now = START;
  while (steps.length < STEPS) {
    const step = nextStep({ plan, outside, world: reference.world, now, random, before });
    if (step.is === "restart") continue;
    before.push(step);
    bytes.begin(step.seed);
    if (step.is === "move") {
      now += BigInt(step.micros);
      steps.push({ seed: step.seed, is: "move", micros: BigInt(step.micros) });
      reference.time(now);
      continue;
    }
    steps.push(step);
    const { request } = step;
    const body = Uint8Array.from(Buffer.from(request.body, "latin1"));
    reference.request(
      { ...request, headers: fieldsSent(request), body, address: "127.0.0.1" },
      now,
    );
  }
  return { start: START, steps };
}

const READS_MAX = 8;

/** After the session the clock runs on, and what can be read is read again. */
function readAgain({ start, steps }: Session): Session {
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
  return { start, steps: [...steps, ...again] };
}

/** Whether anything happens by itself as time passes. */
function hasTimes({ machines, resources }: Plan): boolean {
  const timed = machines.some(({ transitions }) =>
    transitions.some(({ on }) => on.is === "time" || on.is === "every" || on.is === "by itself"),
  );
  return timed || resources.some((one) => one.invariants.some(({ kind }) => kind === "kept for"));
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

/**
 * Sessions in which each request shows something that those before it do not: another endpoint,
 * status, refusal, failure row or member. Requests are varied in every way that the plan knows of.
 */
export async function shortTrafficOf(
  ready: Ready,
  subject: Subject,
  seed: number,
): Promise<readonly Session[]> {
  if (ready.plan.endpoints.length === 0) return [];
  const blocks = await blockSessions(ready, subject);
  const made = Array.from({ length: HISTORIES }, (_, i) => history(ready, subject, seed + i));
  const coverage = new Coverage(ready, subject);
  const sessions: Session[] = [];
  for (const session of [...made, ...blocks]) {
    const taken = await coverage.taken(session, true);
    if (taken !== undefined) sessions.push(taken);
  }
  return hasTimes(ready.plan) ? sessions.map(readAgain) : sessions;
}
