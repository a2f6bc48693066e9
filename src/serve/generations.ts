/** The documents that one service serves one after the other; one of them takes new requests. */

import type { HostBounds } from "./http/bounds.ts";
import type { Front, Service } from "./http/service.ts";
import type { Reply } from "./jobs/job.ts";
import { MOVED } from "./jobs/moved.ts";
import type { NextDocument, Opened, Renewal } from "./opened.ts";
import { CannotServe } from "./settings/refused.ts";
import type { Writer } from "./threads/writer.ts";

/** How long the document is served on for requests that wait for calls. */
const CALLS_MS = 10_000;
/** How long new requests may wait for those that have begun. */
const QUIET_MS = 1_000;
/** How long what reads the store may read on for requests that have begun. */
const LINGER_MS = 60_000;

/** The service of one document. */
export interface GenerationService extends Service {
  readonly traffic: Traffic;
  /** Ends when nobody waits for an answer that is made apart. */
  stop(): Promise<void>;
}

/** Where what is to be written waits while another document may take the place of its own. */
class Gate {
  private waiting: (() => void)[] | undefined;
  private isLeft = false;

  /** One of both is run: `pass` when the document is served on, `leave` when it is not. */
  enter(pass: () => void, leave: () => void): void {
    if (this.isLeft) leave();
    else if (this.waiting === undefined) pass();
    else this.waiting.push(() => this.enter(pass, leave));
  }

  close(): void {
    this.waiting ??= [];
  }

  /** What waits goes on: under the document, or, where that is left, somewhere else. */
  open(isLeft: boolean): void {
    const all = this.waiting ?? [];
    this.waiting = undefined;
    this.isLeft = isLeft;
    for (const go of all) go();
  }
}

/** Requests that are begun and not answered. */
class UnderWay {
  private count = 0;
  private last = (): void => {};

  /** Gives what takes the answer of a request that begins. */
  begin(done: (reply: Reply) => void): (reply: Reply) => void {
    this.count++;
    return (reply) => {
      this.count--;
      done(reply);
      if (this.count === 0) this.last();
    };
  }

  /** Whoever waits until all are answered waits no longer. */
  hurry(): void {
    this.last();
  }

  /** Resolves when all are answered, but no later than in so many milliseconds. */
  quiet(withinMs: number): Promise<void> {
    if (this.count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const late = setTimeout(resolve, withinMs).unref();
      this.last = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }
}

/** The requests of one document. */
export class Traffic {
  readonly underWay = new UnderWay();
  /** Those among them that wait for calls. */
  readonly calling = new UnderWay();
  readonly gate = new Gate();
}

/**
 * The writer, as long as it writes for this document. What has called something cannot begin again
 * under another one: it fails, and its calls are undone.
 */
export function gated({ writer, engine }: Opened, { gate }: Traffic): Pick<Writer, "submit"> {
  return {
    submit: (job, done) =>
      gate.enter(
        () => writer.submit(job, done),
        () => done(job.replay === undefined ? MOVED : engine.fault(job)),
      ),
  };
}

export class Generations implements Front {
  opened: Opened;
  current: GenerationService;
  private readonly make: (opened: Opened) => GenerationService;
  private readonly bounds: HostBounds;
  /** Those whose requests have not all ended. */
  private readonly former = new Set<GenerationService>();
  isTurning = false;
  private isEnding = false;

  constructor(opened: Opened, make: (opened: Opened) => GenerationService, bounds: HostBounds) {
    this.opened = opened;
    this.make = make;
    this.bounds = bounds;
    this.current = make(opened);
  }

  get full(): boolean {
    return this.opened.writer.waiting >= this.bounds.waitingMax;
  }

  async stop(): Promise<void> {
    await Promise.all([this.current, ...this.former].map((one) => one.stop()));
  }

  /** No further document is taken, and no call is waited for so that one can be. */
  end(): void {
    this.isEnding = true;
    this.current.traffic.calling.hurry();
  }

  /** Makes ready for another document, beside the one that is served. */
  async renew(next: NextDocument): Promise<Renewal> {
    const { renew } = this.opened;
    if (renew === undefined) throw new CannotServe(["Another document needs a new start."]);
    return await renew(next);
  }

  /** New requests wait until those that have begun are answered, and begin under the next one. */
  async take(renewal: Renewal): Promise<void> {
    const { current, opened } = this;
    const { underWay, calling, gate } = current.traffic;
    await calling.quiet(CALLS_MS);
    if (this.isEnding) {
      renewal.drop();
      throw new CannotServe(["The service stops."]);
    }
    this.isTurning = true;
    await underWay.quiet(QUIET_MS);
    gate.close();
    let isLeft = false;
    try {
      this.opened = await renewal.take();
      this.current = this.make(this.opened);
      isLeft = true;
    } finally {
      this.isTurning = false;
      gate.open(isLeft);
    }
    // Reads that take long end where they began.
    this.former.add(current);
    void underWay.quiet(LINGER_MS).then(async () => {
      await current.stop();
      this.former.delete(current);
      opened.engine.close();
    });
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
