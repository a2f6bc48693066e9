/** A store that is open, as whoever serves a plan uses it. */
import type { Session } from "../run/index.ts";
import type { Loss } from "./whole/loss.ts";

/** Texts of the host, under names of their own. */
interface Notes {
  read(name: string): string | undefined;
  keep(name: string, text: string): void;
}

/** What others are to look at when a transaction is committed. */
export interface Told {
  /** Messages wait to be delivered. */
  readonly messages: boolean;
  /** Events were recorded, or who listens to them may have changed. */
  readonly events: boolean;
  /** Calls are to be made. */
  readonly calls: boolean;
}

/**
 * What became of a run; `alone`: it is to be run by itself; `long`: what it asks for takes longer
 * than a statement may.
 */
export type Ran<T> =
  | { readonly is: "made"; readonly made: T }
  | { readonly is: "fault"; readonly fault: unknown }
  | { readonly is: "alone" }
  | { readonly is: "long" };

/**
 * For how many milliseconds another node leads, or this one at least, from when it was asked; 0: it
 * does not.
 */
export interface Lead {
  readonly otherMs: number;
  readonly ownMs: number;
}

/** What became of a run that may not wait. */
export type Attempt<T> =
  | { readonly is: "made"; readonly made: T }
  | { readonly is: "asks" }
  | { readonly is: "waits" };

/** A store on which other nodes may write between two transactions. */
interface Shared {
  /** Begins a transaction that writes, when it is its turn. Rejects with `StorageFault`. */
  begin(): Promise<void>;
  /**
   * Resolves when it is durable, or when it is known that it was not kept: to false. `told`: for
   * other nodes. Rejects where it is not kept, and is to be undone.
   */
  commit(told: Told): Promise<boolean>;
  /** In a transaction that writes: which node does what nobody asks for. */
  lead(): Lead;
  /** Whether no other node has done that since this one began to. */
  leads(): boolean;
  /** Names this node, as long as its connection lasts: a number. */
  own(): string;
  /** In a transaction that writes: whether the connection of a node of that name is over. */
  isGone(name: string): boolean;
  /**
   * In a transaction that writes, before anything is written: asks together for what runs will ask
   * for. Each may be begun more than once, and nothing of it is kept.
   */
  foresee(runs: readonly (() => unknown)[]): Promise<void>;
  /**
   * In a transaction that writes: runs what asks for nothing but what is known. Else nothing of it
   * is kept: it asks for what `learn` asks for, or would have to wait within its run.
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
  /**
   * The statements of each round trip of the transaction that was begun last, once; undefined:
   * nobody asks for them.
   */
  trips(): readonly (readonly string[])[] | undefined;
  /** Whether a fault says that a statement was ended, as it ran too long. */
  isLong(fault: unknown): boolean;
  /** Whether it cannot be reached now. */
  isAway(): boolean;
  /** Resolves when it can be reached, or when it is not waited for any longer. */
  back(): Promise<void>;
}

/** `wasLong`: a statement was ended as it ran too long. */
export type Look = (wasLong?: boolean) => void;

export interface OpenStore {
  readonly session: Session;
  /** 32 random bytes that are made with the store and stay the same. */
  readonly secret: Uint8Array;
  /** Resources that are new in it: their rows stated for the start are still to be inserted. */
  readonly unfilled: ReadonlySet<string>;
  /** What a changed document has added to it, in words. */
  readonly said: readonly string[];
  /** Texts that are kept with it under names, for the host; to keep one is to write. */
  readonly notes: Notes;
  /** `write` takes the writing lock at once, so that the transaction is serializable. */
  begin(mode: "read" | "write"): void;
  /** Returns when the transaction is durable. */
  commit(): void;
  rollback(): void;
  /**
   * `look` is called now and then while a statement runs, or between statements: what it throws
   * ends them. Where it cannot be called meanwhile a statement of a read is ended after
   * `statementMs` (0: never), and `look` is told so.
   */
  watch(look: Look, statementMs: number): void;
  /** Equal as long as what is read is the same; undefined where this connection may change it. */
  version(): unknown;
  /** Default: nobody else writes. */
  readonly shared?: Shared;
  /** Told when the store is no longer what was written. */
  readonly loss: Loss;
  close(): void;
}
