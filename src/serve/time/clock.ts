/** The clock of a service: the machine's, or one that tests and examples move by hand. */

export interface Clock {
  /** Microseconds since 1970-01-01T00:00:00Z. */
  now(): bigint;
  /** Asks to be told when the time jumps; a clock that only runs never tells. */
  watch?(moved: () => void): void;
  /** Microseconds by which the machine's clock is ahead of it, where a jump is not followed yet. */
  drift?(): bigint;
}

export interface MovableClock extends Clock {
  watch(moved: () => void): void;
  /** Moves the time forward. */
  move(micros: bigint): void;
}

/** Where the machine's clock is followed at once; what is further off is a jump. */
const STEP_MICROS = 1_000_000n;
/** How long a jump must stand before it is followed. */
const SETTLED_MICROS = 5_000_000n;

/** What a clock is made of: the machine's time, and one that only runs; both in microseconds. */
interface TimeSources {
  /** Since 1970-01-01T00:00:00Z; anybody may set it. */
  wall(): bigint;
  /** Since any moment; nobody can set it. */
  steady(): bigint;
}

const machine: TimeSources = {
  wall: () => BigInt(Date.now()) * 1000n,
  steady: () => BigInt(Math.round(performance.now() * 1000)),
};

/**
 * The machine's clock, to the millisecond. It never goes back for less than a second. A jump of the
 * machine's clock by more, in either direction, is followed only when it has stood for five seconds
 * of a time that nobody can set: until then the clock runs on. `told` says so in words.
 */
export function systemClock(
  told: (text: string) => void = () => {},
  from = machine,
): Required<Clock> {
  let [at, steadyAt] = [from.wall(), from.steady()];
  let last = at;
  let jump: { readonly drift: bigint; readonly since: bigint } | undefined;
  const watchers: (() => void)[] = [];
  const follow = (wall: bigint, steady: bigint): bigint => {
    [at, steadyAt] = [wall, steady];
    jump = undefined;
    last = wall;
    return wall;
  };
  return {
    now: () => {
      const [wall, steady] = [from.wall(), from.steady()];
      const own = at + steady - steadyAt;
      const drift = wall - own;
      // Below a second it stands still until the machine's clock has come up with it.
      if (distance(drift) <= STEP_MICROS) return follow(wall > last ? wall : last, steady);
      if (jump === undefined || distance(drift - jump.drift) > STEP_MICROS) {
        jump = { drift, since: steady };
      }
      if (steady - jump.since < SETTLED_MICROS) {
        last = own;
        return own;
      }
      told(`the machine's clock was set by ${Number(drift) / 1e6} s: it is followed from now on`);
      follow(wall, steady);
      for (const moved of watchers) moved();
      return wall;
    },
    watch: (moved) => {
      watchers.push(moved);
    },
    drift: () => jump?.drift ?? 0n,
  };
}

function distance(micros: bigint): bigint {
  return micros < 0n ? -micros : micros;
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
