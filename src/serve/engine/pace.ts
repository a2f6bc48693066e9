/** Ends what a request does in the store: past its time, or where too much of it is to be read. */
import { isGivenUp, machineMs } from "../jobs/deadlines.ts";
import type { Job, Reply } from "../jobs/job.ts";
import type { Limits } from "../limits/limits.ts";

/**
 * Steps of the store (32 rows each, on average) that a read takes in a thread on which
 * others wait: about 4,000 rows, some milliseconds.
 */
const STEPS_BESIDE_OTHERS = 128;
/** The same for one statement of a store that is asked over a connection, in milliseconds. */
const STATEMENT_MS_BESIDE_OTHERS = 100;
/** The machine's time is asked once in so many steps. */
const STEPS_A_LOOK = 8;

/** No reply yet: the job is to be read where nobody waits for it. */
export const ELSEWHERE: Reply = { status: 0, headers: [], body: undefined, elsewhere: true };

/** Ends a statement; what it was for is asked of `Pace`. */
class Ended extends Error {}

/** One thread's: it runs one job at a time. */
export class Pace {
  /** Why the job that runs was ended; undefined: it was not. */
  ended: "elsewhere" | "late" | undefined;
  private readonly timeMs: number | undefined;
  private job: Job | undefined;
  private left = 0;
  private isBesideOthers = false;

  constructor({ time }: Limits) {
    this.timeMs = time && Number(time.micros) / 1000;
  }

  /** Runs a job; where `isBesideOthers`, only so far as nobody else waits long for it. */
  run<T>(job: Job, isBesideOthers: boolean, run: () => T): T {
    this.job = job;
    this.ended = undefined;
    this.isBesideOthers = isBesideOthers;
    this.left = isBesideOthers ? STEPS_BESIDE_OTHERS : Number.MAX_SAFE_INTEGER;
    try {
      return run();
    } finally {
      this.job = undefined;
    }
  }

  /**
   * Called by the store while a statement runs, and where one has run for too long. What answers
   * the end of a job is not ended.
   */
  look(wasLong = false): void {
    if (this.job === undefined || this.ended !== undefined) return;
    this.left -= 1;
    const isPast = this.left < 0 || (wasLong && this.isBesideOthers);
    const isAsked = wasLong || this.left % STEPS_A_LOOK === 0;
    if (isPast) this.ended = "elsewhere";
    else if (isAsked && this.isLate(this.job)) this.ended = "late";
    if (this.ended !== undefined) throw new Ended("the request is ended");
  }

  private isLate(job: Job): boolean {
    if (isGivenUp(job)) return true;
    const { timeMs } = this;
    return timeMs !== undefined && job.begunMs !== undefined && machineMs() - job.begunMs > timeMs;
  }
}

/** Looks at all of a store, of which one runs a job at most. */
export function lookAt(all: readonly Pace[]): (wasLong?: boolean) => void {
  return (wasLong) => {
    for (const one of all) one.look(wasLong);
  };
}

interface Reader {
  readonly limits: Pick<Limits, "time">;
  readonly isAlone: boolean;
}

/** How long one statement of a read may run, where nobody can look meanwhile; 0: without end. */
export function statementMsOf({ limits: { time }, isAlone }: Reader): number {
  if (!isAlone) return STATEMENT_MS_BESIDE_OTHERS;
  return time === undefined ? 0 : Math.ceil(Number(time.micros) / 1000);
}
