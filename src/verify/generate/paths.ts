/** Rows for the names of a path: such as have to do with each other, or the path leads nowhere. */
import { type Code, partsOf } from "../../expr/index.ts";
import type { Binding, Endpoint } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import { isAmong, isKin, isReferring, joinedTo } from "./kin.ts";
import type { Making } from "./making.ts";
import { pickRow } from "./pick.ts";

/** The chance that they are looked for, and how often they are. */
const TOGETHER = 0.9;
/** The chance for a path of one name: else a row is named that is there no more, or never was. */
const ALONE = 0.8;
const TRIES = 4;
/** The chance that a row which no condition joins to the others has nothing to do with them. */
const APART = 0.5;
/** The chance that a row is named that refers to one named before, where that may be named, too. */
const REFERRING = 0.3;
/** The chance that such a row is not the caller's: what callers let themselves do shows little. */
const ANOTHER = 0.7;
/** The chance that of several those are taken that have to do with the caller. */
const OWN = 0.7;
/** The chance that these are such as a third row joins with the caller, as members are. */
const JOINED = 0.3;

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
    const apart = bindings.filter((one) => isFree(bindings, one) && random.chance(APART));
    const tied = bindings.filter((one) => !apart.includes(one));
    // Which of them has the others is not known: each may be the first.
    const first = random.below(tied.length);
    for (const one of [...tied.slice(first), ...tied.slice(0, first), ...apart]) {
      const picked = apart.includes(one) ? [] : [...found.values()];
      const isAnother = isFree(bindings, one) && random.chance(ANOTHER);
      const fit = world
        .rows(one.resource)
        .filter((row) => picked.every((other) => isKin(plan, row, other)))
        .filter((row) => !isAnother || caller === undefined || !isAmong([caller], row));
      const again = aboutAgain(making, fit);
      const isOwn = !apart.includes(one) && caller !== undefined && random.chance(OWN);
      const isMember = isOwn && random.chance(JOINED);
      const joined = isMember ? joinedTo(making, one.resource, caller) : undefined;
      const members = joined === undefined ? [] : fit.filter(({ key }) => joined.has(key));
      const kin =
        isOwn && members.length === 0 ? fit.filter((row) => isKin(plan, row, caller)) : [];
      const own = again.length > 0 ? again : members.length > 0 ? members : kin;
      const among = own.length > 0 ? own : fit;
      if (among.length === 0) break;
      const row = pickRow(making, among);
      if (row !== undefined) found.set(one.param, row);
    }
    if (found.size === bindings.length) return found;
  }
  return undefined;
}

/** Of the rows those that requests before have named, or such as refer to these. */
function aboutAgain(making: Making, all: readonly Row[]): readonly Row[] {
  const { plan, random, caller, about = [] } = making;
  if (about.length === 0) return [];
  // What has nothing to do with the caller is mostly hidden from him.
  const isOwn = caller !== undefined && random.chance(OWN);
  const kin = isOwn ? all.filter((row) => isKin(plan, row, caller)) : [];
  const rows = kin.length > 0 ? kin : all;
  const same = rows.filter((row) => isAmong(about, row));
  const isOfSame = same.length > 0 && !random.chance(REFERRING);
  const referring = isOfSame ? [] : rows.filter((row) => isReferring(plan, row, about));
  return referring.length > 0 ? referring : same;
}

/** Whether no condition of a path speaks of the row and of another one. */
function isFree(bindings: readonly Binding[], one: Binding): boolean {
  if (bindings.length === 1 || one.where !== undefined) return false;
  return bindings.every(({ where }) => where === undefined || !isSpokenOf(one.as, where.code));
}

const isSpokenOf = (name: string, code: Code): boolean =>
  (code.op === "name" && code.name === name) || partsOf(code).some((one) => isSpokenOf(name, one));

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
