/** What hangs on a few milliseconds, or on a wrong answer: dues, and windows of limits. */
import { statedOf } from "../../plan/index.ts";
import type { Answer, Request } from "../world/message.ts";
import type { Reading } from "../world/reading.ts";
import type { World } from "../world/world.ts";

/** Readings just before and behind what falls due, or leaves a window, about a request. */
export function edgeReadings(
  world: World,
  reading: Reading,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): readonly Reading[] {
  const { windows, plan, session } = world;
  const [at, about] = [(from + to) / 2n, (to - from) / 2n];
  const due = world.nextDue(from);
  const edges = [...(due === undefined ? [] : [due]), ...windows.ends(plan, session, at, about)];
  const nows = edges.filter((one) => one <= to).flatMap((one) => [one - 1n, one, one + 1n]);
  const moved = nows.filter((now) => now !== reading.now).map((now) => ({ ...reading, now }));
  if (reading.shift !== undefined) return moved;
  const shifts = windows.shifts(plan, session, reading.now, about);
  return [...moved, ...shifts.map((shift) => ({ ...reading, shift }))];
}

/**
 * Counts a request that was answered with a wrong status: limits have let it through all the same,
 * unless it was one of them that answered.
 */
export function countWrong(
  world: World,
  request: Request,
  { status }: Answer,
  reading: Reading,
): void {
  const { plan } = world;
  world.begin();
  world.run(request, reading);
  world.undo();
  const isLimits = world.rates?.passed.some(({ limit }) => {
    const refusal = statedOf(limit.whenPassed);
    const name = refusal?.is === "error" ? refusal.error : undefined;
    const error = plan.errors.find((one) => one.name === name);
    return error !== undefined && statedOf(error.status) === status;
  });
  if (isLimits !== true) world.countAs(status, reading.now);
}
