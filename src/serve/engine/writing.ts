/** The transactions of an engine that writes: each is kept whole, or nothing of it is. */
import { StorageFault } from "../../store/index.ts";
import type { News } from "../jobs/job.ts";
import type { Storage } from "../jobs/storage.ts";

type Shared = NonNullable<Storage["shared"]>;

/** What is to be done around them. */
interface Around {
  /** What other nodes are to look at. */
  told(): Omit<News, "notes">;
  /** A transaction was undone: what is known of it holds no more. */
  undone(fault: unknown): void;
}

interface Work<T> {
  make(): T;
  otherwise(): T;
  readonly begun: (() => Promise<void> | undefined) | undefined;
}

export class Writing {
  private readonly storage: Storage;
  private readonly around: Around;

  constructor(storage: Storage, around: Around) {
    this.storage = storage;
    this.around = around;
  }

  /**
   * One transaction; where it fails, nothing of it is kept. A promise where others write, too:
   * nothing else is to be written before its end. `begun`: what is done before in it.
   */
  run<T>(
    make: () => T,
    otherwise: () => T,
    begun?: () => Promise<void> | undefined,
  ): T | Promise<T> {
    const { storage } = this;
    if (storage.shared !== undefined) {
      return this.shared(storage.shared, { make, otherwise, begun });
    }
    try {
      storage.begin("write");
      begun?.();
      const made = make();
      storage.commit();
      return made;
    } catch (fault) {
      storage.rollback();
      return this.failed(fault, otherwise);
    }
  }

  private async shared<T>(shared: Shared, { make, otherwise, begun }: Work<T>): Promise<T> {
    const { storage, around } = this;
    try {
      await this.begun(shared);
      await begun?.();
      const made = make();
      if (await shared.commit(around.told())) return made;
    } catch (fault) {
      storage.rollback();
      return this.failed(fault, otherwise);
    }
    return this.failed(CUT_OFF, otherwise);
  }

  /** A connection that was lost while nobody used it is made anew. */
  private async begun(shared: Shared): Promise<void> {
    try {
      await shared.begin();
    } catch (fault) {
      this.storage.rollback();
      if (!shared.isAway()) throw fault;
      await shared.back();
      await shared.begin();
    }
  }

  private failed<T>(fault: unknown, otherwise: () => T): T {
    this.around.undone(fault);
    return otherwise();
  }
}

const CUT_OFF = new StorageFault(
  "CUT",
  "the connection to the database was cut while a transaction was committed: it was not kept",
);
