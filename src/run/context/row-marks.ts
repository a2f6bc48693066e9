/** Marks of rows for which a time has come that met a gap: what they hold by now is not known. */
import type { ItemId } from "../../plan/index.ts";
import type { Row, Session } from "../ports/index.ts";
import type { ResourceInfo } from "./model.ts";

/** Under which name it is counted that rows are marked. */
const COUNTED = "#gaps";
const EVER = -(2n ** 62n);
/** Stands before the gap where nothing brings it about once more. */
const FOR_EVER = "!";
/** Stands between a gap, what was to be done and when; no item has it in its name. */
const BETWEEN = "\n";
/** Stands between the marks of one row. */
const MARKS_BETWEEN = "\n\n";

function textsOf({ mark: place }: ResourceInfo, { values }: Row): readonly string[] {
  const text = values[place ?? -1];
  return typeof text === "string" ? text.split(MARKS_BETWEEN) : [];
}

/** Whether any row of the store is marked. */
export function isMarked(session: Session): boolean {
  return session.counters.tallies(COUNTED, 0, EVER).length > 0;
}

/** Marks a row, as it was when it was to be changed, with the gap that was met. */
export function mark(session: Session, { info, row, due, over }: Marked, gap: ItemId): void {
  if (info.mark === undefined) return;
  const what = due ?? over;
  const begin = (due === undefined ? FOR_EVER : "") + [gap, what.item].join(BETWEEN) + BETWEEN;
  const before = textsOf(info, row).filter((one) => !one.startsWith(begin));
  const text = [...before, begin + String(what.at)].join(MARKS_BETWEEN);
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
  /** What was to be done for the row, as `doubtsOf` names it; undefined: not known. */
  readonly of?: ItemId;
  /** When it was to be done. */
  readonly at?: bigint;
}

/** The marks of a row; empty: it has none. */
export function marksOf(info: ResourceInfo, row: Row): readonly Mark[] {
  return textsOf(info, row).map((text) => {
    const bare = text.startsWith(FOR_EVER) ? text.slice(FOR_EVER.length) : text;
    const [gap = "", of, at] = bare.split(BETWEEN);
    return of === undefined || at === undefined ? { gap } : { gap, of, at: BigInt(at) };
  });
}

/** Takes all marks away, so that what fell due is tried again: the document may have changed. */
export function unmark(session: Session, resources: Iterable<ResourceInfo>): void {
  const marking = [...resources].filter(({ mark: place }) => place !== undefined);
  // A store of a document without such times counts no marks.
  if (marking.length === 0 || !isMarked(session)) return;
  let stays = false;
  for (const info of marking) {
    if (info.mark === undefined) continue;
    for (const row of session.all(info.name)) {
      const before = textsOf(info, row);
      const kept = before.filter((one) => one.startsWith(FOR_EVER));
      if (kept.length > 0) stays = true;
      if (kept.length === before.length) continue;
      const text = kept.length === 0 ? null : kept.join(MARKS_BETWEEN);
      const values = row.values.map((value, place) => (place === info.mark ? text : value));
      session.update(info.name, row.key, values);
    }
  }
  if (!stays) session.counters.forget(COUNTED, 0, 1n);
}
