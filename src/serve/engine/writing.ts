/** The transactions of an engine that writes: each is kept whole, or nothing of it is. */
import { StorageFault } from "../../store/index.ts";
import type { News } from "../jobs/job.ts";
import type { Storage } from "../jobs/storage.ts";

/** What is to be done around them. */
interface Around {
  /** What other nodes are to look at. */
  told(): Omit<News, "notes">;
  /** A transaction was undone: what is known of it holds no more. */
  undone(fault: unknown): void;
}

export class Writing {
  private readonly storage: Storage;
  private readonly around: Around;

  constructor(storage: Storage, around: Around) {
    this.storage = storage;
    this.around = around;
  }

  /**
   * One transaction; where it fails, nothing of it is kept. A promise: the store was cut off while
   * it was committed, and nothing else is to be written before the end of it is known.
   */
  run<T>(make: () => T, otherwise: () => T, isAgain = false): T | Promise<T> {
    const { storage, around } = this;
    const failed = (fault: unknown): T => {
      around.undone(fault);
      return otherwise();
    };
    try {
      storage.begin("write");
    } catch (fault) {
      storage.rollback();
      const { shared } = storage;
      // Nothing is begun yet: a connection that was lost while nobody used it is made anew.
      if (isAgain || shared?.isAway() !== true) return failed(fault);
      return shared.back().then(() => this.run(make, otherwise, true));
    }
    try {
      const made = make();
      const kept = storage.commit(around.told());
      return kept === undefined ? made : kept.then((is) => (is ? made : failed(CUT_OFF)));
    } catch (fault) {
      storage.rollback();
      return failed(fault);
    }
  }
}

const CUT_OFF = new StorageFault(
  "CUT",
  "the connection to the database was cut while a transaction was committed: it was not kept",
);
