/** Serves a plan in memory and plays a session against it; judges nothing. */
import type { Plan } from "../../src/plan/index.ts";
import { movableClock, serve } from "../../src/serve/index.ts";
import { StepBytes } from "../histories/random.ts";
import { undelivered } from "../histories/subjects.ts";
import { type RawAnswer, type RawRequest, Talker } from "../histories/talk.ts";
import { settingsFor } from "../served/example.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";

/** A request, or a move of the clock; the seed decides on all random bytes of the step. */
export type Step = { readonly seed: number } & (
  | { readonly is: "move"; readonly micros: bigint }
  | { readonly is: "request"; readonly request: RawRequest }
);

export interface Session {
  /** Microseconds since 1970. */
  readonly start: bigint;
  readonly steps: readonly Step[];
}

/** One service: requests and moves of the clock, one after the other. */
export interface Player {
  ask(step: Extract<Step, { is: "request" }>): Promise<RawAnswer>;
  move(step: Extract<Step, { is: "move" }>): void;
  stop(): Promise<void>;
}

/** What the operator gives for each setting. */
export function settingsGiven(plan: Plan, { environment = {} }: Subject): Record<string, string> {
  const given = plan.about.settings.flatMap(({ name }) => {
    const text = environment[`LACUNA_SETTING_${name.toUpperCase()}`];
    return text === undefined ? [] : [[name, text] as const];
  });
  return { ...settingsFor(plan), ...Object.fromEntries(given) };
}

/** Starts a service. Throws `CannotServe`. */
export async function startPlayer(ready: Ready, subject: Subject, start: bigint): Promise<Player> {
  const plan = undelivered(ready.plan);
  const clock = movableClock(start);
  const bytes = new StepBytes();
  bytes.begin(1);
  const running = await serve(plan, {
    memory: true,
    clock,
    random: bytes.draw,
    settings: settingsGiven(plan, subject),
    startRows: subject.rows,
    environment: {},
    standIns: true,
    origins: ready.origins,
  });
  const talker = new Talker(running.port);
  return {
    ask: ({ seed, request }) => {
      bytes.begin(seed);
      return talker.ask(request);
    },
    move: ({ seed, micros }) => {
      bytes.begin(seed);
      clock.move(micros);
    },
    stop: async () => {
      talker.close();
      await running.stop();
    },
  };
}

/** The answer to each request of a session; nothing for a move of the clock. */
export type Answers = readonly (RawAnswer | undefined)[];

/** Plays a session; the steps of `without` are left out, and have no answer. */
export async function play(
  ready: Ready,
  subject: Subject,
  session: Session,
  without: ReadonlySet<number> = new Set(),
): Promise<Answers> {
  const player = await startPlayer(ready, subject, session.start);
  const answers: (RawAnswer | undefined)[] = [];
  try {
    for (const [at, step] of session.steps.entries()) {
      if (step.is === "move") player.move(step);
      answers.push(step.is === "move" || without.has(at) ? undefined : await player.ask(step));
    }
    return answers;
  } finally {
    await player.stop();
  }
}
