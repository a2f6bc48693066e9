/** A store as the host uses it: a session, and transactions around what is done in it. */
import type { Session } from "../../run/index.ts";
import type { News } from "./job.ts";

export interface Storage {
  readonly session: Session;
  /** 32 random bytes that are made with the store and stay the same. */
  readonly secret: Uint8Array;
  /** Texts that are kept with it under names; to keep one is to write. */
  readonly notes: {
    read(name: string): string | undefined;
    keep(name: string, text: string): void;
  };
  /** `write`: takes the writing lock at once, so that the transaction is serializable. */
  begin(mode: "read" | "write"): void;
  /**
   * Returns when the transaction is durable, for a durable store. A promise: it was cut off from the
   * store, and tells whether it was kept; nothing else is to be written before. `told`: for other
   * nodes.
   */
  commit(told?: Omit<News, "notes">): Promise<boolean> | undefined;
  rollback(): void;
  /** `look` is called now and then while a statement runs: what it throws ends the statement. */
  watch(look: () => void): void;
  /**
   * Equal as long as what is read is the same; undefined where this connection may change it.
   */
  version(): unknown;
  /** Where other nodes write, too: who of them does what nobody asks for. */
  readonly shared?: {
    /** For how many milliseconds another one does, within a transaction that writes; 0: this one. */
    lead(): number;
    /** Whether no other one has done so since this one began to. */
    leads(): boolean;
  };
  /** Hears faults, and tells of the one after which the store is not to be served. */
  readonly loss: { hear(fault: unknown): void; listen(told: (why: string) => void): void };
  close(): void;
}
