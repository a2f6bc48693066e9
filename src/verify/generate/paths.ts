/** Rows for the names of a path: such as have to do with each other, or the path leads nowhere. */
import type { Endpoint } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import { isKin } from "./kin.ts";
import type { Making } from "./making.ts";

/** The chance that they are looked for, how often they are, and that the last of them is taken. */
const TOGETHER = 0.9;
const TRIES = 4;
const LAST = 0.5;
/** The chance that of several those are taken that have to do with the caller. */
const OWN = 0.7;

/** Rows by the parameters of the path; undefined: it has one name, or no such rows were found. */
export function rowsTogether(
  making: Making,
  { bindings }: Endpoint,
): ReadonlyMap<string, Row> | undefined {
  const { plan, world, random, caller, wrong } = making;
  if (bindings.length < 2 || random.chance(wrong) || !random.chance(TOGETHER)) return undefined;
  for (let i = 0; i < TRIES; i++) {
    const found = new Map<string, Row>();
    // Which of them has the others is not known: each may be the first.
    const first = random.below(bindings.length);
    for (const one of [...bindings.slice(first), ...bindings.slice(0, first)]) {
      const picked = [...found.values()];
      const fit = world
        .rows(one.resource)
        .filter((row) => picked.every((other) => isKin(plan, row, other)));
      const isOwn = caller !== undefined && random.chance(OWN);
      const own = isOwn ? fit.filter((row) => isKin(plan, row, caller)) : [];
      const among = own.length > 0 ? own : fit;
      if (among.length === 0) break;
      const row = random.chance(LAST) ? among.at(-1) : random.pick(among);
      if (row !== undefined) found.set(one.param, row);
    }
    if (found.size === bindings.length) return found;
  }
  return undefined;
}
