/** The shop in a process of its own, to be killed: prints its address, serves until it dies. */
import { serve } from "../../../src/serve/index.ts";
import { shopPlan } from "./shop.ts";

const [, , file = "", code = ""] = process.argv;
const running = await serve(
  shopPlan((text) => text.replace("- Time-out: 600 ms", "- Time-out: 60 s")).plan,
  { file, code, environment: {} },
);
process.stdout.write(`${running.address}\n`);
