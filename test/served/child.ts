/** Serves an example in a process of its own, with a clock that the parent moves, until it dies. */
import { readFileSync } from "node:fs";
import { movableClock, serve } from "../../src/serve/index.ts";
import { compiledExample, settingsFor } from "./example.ts";

const [, , name = "", file = "", start = "0"] = process.argv;
const { plan, origins } = compiledExample(name, (path) => readFileSync(path));
const clock = movableClock(BigInt(start));
process.on("message", (micros: string) => {
  clock.move(BigInt(micros));
  process.send?.("moved");
});
const running = await serve(plan, {
  file,
  origins,
  clock,
  settings: settingsFor(plan),
  standIns: true,
});
process.send?.(running.address);
