/** Marks of rows for which a time has come that met a gap: what they hold by now is not known. */
import type { ItemId } from "../../plan/index.ts";
import type { Row, Session } from "../ports/index.ts";
import type { ResourceInfo } from "./model.ts";

/** Under which name it is counted that rows are marked. */
const COUNTED = "#gaps";
const EVER = -(2n ** 62n);
/** Stands before the gap where nothing brings it about once more. */
const FOR_EVER = "!";

/** Whether any row of the store is marked. */
export function isMarked(session: Session): boolean {
  return session.counters.tallies(COUNTED, 0, EVER).length > 0;
}

/** Marks a row, as it was when its time came, with the gap that was met. */
export function mark(session: Session, { info, row, isForEver }: Marked, gap: ItemId): void {
  if (info.mark === undefined) return;
  const text = isForEver === true ? FOR_EVER + gap : gap;
  const values = row.values.map((value, place) => (place === info.mark ? text : value));
  session.update(row.resource, row.key, values);
  if (!isMarked(session)) session.counters.tally(COUNTED, 0, { at: 0n, amount: 1n });
}

interface Marked {
  readonly info: ResourceInfo;
  readonly row: Row;
  /** What met the gap does not come again: the mark stays when the service starts anew. */
  readonly isForEver?: boolean;
}

/** The gap that a row is marked with. */
export function markOf({ mark: place }: ResourceInfo, { values }: Row): ItemId | undefined {
  const text = values[place ?? -1];
  if (typeof text !== "string") return undefined;
  return text.startsWith(FOR_EVER) ? text.slice(FOR_EVER.length) : text;
}

/** What a look for doubts needs of a work. */
interface Looking {
  readonly session: Session;
  readonly model: { info(resource: string): ResourceInfo };
  /** Rows that the work has made or changed, by resource and key: no time has passed for them. */
  readonly touched: ReadonlyMap<string, unknown>;
}

/**
 * The gap that a time has met, or may meet, which can make, change or delete rows of the resource.
 * `hasMarks`: some row of the store is marked.
 */
export function doubtedBy(
  { session, model, touched }: Looking,
  resource: string,
  hasMarks: boolean,
): ItemId | undefined {
  for (const name of model.info(resource).doubters) {
    const info = model.info(name);
    const { restless } = info.gaps;
    if (!hasMarks && restless.size === 0) continue;
    for (const row of session.all(name)) {
      if (touched.has(`${name} ${row.key}`)) continue;
      const met = markOf(info, row) ?? restless.get(row.values[info.state ?? -1] as string);
      if (met !== undefined) return met;
    }
  }
  return undefined;
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
      const text = row.values[info.mark];
      if (typeof text !== "string") continue;
      if (text.startsWith(FOR_EVER)) {
        stays = true;
        continue;
      }
      const values = row.values.map((value, place) => (place === info.mark ? null : value));
      session.update(info.name, row.key, values);
    }
  }
  if (!stays) session.counters.forget(COUNTED, 0, 1n);
}
