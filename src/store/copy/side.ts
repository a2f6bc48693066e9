/** One of the two databases of a copy. */
import type { Plan } from "../../plan/index.ts";
import type { Cells, Flat } from "./flat.ts";

/** Rows of one page. */
const PAGE = 2_000;

export interface Side {
  /** A note of the store, as the table of notes has it. */
  note(name: string): string | undefined;
  /** Rows behind one, in the order of their keys. */
  page(flat: Flat, after: Cells | undefined, most: number): readonly Cells[];
  close(): void;
}

/** Where rows are copied to. */
export interface Target extends Side {
  /** Makes the tables of a plan, and keeps what is noted of the copy. */
  make(plan: Plan, copying: string): void;
  /** Adds rows, and keeps what is noted of the copy with them: both or nothing. */
  put(flat: Flat, rows: readonly Cells[], copying: string): void;
  /** All is there: it is a store from then on. `notes`: of the document. */
  finish(notes: Readonly<Record<string, string>>): void;
}

/** All rows behind one, page by page. */
export function* pagesOf(side: Side, flat: Flat, from?: Cells): Generator<readonly Cells[]> {
  for (let after = from; ; ) {
    const page = side.page(flat, after, PAGE);
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.slice(0, flat.keys);
  }
}
