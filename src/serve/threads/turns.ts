/** Hands long writes to the writer one by one, in turns of the clients, and short ones at once. */
import type { Job, Reply } from "../jobs/job.ts";
import { Lanes, type Presence } from "../jobs/lanes.ts";
import { peerOf } from "../jobs/peer.ts";

/** A body from so many bytes on may be long to read and to write. */
const LONG_BYTES = 32_768;

interface Submitter {
  submit(job: Job, done: (reply: Reply) => void): void;
}

interface Waiting {
  readonly job: Job;
  readonly done: (reply: Reply) => void;
  /** The job is not done. */
  readonly refuse: () => void;
}

/**
 * What is written waits for what is written before it, so that no more than one long job is with
 * the writer: a short one waits for that one alone.
 */
export class WriteTurns {
  private readonly writer: Submitter;
  private readonly lanes: Lanes<Waiting>;
  private isUnderWay = false;

  /** `at`: how the connections are that requests came in on. */
  constructor(writer: Submitter, at: (line: number) => Presence) {
    this.writer = writer;
    this.lanes = new Lanes(at, ({ refuse }) => refuse());
  }

  submit(one: Waiting): void {
    const { job, done } = one;
    // What has called something is done to its end, whoever waits for it.
    const isFree = job.line === undefined || job.replay !== undefined;
    if (isFree || job.bodyBytes < LONG_BYTES) this.writer.submit(job, done);
    else {
      this.lanes.add(peerOf(job.address), job.line, one);
      this.next();
    }
  }

  private next(): void {
    if (this.isUnderWay) return;
    const one = this.lanes.next();
    if (one === undefined) return;
    this.isUnderWay = true;
    this.writer.submit(one.job, (reply) => {
      this.isUnderWay = false;
      one.done(reply);
      this.next();
    });
  }
}
