/** Tells whoever serves a store that it is no longer the one that was written. */
import { StorageFault } from "../sqlite/fault.ts";

/** Codes after which nothing that is read can be relied on. */
const CODES = /^(LOST|DAMAGED|SQLITE_CORRUPT|SQLITE_NOTADB|SQLITE_IOERR_SHORT_READ)/;

/** Who hears faults, and tells of the one after which the store is not to be served. */
export interface Loss {
  hear(fault: unknown): void;
  /** `told` is called once, with the reason, at once where there is one already. */
  listen(told: (why: string) => void): void;
}

/** The loss of one store. */
export class OwnLoss implements Loss {
  #why: string | undefined;
  #told: ((why: string) => void) | undefined;

  /** Notes a fault, where it is one after which the store is not to be served. */
  hear(fault: unknown): void {
    if (this.#why !== undefined || !(fault instanceof StorageFault)) return;
    if (!CODES.test(fault.code)) return;
    this.#why = fault.message;
    this.#told?.(fault.message);
  }

  listen(told: (why: string) => void): void {
    this.#told = told;
    if (this.#why !== undefined) told(this.#why);
  }
}
