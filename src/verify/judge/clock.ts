/** What is known of the clock of a service: answers have shown it, within a step and their way. */
import type { Answer } from "../world/message.ts";

type Way = Pick<Answer, "sent" | "received">;

/** A time that an answer shows: it was this, or less than a step later. */
interface Seen {
  readonly at: bigint;
  readonly step: bigint;
}

/** Microseconds between two instants of one clock. */
interface Span {
  readonly from: bigint;
  readonly to: bigint;
}

/** How far the clock of the service may be from ours, until an answer has shown it. */
const CLOCKS_APART = 300_000_000n;

export class Clock {
  /** Between which the service's clock less ours is, for all that answers have shown. */
  #offsets = { least: -CLOCKS_APART, most: CLOCKS_APART };

  /** Knows what the other does. */
  take(other: Clock): void {
    this.#offsets = other.#offsets;
  }

  /** What is known now; to be given back where the model is, too. */
  remembered(): () => void {
    const offsets = this.#offsets;
    return () => {
      this.#offsets = offsets;
    };
  }

  /** The service's time of ours. */
  timeAt(ours: bigint): bigint {
    const { least, most } = this.#offsets;
    return ours + (least > 0n ? least : most < 0n ? most : 0n);
  }

  /** How far the clocks may be apart from what `timeAt` takes them to be. */
  get slack(): bigint {
    const { least, most } = this.#offsets;
    return most - least;
  }

  /** Between which the service's time of a request is, for all that is known. */
  spanOf({ sent, received }: Way): Span {
    const { least, most } = this.#offsets;
    return { from: sent + least, to: received + most };
  }

  /** The clocks are as far apart as all answers together allow. */
  see({ at, step }: Seen, { sent, received }: Way): void {
    const { least, most } = this.#offsets;
    const [low, high] = [at - received, at + step - sent];
    const next = { least: low > least ? low : least, most: high < most ? high : most };
    if (next.least <= next.most) this.#offsets = next;
  }
}
