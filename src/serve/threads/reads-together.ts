/** Reads that came in one turn of the event loop, where a store is asked for them together. */
import type { Job, Reply } from "../jobs/job.ts";

/** Gives a reply, or throws; undefined: the writer is to do the job. */
type Read = () => Reply | undefined;

/** A job, and who is told how it was read: what gives its reply, and how long it took. */
interface Waiting {
  readonly job: Job;
  take(read: Read, ms: number): void;
}

export class ReadsTogether {
  private readonly together: (jobs: readonly Job[]) => readonly Read[];
  private waiting: Waiting[] = [];

  /** `together`: reads several jobs at once. */
  constructor(together: (jobs: readonly Job[]) => readonly Read[]) {
    this.together = together;
  }

  add(one: Waiting): void {
    if (this.waiting.push(one) === 1) setImmediate(() => this.read());
  }

  private read(): void {
    const { waiting } = this;
    this.waiting = [];
    const startMs = performance.now();
    const reads = this.together(waiting.map(({ job }) => job));
    const ms = (performance.now() - startMs) / waiting.length;
    for (const [at, { take }] of waiting.entries()) take(reads[at] ?? (() => undefined), ms);
  }
}
