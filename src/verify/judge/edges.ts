/** What hangs on a few milliseconds, or on a wrong answer: dues, and windows of limits. */
import { statedOf } from "../../plan/index.ts";
import type { Answer, Request } from "../world/message.ts";
import { instantsIn } from "../world/moments.ts";
import type { Reading } from "../world/reading.ts";
import { nearest } from "../world/windows.ts";
import type { World } from "../world/world.ts";
import type { Times } from "./compare.ts";

/**
 * Readings just before and behind what falls due or leaves a window about a request, and about
 * times that rows hold or the request gives: steps may compare these with the time.
 */
export function edgeReadings(
  world: World,
  reading: Reading,
  { from, to, request }: { readonly from: bigint; readonly to: bigint; readonly request: Request },
): readonly Reading[] {
  const { windows, plan, session } = world;
  const [at, about] = [(from + to) / 2n, (to - from) / 2n];
  const due = world.nextDue(from);
  const times = instantsIn(world, from, to).map((one) => one.at);
  const edges = [
    ...(due === undefined ? [] : [due]),
    ...windows.ends(plan, session, at, about),
    ...timesIn(request).filter((one) => one > from),
    // Most of these say when something was made.
    ...nearest(times, at),
  ];
  const near = [...new Set(edges)].filter((one) => one <= to);
  const nows = near.flatMap((one) => [one - 1n, one, one + 1n]);
  const moved = nows.filter((now) => now !== reading.now).map((now) => ({ ...reading, now }));
  if (reading.shift !== undefined) return moved;
  const shifts = windows.shifts(plan, session, reading.now, about);
  return [...moved, ...shifts.map((shift) => ({ ...reading, shift }))];
}

/** The same where what was due happened when it is shown to have, and not when the request came. */
export function dueReadings<A extends { readonly reading: Reading }>(
  world: World,
  attempt: A,
  shown: readonly Times[],
): readonly A[] {
  const { reading } = attempt;
  const { now, dueAt = [] } = reading;
  const due = world.nextDue();
  const found = shown.flatMap(({ expected, observed, step }) => {
    const isOwn = [now, ...dueAt].some((one) => expected === one - (one % step));
    // What is shown may have been cut off.
    const at = observed + step - 1n;
    return isOwn && observed < expected && due !== undefined && due <= at ? [at] : [];
  });
  const all = [...new Set([...dueAt, ...found])].toSorted((a, b) => (a < b ? -1 : 1));
  return all.length === dueAt.length ? [] : [{ ...attempt, reading: { ...reading, dueAt: all } }];
}

/** RFC 3339 section 5.6. */
const TEXT = /\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)/g;
/** Seconds or milliseconds since 1970, of the years from 2001 to 2286. */
const NUMBER = /(?<!\d)\d{10}(?:\d{3})?(?!\d)/g;

/** Times that a request or an answer gives, in microseconds since 1970. */
export function timesIn({ target = "", body = "" }: Partial<Request>): readonly bigint[] {
  const text = `${decoded(target)}\n${body}`;
  const texts = (text.match(TEXT) ?? []).map((one) => Date.parse(one));
  const numbers = text.match(NUMBER) ?? [];
  return [
    ...texts.flatMap((one) => (Number.isFinite(one) ? [BigInt(one) * 1_000n] : [])),
    ...numbers.map((one) => BigInt(one) * (one.length === 10 ? 1_000_000n : 1_000n)),
  ];
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
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
