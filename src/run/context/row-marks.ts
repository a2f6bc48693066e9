/** Marks of rows for which a time has come that met a gap: what they hold by now is not known. */
import type { ItemId } from "../../plan/index.ts";
import type { Row, Session } from "../ports/index.ts";
import type { ResourceInfo } from "./model.ts";

/** Under which name it is counted that rows are marked. */
const COUNTED = "#gaps";
const EVER = -(2n ** 62n);
/** Stands before the gap where nothing brings it about once more. */
const FOR_EVER = "!";
/** Stands between a gap, what fell due and when; no item has it in its name. */
const BETWEEN = "\n";

/** Whether any row of the store is marked. */
export function isMarked(session: Session): boolean {
  return session.counters.tallies(COUNTED, 0, EVER).length > 0;
}

/** Marks a row, as it was when its time came, with the gap that was met. */
export function mark(session: Session, { info, row, due }: Marked, gap: ItemId): void {
  if (info.mark === undefined) return;
  const text = due === undefined ? FOR_EVER + gap : [gap, due.item, String(due.at)].join(BETWEEN);
  const values = row.values.map((value, place) => (place === info.mark ? text : value));
  session.update(row.resource, row.key, values);
  if (!isMarked(session)) session.counters.tally(COUNTED, 0, { at: 0n, amount: 1n });
}

interface Marked {
  readonly info: ResourceInfo;
  readonly row: Row;
  /** What fell due; undefined: it does not come again, and the mark stays after a new start. */
  readonly due?: { readonly item: ItemId; readonly at: bigint };
}

/** What a row is marked with. */
export interface Mark {
  readonly gap: ItemId;
  /** What fell due for the row: a transition, or how long it is kept; undefined: not known. */
  readonly of?: ItemId;
  /** When it fell due. */
  readonly at?: bigint;
}

/** The mark of a row; undefined: it has none. */
export function markOf({ mark: place }: ResourceInfo, { values }: Row): Mark | undefined {
  const text = values[place ?? -1];
  if (typeof text !== "string") return undefined;
  const [gap = "", of, at] = (text.startsWith(FOR_EVER) ? text.slice(FOR_EVER.length) : text).split(
    BETWEEN,
  );
  return of === undefined || at === undefined ? { gap } : { gap, of, at: BigInt(at) };
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
