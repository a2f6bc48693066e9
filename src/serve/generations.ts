/** The documents that one service serves one after the other; one of them takes new requests. */
import type { NextDocument, Opened, Renewal } from "./host.ts";
import type { HostBounds } from "./http/bounds.ts";
import type { Front, Service } from "./http/service.ts";
import { CannotServe } from "./settings/refused.ts";

/** How long new requests may wait for those that have begun, when the document is changed. */
const QUIET_MS = 1_000;

/** The service of one document. */
export interface GenerationService extends Service {
  crowd(isCrowded: boolean): void;
  /** Whether jobs wait for their answers. */
  readonly isBusy: boolean;
  /** Told once when no job waits any more. */
  onQuiet(run: () => void): void;
  stop(): void;
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

  crowd(isCrowded: boolean): void {
    this.current.crowd(isCrowded);
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
      await quiet(this.current, QUIET_MS);
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

/** Waits until no job waits, but no longer than so many milliseconds. */
function quiet(service: GenerationService, withinMs: number): Promise<void> {
  if (!service.isBusy) return Promise.resolve();
  return new Promise((resolve) => {
    const late = setTimeout(resolve, withinMs);
    service.onQuiet(() => {
      clearTimeout(late);
      resolve();
    });
  });
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
