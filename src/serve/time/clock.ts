/** The clock of a service: the machine's, or one that tests and examples move by hand. */

export interface Clock {
  /** Microseconds since 1970-01-01T00:00:00Z. */
  now(): bigint;
  /** Asks to be told when the time jumps; a clock that only runs never tells. */
  watch?(moved: () => void): void;
}

export interface MovableClock extends Clock {
  watch(moved: () => void): void;
  /** Moves the time forward. */
  move(micros: bigint): void;
}

/** The machine's clock, to the millisecond; it stands still while the machine's is set back. */
export function systemClock(): Clock {
  let last = 0n;
  return {
    now: () => {
      const now = BigInt(Date.now()) * 1000n;
      if (now > last) last = now;
      return last;
    },
  };
}

/** A clock that moves only by `move`. */
export function movableClock(start: bigint): MovableClock {
  let now = start;
  const watchers: (() => void)[] = [];
  return {
    now: () => now,
    watch: (moved) => {
      watchers.push(moved);
    },
    move: (micros) => {
      now += micros;
      for (const moved of watchers) moved();
    },
  };
}
