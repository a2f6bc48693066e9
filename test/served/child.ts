/** Serves a plan in a process of its own, with a clock that the parent moves, until it dies. */
import { readFileSync } from "node:fs";
import type { Plan } from "../../src/plan/index.ts";
import { movableClock, serve } from "../../src/serve/index.ts";
import { settingsFor } from "./settings.ts";

const [, , planFile = "", file = "", start = "0"] = process.argv;
const plan: Plan = JSON.parse(readFileSync(planFile, "utf8"));
const clock = movableClock(BigInt(start));
process.on("message", (micros: string) => {
  clock.move(BigInt(micros));
  process.send?.("moved");
});
const running = await serve(plan, {
  file,
  clock,
  settings: settingsFor(plan),
  standIns: true,
});
process.send?.(running.address);
