/** What of the rows behind references the caller of a work sees. */
import { beyondRows } from "../../plan/index.ts";
import type { Source } from "../evaluate/index.ts";
import { GapFault } from "../evaluate/index.ts";
import type { Row } from "../ports/index.ts";
import type { Model } from "./model.ts";

/** A work, as far as it decides what is seen. */
interface Looking extends Source {
  readonly model: Model;
  readonly caller: Row | null;
  readonly touched: ReadonlyMap<string, { readonly created: boolean }>;
}

/** The sight of one work: no document states what is seen through a reference beyond it. */
export class Sight {
  readonly #tx: Looking;
  /** Rows that were looked at and may be seen, as all rows are now. */
  #visible: Set<Row> | undefined;

  constructor(tx: Looking) {
    this.#tx = tx;
  }

  /** A row is written: what was seen need not be seen any more. */
  forget(): void {
    this.#visible = undefined;
  }

  /** `through`: the field that led to the row, or nothing. */
  see(row: Row, through: string): void {
    const tx = this.#tx;
    if (tx.caller === null) return;
    const { filter, filterItem } = tx.model.info(row.resource);
    if (filter === undefined || this.#visible?.has(row) === true) return;
    // Who has made a row, or is it, knows it.
    const isOwn =
      row === tx.caller || tx.touched.get(`${row.resource} ${row.key}`)?.created === true;
    if (!isOwn && !tx.model.sight.sees(tx, row)) {
      throw new GapFault(beyondRows(filterItem ?? row.resource, through));
    }
    this.#visible ??= new Set();
    this.#visible.add(row);
  }
}
