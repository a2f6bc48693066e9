/** A stream that is open here: its connection, what was read from it, what is expected. */
import type { IncomingMessage } from "node:http";
import type { ItemId } from "../../plan/index.ts";
import type { Listener } from "../../run/index.ts";
import type { Difference, Loose } from "../judge/compare.ts";
import { nowMicros } from "../talk/client.ts";
import { type Frame, FrameReader } from "./frames.ts";
import type { Happened, Opening } from "./listening.ts";

/** An event of the model that some stream sends. */
export interface Entry extends Happened {
  /** From 0 on, in the order in which they happened. */
  readonly place: number;
  /** JSON text. */
  readonly data: string;
  readonly loose: Loose;
  /** Number of the request that caused it. */
  readonly cause: number;
  /** When that was sent, by this program's clock. */
  readonly from: bigint;
  /** The service's time of the event; where it fell due by itself, the latest that it may be. */
  readonly happenedAt: bigint;
  /** The earliest that it may be. */
  readonly since: bigint;
  /** It fell due by itself: when it happened is about known. */
  readonly isTimed: boolean;
  /** It happens whatever is chosen where that is free. */
  readonly isSure: boolean;
}

/** Whether an event must come, may, or must not. */
export type Expected = "must" | "may" | "not";

/** Why nothing more is to come, or little. */
export interface Over {
  readonly why: "the caller" | "the row" | "the event" | "the time";
  readonly items: readonly ItemId[];
  readonly at: bigint;
  /** Entries from this place on do not come any more. */
  readonly place: number;
  /** Number of the request behind which it was so. */
  readonly number: number;
}

/** What is known of one that is opened. */
interface Opened {
  readonly opening: Opening;
  readonly listener: Listener;
  /** Number of the request that opened it. */
  readonly number: number;
  /** Entries from this place on are sent: what happens, or what is sent again. */
  readonly place: number;
  /** Frames of an entry behind which it was opened again. */
  readonly resumed?: { readonly id: string; readonly place: number };
  /** The name that it was opened behind is of no event. */
  readonly isUnknown?: boolean;
}

export class Subscription {
  readonly opened: Opened;
  readonly at = nowMicros();
  readonly frames: Frame[] = [];
  readonly expected = new Map<Entry, Expected>();
  /** What each frame is, as far as is known; in the order of `frames`. */
  readonly matched: (Entry | undefined)[] = [];
  /** Entries that came with other data. */
  readonly altered = new Map<Entry, readonly Difference[]>();
  listener: Listener;
  over: Over | undefined;
  /** When the service closed it. `isClean`: it said that this was all. */
  closed: { readonly at: bigint; readonly isClean: boolean } | undefined;
  /** When something was read last, be it a comment. */
  lastAt = nowMicros();
  readonly #incoming: IncomingMessage;
  readonly #reader: FrameReader;
  #isLeft = false;

  constructor(opened: Opened, incoming: IncomingMessage) {
    this.opened = opened;
    this.listener = opened.listener;
    this.#incoming = incoming;
    this.#reader = new FrameReader((frame) => this.frames.push(frame));
    incoming.setEncoding("utf8");
    incoming.on("data", (text: string) => {
      this.lastAt = nowMicros();
      this.#reader.read(text, this.lastAt);
    });
    incoming.on("end", () => this.#close(true));
    incoming.on("error", () => this.#close(false));
    incoming.on("close", () => this.#close(false));
  }

  #close(isClean: boolean): void {
    if (this.#isLeft) return;
    this.closed ??= { at: nowMicros(), isClean };
  }

  get comments(): number {
    return this.#reader.comments;
  }

  get isOpen(): boolean {
    return this.closed === undefined && !this.#isLeft;
  }

  /** Whether something is still to come. */
  get isAwaited(): boolean {
    if (!this.isOpen) return false;
    const came = new Set(this.matched);
    return [...this.expected].some(
      ([entry, how]) => how === "must" && !came.has(entry) && !this.altered.has(entry),
    );
  }

  leave(): void {
    if (this.closed === undefined) this.#isLeft = true;
    this.#incoming.destroy();
  }
}
