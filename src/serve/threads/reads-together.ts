/** Reads that came in one turn of the event loop, or while those before were read: together. */
import type { Job, Reply } from "../jobs/job.ts";

/** Gives a reply, or throws; undefined: the writer is to do the job. */
type Read = () => Reply | undefined;

/** A job, and who is told how it was read: what gives its reply, and how long it took. */
interface Waiting {
  readonly job: Job;
  take(read: Read, ms: number): void;
}

export class ReadsTogether {
  private readonly together: (jobs: readonly Job[]) => Promise<readonly Read[]>;
  private waiting: Waiting[] = [];
  /** Whether some are read, or are going to be in this turn. */
  private isUnderWay = false;

  /** `together`: reads several jobs at once; it is called when those before are read. */
  constructor(together: (jobs: readonly Job[]) => Promise<readonly Read[]>) {
    this.together = together;
  }

  add(one: Waiting): void {
    this.waiting.push(one);
    this.begin();
  }

  private begin(): void {
    if (this.isUnderWay || this.waiting.length === 0) return;
    this.isUnderWay = true;
    setImmediate(() => void this.read());
  }

  private async read(): Promise<void> {
    const { waiting } = this;
    this.waiting = [];
    const startMs = performance.now();
    const reads = await this.together(waiting.map(({ job }) => job));
    const ms = (performance.now() - startMs) / waiting.length;
    this.isUnderWay = false;
    this.begin();
    for (const [at, { take }] of waiting.entries()) take(reads[at] ?? (() => undefined), ms);
  }
}
