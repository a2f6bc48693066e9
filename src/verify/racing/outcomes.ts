/** What requests at the same time may be answered, in each order of them. */
import type { Response } from "../../run/index.ts";
import { compare, type Difference } from "../judge/compare.ts";
import type { Judge } from "../judge/judge.ts";
import { statedIn } from "../judge/stated.ts";
import type { Raced } from "../races/told.ts";
import { realResponse } from "../world/real.ts";

/** The answers of one order, by places in the race. */
export interface Outcome {
  readonly responses: readonly Response[];
  /** What the answers that came have otherwise. */
  readonly differences: readonly (readonly Difference[])[];
}

/** Orders that are looked at. */
const ORDERS_MAX = 120;

/** Orders in which no request comes before one that was answered before it was made. */
function* ordersOf(race: readonly Raced[], done: readonly number[] = []): Generator<number[]> {
  const left = [...race.keys()].filter((at) => !done.includes(at));
  if (left.length === 0) yield [...done];
  const first = left
    .map((at) => race[at]?.answer.received ?? 0n)
    .reduce((a, b) => (a < b ? a : b), 2n ** 63n);
  for (const at of left) {
    if ((race[at]?.answer.sent ?? 0n) <= first) yield* ordersOf(race, [...done, at]);
  }
}

/** The model stays as it is. */
export function outcomesOf(race: readonly Raced[], judge: Judge): readonly Outcome[] {
  const found: Outcome[] = [];
  for (const order of ordersOf(race)) {
    if (found.length >= ORDERS_MAX) break;
    found.push(outcomeOf(race, order, judge));
  }
  return found;
}

function outcomeOf(race: readonly Raced[], order: readonly number[], judge: Judge): Outcome {
  const { world } = judge;
  const responses: Response[] = [];
  const differences: (readonly Difference[])[] = [];
  // What an answer shows of what was made, the others of the order show as well.
  const known = new Map<string, string>();
  world.begin();
  for (const at of order) {
    const { request, answer } = race[at] as Raced;
    const now = judge.timeAt((answer.sent + answer.received) / 2n);
    const stated = statedIn(world.run(request, { now }), answer);
    const response = realResponse(stated, known);
    const compared = compare(response, answer);
    for (const [mark, one] of compared.known) known.set(mark, one);
    responses[at] = realResponse(response, known);
    differences[at] = compared.differences;
  }
  world.undo();
  return { responses, differences };
}
