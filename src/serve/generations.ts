/** The documents that one service serves one after the other; one of them takes new requests. */

import type { HostBounds } from "./http/bounds.ts";
import type { Front, Service } from "./http/service.ts";
import type { Reply } from "./jobs/job.ts";
import type { NextDocument, Opened, Renewal } from "./opened.ts";
import { CannotServe } from "./settings/refused.ts";

/** How long new requests may wait for those that have begun, when the document is changed. */
const QUIET_MS = 1_000;

/** The service of one document. */
export interface GenerationService extends Service {
  readonly underWay: UnderWay;
  stop(): void;
}

/** Requests that are begun and not answered. */
export class UnderWay {
  private count = 0;
  private last: (() => void) | undefined;

  /** Gives what takes the answer of a request that begins. */
  begin(done: (reply: Reply) => void): (reply: Reply) => void {
    this.count++;
    return (reply) => {
      this.count--;
      done(reply);
      if (this.count === 0) this.last?.();
    };
  }

  /** Resolves when all are answered, but no later than in so many milliseconds. */
  quiet(withinMs: number): Promise<void> {
    if (this.count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const late = setTimeout(resolve, withinMs);
      this.last = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }
}

export class Generations implements Front {
  opened: Opened;
  current: GenerationService;
  private readonly make: (opened: Opened) => GenerationService;
  private readonly bounds: HostBounds;
  private isTurning = false;

  constructor(opened: Opened, make: (opened: Opened) => GenerationService, bounds: HostBounds) {
    this.opened = opened;
    this.make = make;
    this.bounds = bounds;
    this.current = make(opened);
  }

  get full(): boolean {
    return this.isTurning || this.opened.writer.waiting >= this.bounds.waitingMax;
  }

  stop(): void {
    this.current.stop();
  }

  /** Makes ready for another document, beside the one that is served. */
  async renew(next: NextDocument): Promise<Renewal> {
    const { renew } = this.opened;
    if (renew === undefined) throw new CannotServe(["Another document needs a new start."]);
    return await renew(next);
  }

  /** New requests wait until those that have begun are answered, and begin under the next one. */
  async take(renewal: Renewal): Promise<void> {
    this.isTurning = true;
    try {
      await this.current.underWay.quiet(QUIET_MS);
      const former = { engine: this.opened.engine, service: this.current };
      this.opened = await renewal.take();
      this.current = this.make(this.opened);
      former.service.stop();
      former.engine.close();
    } finally {
      this.isTurning = false;
    }
  }
}

/** Runs one at a time, in their order. */
export function one<T>(act: (given: T) => Promise<void>): {
  run(given: T): Promise<void>;
  ended(): Promise<void>;
} {
  let last: Promise<void> = Promise.resolve();
  return {
    run: (given) => {
      const acted = last.then(() => act(given));
      last = acted.catch(() => {});
      return acted;
    },
    ended: () => last,
  };
}
