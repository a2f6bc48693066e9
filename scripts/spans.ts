/**
 * `node scripts/spans.ts`: words in code spans and lines of the documents in `examples` and
 * `test/unseen`, said at length (`test/long`) and as they are. A word ends at white space; fenced
 * blocks do not count.
 */
import { counts, sumOf } from "./docs/spans.ts";

const all = counts();
console.log(`${"".padEnd(36)}   words     now   lines     now`);
for (const { document, cells } of [...all, sumOf(all)]) {
  console.log(document.padEnd(36) + cells.map((cell) => String(cell).padStart(8)).join(""));
}
