/** Marks of rows for which a time has come that met a gap: what they hold by now is not known. */
import type { ItemId } from "../../plan/index.ts";
import type { Row, Session } from "../ports/index.ts";
import type { ResourceInfo } from "./model.ts";

/** Under which name it is counted that rows are marked. */
const COUNTED = "#gaps";
const EVER = -(2n ** 62n);

/** Whether any row of the store is marked. */
export function isMarked(session: Session): boolean {
  return session.counters.tallies(COUNTED, 0, EVER).length > 0;
}

/** Marks a row, as it was when its time came, with the gap that was met. */
export function mark(session: Session, { info, row }: Marked, gap: ItemId): void {
  const values = row.values.map((value, place) => (place === info.mark ? gap : value));
  session.update(row.resource, row.key, values);
  if (!isMarked(session)) session.counters.tally(COUNTED, 0, { at: 0n, amount: 1n });
}

interface Marked {
  readonly info: ResourceInfo;
  readonly row: Row;
}

/** Takes all marks away, so that what fell due is tried again: the document may have changed. */
export function unmark(session: Session, resources: Iterable<ResourceInfo>): void {
  const marking = [...resources].filter(({ mark: place }) => place !== undefined);
  // A store of a document without such times counts no marks.
  if (marking.length === 0 || !isMarked(session)) return;
  for (const info of marking) {
    if (info.mark === undefined) continue;
    for (const row of session.all(info.name)) {
      if (row.values[info.mark] === null) continue;
      const values = row.values.map((value, place) => (place === info.mark ? null : value));
      session.update(info.name, row.key, values);
    }
  }
  session.counters.forget(COUNTED, 0, 1n);
}
