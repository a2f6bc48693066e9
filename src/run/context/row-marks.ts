/** Marks of rows for which a time has come that met a gap: what they hold by now is not known. */
import type { ItemId } from "../../plan/index.ts";
import type { Row, Session } from "../ports/index.ts";
import type { ResourceInfo } from "./model.ts";

/** Under which name it is counted that rows are marked. */
const COUNTED = "#gaps";
const EVER = -(2n ** 62n);

/** A mark as the row keeps it, in a list in JSON. */
interface Kept {
  readonly gap: ItemId;
  readonly of: ItemId;
  /** Microseconds since 1970-01-01T00:00:00Z, which JSON's numbers do not hold. */
  readonly at: string;
  /** Nothing brings it about once more. */
  readonly stays: boolean;
}

function keptBy({ mark: place }: ResourceInfo, { values }: Row): readonly Kept[] {
  const text = values[place ?? -1];
  return typeof text === "string" ? JSON.parse(text) : [];
}

/** Whether any row of the store is marked. */
export function isMarked(session: Session): boolean {
  return session.counters.tallies(COUNTED, 0, EVER).length > 0;
}

/** Marks a row, as it was when it was to be changed, with the gap that was met. */
export function mark(session: Session, { info, row, due, over }: Marked, gap: ItemId): void {
  if (info.mark === undefined) return;
  const { item, at } = due ?? over;
  const one: Kept = { gap, of: item, at: String(at), stays: due === undefined };
  const isSame = (other: Kept) =>
    other.gap === gap && other.of === item && other.stays === one.stays;
  const text = JSON.stringify([...keptBy(info, row).filter((other) => !isSame(other)), one]);
  const values = row.values.map((value, place) => (place === info.mark ? text : value));
  session.update(row.resource, row.key, values);
  if (!isMarked(session)) session.counters.tally(COUNTED, 0, { at: 0n, amount: 1n });
}

/** What was to be done, and when. */
interface Met {
  readonly item: ItemId;
  readonly at: bigint;
}

interface Place {
  readonly info: ResourceInfo;
  readonly row: Row;
}

/** `due`: it comes again at a new start. `over`: it does not, and the mark stays. */
type Marked = Place &
  (
    | { readonly due: Met; readonly over?: undefined }
    | { readonly due?: undefined; readonly over: Met }
  );

/** What a row is marked with. */
export interface Mark {
  readonly gap: ItemId;
  /** What was to be done for the row, as `doubtsOf` names it. */
  readonly of: ItemId;
  /** When it was to be done; undefined: not known. */
  readonly at?: bigint;
}

/** The marks of a row; empty: it has none. */
export function marksOf(info: ResourceInfo, row: Row): readonly Mark[] {
  return keptBy(info, row).map(({ gap, of, at }) => ({ gap, of, at: BigInt(at) }));
}

/** Takes all marks away, so that what fell due is tried again: the document may have changed. */
export function unmark(session: Session, resources: Iterable<ResourceInfo>): void {
  const marking = [...resources].filter(({ mark: place }) => place !== undefined);
  // A store of a document without such times counts no marks.
  if (marking.length === 0 || !isMarked(session)) return;
  let anyStays = false;
  for (const info of marking) {
    if (info.mark === undefined) continue;
    for (const row of session.all(info.name)) {
      const before = keptBy(info, row);
      const kept = before.filter(({ stays }) => stays);
      if (kept.length > 0) anyStays = true;
      if (kept.length === before.length) continue;
      const text = kept.length === 0 ? null : JSON.stringify(kept);
      const values = row.values.map((value, place) => (place === info.mark ? text : value));
      session.update(info.name, row.key, values);
    }
  }
  if (!anyStays) session.counters.forget(COUNTED, 0, 1n);
}
