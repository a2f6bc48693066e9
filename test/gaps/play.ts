/** Serves a plan in memory and plays a session against it; judges nothing. */
import type { Value } from "../../src/run/index.ts";
import { StepBytes } from "../histories/random.ts";
import type { RawAnswer, RawRequest } from "../histories/talk.ts";
import { serviceOf } from "./service.ts";
import type { Ready } from "./static.ts";
import type { Subject } from "./subjects.ts";

/** Another value in a field of a row that is kept: an earlier version may have let it in. */
export interface RowEdit {
  readonly resource: string;
  readonly key: number;
  readonly field: string;
  readonly value: Value;
}

/** A request, or a move of the clock; the seed decides on all random bytes of the step. */
export type Step = { readonly seed: number } & (
  | { readonly is: "move"; readonly micros: bigint }
  | {
      readonly is: "request";
      readonly request: RawRequest;
      /** The store fails when the request is to be kept. */
      readonly fails?: true;
      /** Its calls are answered when the next step is done: so that both run at once. */
      readonly waits?: true;
      /** It shows what no answer tells. */
      readonly keeps?: true;
      /** Its answer is a stream, which goes on while others are answered. */
      readonly opens?: true;
    }
);

type Asking = Extract<Step, { is: "request" }>;

export interface Session {
  /** Microseconds since 1970. */
  readonly start: bigint;
  readonly steps: readonly Step[];
  /** What is written into a row behind so many steps. */
  readonly edit?: { readonly behind: number; readonly rows: readonly RowEdit[] };
  /** Whether code answers calls, now one word, now another; else stand-ins do. */
  readonly code?: true;
}

/** What a service tells besides answers: messages that it sends, and lines of its log. */
export interface Beside {
  /** Each message as text: method, address, header fields and body. */
  readonly sent: readonly string[];
  /** `gap ID FILE:LINE:COLUMN` and others. */
  readonly notes: readonly string[];
}

/** One service: requests and moves of the clock, one after the other. */
export interface Player {
  ask(step: Asking): Promise<RawAnswer>;
  /** Whether the last request, which was to fail, has not come to the store. */
  isSpared(): boolean;
  /** Calls are held back from now on; resolves when one is made. */
  hold(): Promise<void>;
  /** Calls that are held back are answered. */
  go(): void;
  move(step: Extract<Step, { is: "move" }>): void;
  edit(edit: RowEdit): void;
  /** What is done to rows from here on, until `undo` undoes it. */
  mark(): void;
  undo(): void;
  /** Other values that rows may have now. */
  edits(): readonly RowEdit[];
  /** Values by which rows fall due at once: for each transition on time the rows that it takes. */
  dueEdits(): readonly (readonly RowEdit[])[];
  /** What was told since this was last asked; messages that are due are delivered. */
  beside(step: Step): Promise<Beside>;
  stop(): Promise<void>;
}

export interface PlayOptions {
  readonly start: bigint;
  readonly code?: true | undefined;
  /** No message is delivered. */
  readonly quiet?: boolean;
}

/** Deliveries draw random bytes of their own, whatever the step before them drew. */
const DELIVERING = 1_000_003;

/** Starts a service. Throws `CannotServe`. */
export async function startPlayer(
  ready: Ready,
  subject: Subject,
  { start, code, quiet = false }: PlayOptions,
): Promise<Player> {
  const bytes = new StepBytes();
  bytes.begin(1);
  const begin = await serviceOf(ready, subject, code === true);
  const begun = await begin(start, bytes.draw);
  return {
    ask: ({ seed, request, fails, waits, opens }) => {
      bytes.begin(seed);
      begun.script.begin(seed);
      begun.fail(fails === true);
      return begun.ask(request, waits === true || opens === true);
    },
    move: ({ seed, micros }) => {
      bytes.begin(seed);
      begun.script.begin(seed);
      begun.clock.move(micros);
    },
    edit: begun.edit,
    mark: begun.mark,
    undo: begun.undo,
    edits: begun.edits,
    dueEdits: begun.dueEdits,
    isSpared: () => begun.failing(),
    hold: () => begun.script.hold(),
    go: () => begun.script.go(),
    beside: async ({ seed }) => {
      bytes.begin(seed + DELIVERING);
      return await begun.beside(quiet);
    },
    stop: begun.stop,
  };
}

