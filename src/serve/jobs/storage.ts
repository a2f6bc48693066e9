/** A store as the host uses it: a session, and transactions around what is done in it. */
import type { Session } from "../../run/index.ts";
import type { Attempt, Lead, Ran } from "../../store/index.ts";
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
  /** Returns when the transaction is durable, for a durable store. */
  commit(): void;
  rollback(): void;
  /**
   * `look` is called now and then while a statement runs, or between statements: what it throws
   * ends them. Where it cannot be called meanwhile a statement of a read is ended after
   * `statementMs` (0: never), and `look` is told so.
   */
  watch(look: (wasLong?: boolean) => void, statementMs: number): void;
  /**
   * Equal as long as what is read is the same; undefined where this connection may change it.
   */
  version(): unknown;
  /** Where it is elsewhere, and other nodes write, too. */
  readonly shared?: {
    /** Begins a transaction that writes, when it is its turn. */
    begin(): Promise<void>;
    /**
     * Resolves when it is durable, or when it is known that it was not kept: to false. `told`: for
     * other nodes. Rejects where it is not kept, and is to be undone.
     */
    commit(told: Omit<News, "notes">): Promise<boolean>;
    /** In a transaction that writes: which node does what nobody asks for. */
    lead(): Lead;
    /** Whether no other one has done so since this one began to. */
    leads(): boolean;
    /** The statements of each round trip of the last transaction, once; undefined: untold. */
    trips(): readonly (readonly string[])[] | undefined;
    /** Names this node, as long as its connection lasts: a number. */
    own(): string;
    /** In a transaction that writes: whether the connection of a node of that name is over. */
    isGone(name: string): boolean;
    /**
     * In a transaction that writes, before anything is written: asks together for what runs will
     * ask for. Each may be begun more than once, and nothing of it is kept.
     */
    foresee(runs: readonly (() => unknown)[]): Promise<void>;
    /**
     * In a transaction that writes: runs what asks for nothing but what is known. Else nothing of
     * it is kept: it asks for what `learn` asks for, or would have to wait within its run.
     */
    attempt<T>(run: () => T): Attempt<T>;
    /**
     * Asks together for what attempts have asked for in vain; false: it is of no use to make them
     * again. Rejects where the transaction is to be undone.
     */
    learn(): Promise<boolean>;
    /** How many answers were waited for, and how many rows all answers had. */
    waits(): { readonly answers: number; readonly rows: number };
    /**
     * In a transaction that reads: several runs that write nothing and depend on nothing but the
     * store; each may be begun more than once.
     */
    together<T>(runs: readonly (() => T)[]): readonly Ran<T>[];
    /**
     * The same while others go on, each at one moment of its own; one call at a time. Undefined:
     * it cannot be done so now.
     */
    later<T>(runs: readonly (() => T)[]): Promise<readonly Ran<T>[] | undefined>;
    /** Whether a fault says that a statement was ended, as it ran too long. */
    isLong(fault: unknown): boolean;
    /** Whether it cannot be reached now. */
    isAway(): boolean;
    /** Resolves when it can be reached, or when it is not waited for any longer. */
    back(): Promise<void>;
  };
  /** Hears faults, and tells of the one after which the store is not to be served. */
  readonly loss: { hear(fault: unknown): void; listen(told: (why: string) => void): void };
  close(): void;
}
