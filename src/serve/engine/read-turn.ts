/** The read transaction that the reads of one turn of the event loop share. */
import type { Storage } from "../jobs/storage.ts";

/** To begin and end a transaction costs more than a look-up. */
export class ReadTurn {
  private readonly storage: Storage;
  private isOpen = false;

  constructor(storage: Storage) {
    this.storage = storage;
  }

  run<T>(read: () => T): T {
    if (!this.isOpen) {
      this.storage.begin("read");
      this.isOpen = true;
      setImmediate(() => this.end());
    }
    try {
      return read();
    } catch (fault) {
      this.storage.loss.hear(fault);
      this.end();
      throw fault;
    }
  }

  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.storage.rollback();
  }
}
