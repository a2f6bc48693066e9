/** Requests whose calls may have been told otherwise than is taken for said. */
import type { ItemId, Plan } from "../../plan/index.ts";
import type { Reading } from "../world/reading.ts";
import { callSteps, otherSayings } from "../world/sayings.ts";
import type { Ran } from "../world/world.ts";
import type { Attempt, Tried } from "./attempt.ts";
import { TIGHT } from "./compare.ts";
import { unstatedOf } from "./stated.ts";

/** Runs in which the calls of one request are told otherwise. */
const RUNS = 60;

const found = new WeakMap<Plan, ReadonlySet<ItemId>>();

/** Steps that go on with what is said. */
function boundCalls(plan: Plan): ReadonlySet<ItemId> {
  const known = found.get(plan);
  if (known !== undefined) return known;
  const steps = callSteps(plan);
  const bound = new Set(steps.flatMap(({ id, as }) => (as === undefined ? [] : [id])));
  found.set(plan, bound);
  return bound;
}

/** Whether both have done the same, and none of what was said can stand in what they did. */
function isAlike(plan: Plan, one: Ran, other: Ran): boolean {
  const bound = boundCalls(plan);
  const isUsed = [...one.said, ...other.said].some(({ step }) => bound.has(step));
  return !isUsed && JSON.stringify(one.trace) === JSON.stringify(other.trace);
}

/** The readings that tell the calls of a run otherwise, behind those that this one tells. */
function otherwise(reading: Reading, { said }: Ran): readonly Reading[] {
  const { made: _, ...rest } = reading;
  return otherSayings(said, reading.says?.length ?? 0).map((says) => ({ ...rest, says }));
}

/** What an attempt that is not the answer may be with calls that are told otherwise. */
export function toldOtherwise(before: Attempt, { ran, differences }: Tried): readonly Attempt[] {
  if (differences.length === 0 || before.loose !== TIGHT) return [];
  return otherwise(before.reading, ran).map((reading) => ({ ...before, reading }));
}

/**
 * Whether an answer leaves open what the calls of a request were told: another reading gives it,
 * too, and does something else. `fits`: runs the request by a reading, and says whether it is the
 * answer.
 */
export function isUntold(
  plan: Plan,
  ran: Ran,
  { reading, fits }: { reading: Reading; fits: (reading: Reading) => { ran: Ran; is: boolean } },
): boolean {
  const { says: _, made: __, ...first } = reading;
  const open: Reading[] = [{ ...first, says: [] }];
  const own = ran.said.map(({ at }) => at).join();
  for (let i = 0; i < open.length && i < RUNS; i++) {
    const { ran: other, is } = fits(open[i] as Reading);
    open.push(...otherwise(open[i] as Reading, other));
    const isOwn = other.said.map(({ at }) => at).join() === own;
    const isAllowed = unstatedOf(other) === undefined && other.outcome.effects.fault === undefined;
    if (!isOwn && is && isAllowed && !isAlike(plan, ran, other)) return true;
  }
  return open.length > RUNS;
}
