/** A process of the campaign: judges the cell whose number it is sent, and sends the verdict back. */
import { allCells } from "./cells.ts";
import { judge } from "./judge.ts";

const cells = allCells();
process.on("message", (at: number) => {
  const cell = cells[at];
  if (cell === undefined) throw new Error(`no cell ${at}`);
  void judge(cell, process.argv[2] === "check").then((verdict) => process.send?.({ at, verdict }));
});
process.on("disconnect", () => process.exit());
