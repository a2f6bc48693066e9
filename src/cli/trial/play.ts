/** Plays an `http` block against a service of its own, on a clock that it moves; prints nothing. */
import { parseTimestamp } from "../../expr/index.ts";
import type { Plan } from "../../plan/index.ts";
import { movableClock, type ServeOptions, serve } from "../../serve/index.ts";
import { type ExampleExchange, parseExample } from "../../spec/index.ts";
import type { Kept } from "./answers.ts";
import { type Difference, exchange } from "./exchange.ts";

const UNITS: Readonly<Record<string, bigint>> = {
  ms: 1_000n,
  s: 1_000_000n,
  min: 60_000_000n,
  h: 3_600_000_000n,
  day: 86_400_000_000n,
  days: 86_400_000_000n,
};

/** The outcome of a block: how many exchanges went as it says, and the first that did not. */
export interface Played {
  readonly exchanges: number;
  readonly right: number;
  readonly difference?: Difference;
  /** What the service said of the exchange that differs: faults and gaps met. */
  readonly notes: readonly string[];
}

/** Why a block cannot be played at an address: nothing moves the clock there. */
export function whyNotPlayed(text: string): string | undefined {
  const { clock, moves } = parseExample(text);
  if (clock !== undefined) return "it needs the clock to be at a time of its own";
  return moves.length > 0 ? "it needs the clock to move" : undefined;
}

/** Plays one block at the address of a service that runs. */
export async function playAt(address: string, text: string): Promise<Played> {
  const { exchanges } = parseExample(text);
  return playEach(exchanges, { address, before: () => {} });
}

interface Playing {
  readonly address: string;
  /** Called before the exchange with the index. */
  readonly before: (index: number) => void;
}

async function playEach(
  exchanges: readonly ExampleExchange[],
  { address, before }: Playing,
): Promise<Played> {
  const kept: Kept = new Map();
  for (const [index, one] of exchanges.entries()) {
    before(index);
    const difference = await exchange(address, one, kept);
    if (difference) return { exchanges: exchanges.length, right: index, difference, notes: [] };
  }
  return { exchanges: exchanges.length, right: exchanges.length, notes: [] };
}

/** Microseconds of a duration as a block writes it. */
export function microsOf(durationText: string): bigint {
  const [amount = "0", unit = "s"] = durationText.split(" ");
  return (BigInt(Math.round(Number(amount) * 1000)) * (UNITS[unit] ?? 0n)) / 1000n;
}

/** Plays one block; the service starts empty, in memory. Rejects with `CannotServe`. */
export async function play(
  plan: Plan,
  text: string,
  options: Pick<ServeOptions, "origins" | "startRows" | "environment" | "code">,
): Promise<Played> {
  const { clock: stated, exchanges, moves } = parseExample(text);
  const at = stated === undefined ? undefined : parseTimestamp(stated.text);
  const clock = movableClock(typeof at === "bigint" ? at : BigInt(Date.now()) * 1000n);
  let notes: string[] = [];
  const log = (line: string): void => void notes.push(line);
  // Where code is named nothing stands in for what it lacks.
  const standIns = options.code === undefined;
  const asked = { ...options, memory: true, clock, log, standIns };
  const running = await serve(plan, asked);
  const before = (index: number): void => {
    for (const move of moves) {
      if (move.before === index) clock.move(microsOf(move.durationText));
    }
    notes = [];
  };
  try {
    const played = await playEach(exchanges, { address: running.address, before });
    return played.difference === undefined ? played : { ...played, notes };
  } finally {
    await running.stop();
  }
}
