/** Texts that name rows: those that are there, that were there, and that never were. */
import { isMarked } from "../world/texts.ts";
import { isAmong, isKin } from "./kin.ts";
import type { Making } from "./making.ts";
import { pickRow } from "./pick.ts";

/** The chance that of the rows those are named that have to do with the caller. */
const KIN = 0.7;

/** The chance that of these one is named that requests before have named. */
const ABOUT = 0.6;

/** The chance that a row is named that was deleted. */
const GONE = 0.2;
/** Of the rows that went, the last ones are named. */
const GONE_MOST = 30;

/** Text that names a row that was deleted; works that were undone have deleted others. */
function goneText({ world, random }: Making, resource: string, place: number): string | undefined {
  const gone = world.gone.of(resource).filter(({ key }) => {
    return world.session.get(resource, key) === undefined;
  });
  const texts = gone.flatMap(({ values }) => {
    const value = values[place];
    if (typeof value === "bigint") return [String(value)];
    const text = typeof value === "string" ? world.shown(value) : "";
    // What nobody has seen was made in a work that was undone.
    return text === "" || isMarked(text) ? [] : [JSON.stringify(text)];
  });
  return texts.length === 0 ? undefined : random.pick(texts.slice(-GONE_MOST));
}

/** Key text of a row that is there, as JSON; now and then of none, or of one that was there. */
export function keyText(making: Making, resource: string, by?: string): string {
  const { plan, random, world } = making;
  const found = plan.resources.find((one) => one.name === resource);
  const place = found?.fields.findIndex((one) => one.name === (by ?? found.key)) ?? -1;
  const type = found?.fields[place]?.type.type;
  const rows = world.rows(resource);
  const { caller } = making;
  const own =
    caller === undefined || !random.chance(KIN)
      ? []
      : rows.filter((one) => isKin(plan, one, caller));
  const among = (own.length > 0 ? own : rows).filter(({ values }) =>
    ["string", "bigint"].includes(typeof values[place]),
  );
  const isGone = random.chance(making.gone ?? GONE);
  const gone = isGone ? goneText(making, resource, place) : undefined;
  if (gone !== undefined) return gone;
  const about = among.filter((row) => isAmong(making.about ?? [], row));
  const isAbout = about.length > 0 && random.chance(ABOUT);
  const key = pickRow(making, isAbout ? about : among)?.values[place];
  const isNobody = (isGone && making.gone !== undefined) || random.chance(making.wrong);
  if (key === undefined || isNobody) {
    if (type?.kind === "integer") return "999999999";
    if (type?.kind === "uuid") return '"0e37df36-f698-41e6-8dd4-cb9ced3df976"';
    return JSON.stringify(`${type?.kind === "id" ? (type.prefix ?? "") : ""}nobody`);
  }
  return typeof key === "string" ? JSON.stringify(key) : String(key);
}
