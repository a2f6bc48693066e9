/** Documents of the cells (`test/places`) as subjects of histories. */
import { allCells } from "../places/cells.ts";
import { documentText, failureRows } from "../places/frame.ts";
import { type Cell, startsOf } from "../places/judge.ts";
import { mended } from "../places/mend.ts";
import type { Subject } from "./history.ts";
import { Random } from "./random.ts";
import { subjectFor } from "./subjects.ts";

let cells: readonly Cell[] | undefined;

/** A cell taken by chance from those that are served. */
export function cellSubject(seed: number): Subject {
  cells ??= allCells();
  const random = new Random(seed);
  for (;;) {
    const { name, slot, make } = random.pick(cells);
    const one = make();
    // Numbers inside JSON lose digits in code.
    if (one.echoes === true && slot.type.includes("json")) continue;
    const { document, settings = {}, startRows, echoes = false } = one;
    const made = mended(documentText(document, failureRows()), startsOf(one, slot));
    if (made.is === "right") {
      return { ...subjectFor(`cell ${name}`, made.plan, settings, startRows), echoes };
    }
  }
}
