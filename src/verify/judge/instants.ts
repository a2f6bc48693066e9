/** Instants in the model that no answer has shown yet, and times that are reckoned from them. */
import type { Times } from "./compare.ts";

/** Microseconds since 1970 by the service's clock. */
interface Instant {
  readonly at: bigint;
  /** Between which it lies. */
  readonly from: bigint;
  readonly to: bigint;
  /** An answer has shown it. */
  readonly isShown?: true;
}

/** An instant, as far as is known when it may have been. */
export type Happened = Pick<Instant, "at"> & Partial<Instant>;

/** A time of the model, and what it is. */
export interface Move {
  readonly from: bigint;
  readonly to: bigint;
  /** Between which it lies, where no more than that is known. */
  readonly within?: { readonly from: bigint; readonly to: bigint };
}

const INSTANTS = 200;
export const LONG_AGO = -(2n ** 62n);
/** Times of one request that instants may be on either side of. */
const GIVEN = 8;
/** Instants about each that are tried on its other side. */
const CUTS = 12;
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

  /** Notes those that an answer shows, in times of the step, as they are in the model. */
  seen(times: () => readonly bigint[], step: bigint): void {
    if (this.#open.every(({ isShown }) => isShown === true)) return;
    const shown = new Set(times());
    if (shown.size === 0) return;
    this.#open = this.#open.map((one) =>
      shown.has(one.at - (one.at % step)) ? { ...one, isShown: true } : one,
    );
  }

  /** What instants may be as well, beside times that a request gives. `held`: as in `moves`. */
  retimings(
    given: readonly bigint[],
    step: bigint,
    held: () => ReadonlySet<bigint>,
  ): readonly (readonly Move[])[] {
    const all = [...new Set(given)].slice(0, GIVEN);
    const cuts = all.flatMap((one) => this.#cuts(one, held));
    const alike = this.#alike(step);
    return alike.length > 0 ? [...cuts, alike] : cuts;
  }

  /** What makes all instants one that are shown alike: a service may keep them as it shows them. */
  #alike(step: bigint): readonly Move[] {
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

  /**
   * What is known of instants that no answer has shown when they are compared with a given time:
   * some of them are before it, and the others, which came later, are not. `held`: as in `moves`.
   */
  #cuts(given: bigint, held: () => ReadonlySet<bigint>): readonly (readonly Move[])[] {
    const isOpen = ({ from, to, isShown }: Instant): boolean =>
      isShown !== true && from - this.#tolerance < given && to + this.#tolerance >= given;
    const near = this.#open.filter(isOpen);
    if (near.length === 0) return [];
    const values = held();
    const all = near
      .filter(({ at }) => values.has(at))
      .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    const now = all.filter(({ at }) => at < given).length;
    const first = Math.max(0, now - CUTS / 2);
    const places = all.map((_, i) => i).concat(all.length);
    return places.slice(first, first + CUTS).flatMap((cut) => {
      const moves = [
        ...movedBefore(all.slice(0, cut), given),
        ...movedBehind(all.slice(cut), given),
      ];
      return moves.length > 0 ? [moves] : [];
    });
  }

  /** What was moved is known now, to a step of the form in which it was shown. */
  moved(moves: readonly Move[], step: bigint): void {
    const known = new Map(moves.map((one) => [one.from, one]));
    this.#shown = this.#shown.map((at) => known.get(at)?.to ?? at);
    this.#open = this.#open.map((instant) => {
      const move = known.get(instant.at);
      if (move === undefined) return instant;
      const { to: at, within } = move;
      return { at, ...(within ?? { from: at - step, to: at + step, isShown: true }) };
    });
  }
}

/** What makes all of them lie before a time, in their order. */
function movedBefore(instants: readonly Instant[], given: bigint): readonly Move[] {
  let next = given;
  return instants.toReversed().flatMap(({ at, from, to }) => {
    next = at < next ? at : next - 1n;
    return next === at
      ? []
      : [{ from: at, to: next, within: { from, to: given < to ? given : to } }];
  });
}

/** What makes none of them lie before a time, in their order. */
function movedBehind(instants: readonly Instant[], given: bigint): readonly Move[] {
  // The time may have been given more finely than to the millisecond.
  let last = given + UNIT - 1n;
  return instants.flatMap(({ at, from, to }, i) => {
    if (i === 0 && at >= given) last = at - 1n;
    last = at > last ? at : last + 1n;
    return last === at
      ? []
      : [{ from: at, to: last, within: { from: given > from ? given : from, to } }];
  });
}

/** Instants that lie so much later as they are written: those next to the one that was thought. */
function nowsOf(now: bigint, later: bigint, step: bigint): readonly bigint[] {
  const first = now - (now % step) + later;
  return later > 0n ? [first, now + later] : [first + step - 1n, now + later, first];
}