/** The answer to each request of a session; nothing for a move of the clock. */
export type Answers = readonly (RawAnswer | undefined)[];

/** Answers, and what was told besides behind each step. */
export interface Heard {
  readonly answers: Answers;
  readonly beside: readonly Beside[];
  /** Steps for which the store was to fail, and that did not come to it. */
  readonly spared: ReadonlySet<number>;
}

/** How a session is played once more. */
export interface Changed {
  /** Steps that are left out, and have no answer. */
  readonly without?: ReadonlySet<number>;
  /** No message is delivered. */
  readonly quiet?: boolean;
  /** Steps for which the store does not fail. */
  readonly spared?: ReadonlySet<number>;
}

/** Answers of a session; the steps of `without` are left out. */
export async function play(
  ready: Ready,
  subject: Subject,
  session: Session,
  without: ReadonlySet<number> = new Set(),
): Promise<Answers> {
  return (await hear(ready, subject, session, { without })).answers;
}

const TURNS = 4;

/** Lets the service get as far as it can by itself. */
async function turns(): Promise<void> {
  for (let i = 0; i < TURNS; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** Does one step, and what follows it by itself, as in a session in which nothing else goes on. */
export async function done(
  player: Player,
  step: Step,
  { plan }: Ready,
): Promise<RawAnswer | undefined> {
  if (step.is === "move" && plan.streams.length > 0) await turns();
  if (step.is === "move") player.move(step);
  const answer = step.is === "request" ? await player.ask(step) : undefined;
  if (plan.calls.length > 0) await turns();
  await player.beside(step);
  return answer;
}

/** Plays a session. */
export async function hear(
  ready: Ready,
  subject: Subject,
  session: Session,
  { without = new Set(), quiet = false, spared = new Set() }: Changed = {},
): Promise<Heard> {
  const player = await startPlayer(ready, subject, { ...session, quiet });
  const hasCalls = ready.plan.calls.length > 0;
  const answers: (RawAnswer | undefined)[] = [];
  const beside: Beside[] = [];
  const waiting: Promise<unknown>[] = [];
  const own = new Set<number>();
  const asked = async ({ fails, ...step }: Asking, at: number): Promise<void> => {
    const isFailing = fails === true && !spared.has(at);
    answers[at] = await player.ask(isFailing ? { ...step, fails } : step);
    if (isFailing && player.isSpared()) own.add(at);
  };
  try {
    for (const [at, step] of session.steps.entries()) {
      const { behind, rows = [] } = session.edit ?? {};
      if (behind === at) for (const one of rows) player.edit(one);
      if (step.is === "request" && step.waits) {
        const called = player.hold();
        if (!without.has(at)) {
          const answer = asked(step, at);
          waiting.push(answer);
          // What follows comes when it has called, or is answered; where nothing calls, at once.
          if (hasCalls) await Promise.race([called, answer]);
        }
        beside.push({ sent: [], notes: [] });
        continue;
      }
      // Streams write what has happened before its time is over.
      if (step.is === "move" && ready.plan.streams.length > 0) await turns();
      if (step.is === "move") player.move(step);
      else if (!without.has(at)) waiting.push(asked(step, at));
      // Whoever comes meanwhile is judged before the first goes on.
      if (waiting.length > 1 || (waiting.length > 0 && step.is === "move")) await turns();
      player.go();
      await Promise.all(waiting.splice(0));
      if (hasCalls) await turns();
      beside.push(await player.beside(step));
    }
    // What streams still have to write of the last step.
    await turns();
    answers.length = session.steps.length;
    return { answers, beside, spared: own };
  } finally {
    await player.stop();
  }
}
