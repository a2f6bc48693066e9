/** Instants in the model that no answer has shown yet, and times that are reckoned from them. */
import type { Times } from "./compare.ts";

/** Microseconds since 1970 by the service's clock. */
interface Instant {
  readonly at: bigint;
  /** Between which it lies. */
  readonly from: bigint;
  readonly to: bigint;
}

/** An instant, as far as is known when it may have been. */
export type Happened = Pick<Instant, "at"> & Partial<Instant>;

/** A time of the model, and what it is. */
export interface Move {
  readonly from: bigint;
  readonly to: bigint;
}

const INSTANTS = 200;
export const LONG_AGO = -(2n ** 62n);
/** A stated duration is a whole number of these: milliseconds. */
const UNIT = 1_000n;

export class Instants {
  #open: Instant[] = [];
  /** Instants that answers have shown, each finer than it was shown, later ones behind. */
  #shown: readonly bigint[] = [];
  readonly #tolerance: bigint;

  /** `tolerance`: what a clock may be read too early or too late. */
  constructor(tolerance: bigint) {
    this.#tolerance = tolerance;
  }

  add(instant: Instant): void {
    this.#open = [...this.#open, instant].slice(-INSTANTS);
  }

  /** Knows what the other does. */
  take(other: Instants): void {
    this.#open = other.#open;
  }

  /** What is known now; to be given back where the model is, too. */
  remembered(): () => void {
    const [open, shown] = [this.#open, this.#shown];
    return () => {
      this.#open = open;
      this.#shown = shown;
    };
  }

  /** An instant from that one on which is behind all that were shown, if one of the step is. */
  after(at: bigint, step: bigint): bigint {
    const known = [this.#shown.at(-1), this.#open.at(-1)?.at];
    const last = known.reduce<bigint>((most, one = most) => (one > most ? one : most), at - 1n);
    return last >= at && last + 1n < at + step ? last + 1n : at;
  }

  /** What the time of a request may be that is shown so much later than it was thought to be. */
  nows(now: bigint, later: bigint, step: bigint): readonly bigint[] {
    const whole = now - (now % step) + later;
    const behind = this.after(whole, step);
    const nows = nowsOf(now, later, step);
    return behind === whole ? nows : [behind, ...nows];
  }

  shown(at: bigint): void {
    this.#shown = [...this.#shown, at].slice(-INSTANTS);
  }

  /** What makes all instants one that are shown alike: a service may keep them as it shows them. */
  alike(step: bigint): readonly Move[] {
    const whole = (at: bigint): bigint => at - (at % step);
    const all = [...this.#shown, ...this.#open.map((one) => one.at)];
    const count = Map.groupBy(all, whole);
    return all
      .filter((at) => at !== whole(at) && (count.get(whole(at))?.length ?? 0) > 1)
      .map((at) => ({ from: at, to: whole(at) }));
  }

  /**
   * What must be another time in the model for it to show the observed one: an instant, and where
   * the shown time lies a duration apart from it, that as well. `held`: times that rows hold.
   */
  moves({ expected, observed, step }: Times, held: () => ReadonlySet<bigint>): readonly Move[] {
    const isShown = (time: bigint): boolean => time >= expected && time < expected + step;
    let found: ReadonlySet<bigint> | undefined;
    const values = (): ReadonlySet<bigint> => (found ??= held());
    const shown = observed < expected ? observed + step - 1n : observed;
    const isNear = ({ from, to }: Instant, time: bigint): boolean =>
      time >= from - this.#tolerance && time <= to + this.#tolerance;
    const own = this.#open.filter((one) => isShown(one.at) && isNear(one, shown));
    if (own.length > 0) return own.map(({ at }) => ({ from: at, to: shown }));
    return this.#open.flatMap((instant) => {
      const { at } = instant;
      const reckoned = [...values()].filter((one) => isShown(one) && (one - at) % UNIT === 0n);
      return reckoned.flatMap((one) => {
        const moved = at + shown - one;
        return isNear(instant, moved) && moved !== at
          ? [
              { from: at, to: moved },
              { from: one, to: shown },
            ]
          : [];
      });
    });
  }

  /** What was moved is known now, to a step of the form in which it was shown. */
  moved(moves: readonly Move[], step: bigint): void {
    const known = new Map(moves.map(({ from, to }) => [from, to]));
    this.#shown = this.#shown.map((at) => known.get(at) ?? at);
    this.#open = this.#open.map((instant) => {
      const at = known.get(instant.at);
      return at === undefined ? instant : { at, from: at - step, to: at + step };
    });
  }
}

/** Instants that lie so much later as they are written: those next to the one that was thought. */
function nowsOf(now: bigint, later: bigint, step: bigint): readonly bigint[] {
  const first = now - (now % step) + later;
  return later > 0n ? [first, now + later] : [first + step - 1n, now + later, first];
}
