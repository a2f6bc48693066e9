/** Serves a plan in memory and plays a session against it; judges nothing. */
import { StepBytes } from "../histories/random.ts";
import type { RawAnswer, RawRequest } from "../histories/talk.ts";
import { serviceOf } from "./service.ts";
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

/** Starts a service. Throws `CannotServe`. */
export async function startPlayer(ready: Ready, subject: Subject, start: bigint): Promise<Player> {
  const bytes = new StepBytes();
  bytes.begin(1);
  const begin = await serviceOf(ready, subject);
  const { clock, connection, stop } = await begin(start, bytes.draw);
  return {
    ask: ({ seed, request }) => {
      bytes.begin(seed);
      return connection.ask(request);
    },
    move: ({ seed, micros }) => {
      bytes.begin(seed);
      clock.move(micros);
    },
    stop,
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
