/** Rows for the names of a path: such as have to do with each other, or the path leads nowhere. */
import type { Endpoint } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import { isKin } from "./kin.ts";
import type { Making } from "./making.ts";
import { pickRow } from "./pick.ts";

/** The chance that they are looked for, and how often they are. */
const TOGETHER = 0.9;
/** The chance for a path of one name: else a row is named that is there no more, or never was. */
const ALONE = 0.8;
const TRIES = 4;
/** The chance that of several those are taken that have to do with the caller. */
const OWN = 0.7;

/** Rows by the parameters of the path; undefined: there are none, or none is to be there. */
export function rowsTogether(
  making: Making,
  { bindings }: Endpoint,
): ReadonlyMap<string, Row> | undefined {
  const { plan, world, random, caller, wrong } = making;
  if (bindings.length === 0 || random.chance(wrong)) return undefined;
  if (making.gone !== undefined && random.chance(making.gone)) return undefined;
  if (!random.chance(bindings.length === 1 ? ALONE : TOGETHER)) return undefined;
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
      const row = pickRow(making, among);
      if (row !== undefined) found.set(one.param, row);
    }
    if (found.size === bindings.length) return found;
  }
  return undefined;
}

/** The rows that the names of a path stand for, as far as they are there. */
export function rowsIn(
  { plan, world }: Pick<Making, "plan" | "world">,
  { bindings }: Endpoint,
  target: string,
): readonly Row[] {
  const path = `${target.split("?")[0]}/`;
  return bindings.flatMap(({ resource, by }) => {
    const found = plan.resources.find(({ name }) => name === resource);
    const place = found?.fields.findIndex((one) => one.name === (by ?? found.key)) ?? -1;
    const row = world
      .rows(resource)
      .findLast(({ values }) => path.includes(`/${encodeURIComponent(String(values[place]))}/`));
    return row === undefined ? [] : [row];
  });
}
