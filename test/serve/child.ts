/** A service in a process of its own, to be killed: prints its address, serves until it dies. */
import { serve } from "../../src/serve/index.ts";
import { example } from "./document.ts";

const [, , file = ""] = process.argv;
const { plan, origins } = example("todo");
const running = await serve(plan, { file, origins });
process.stdout.write(`${running.address}\n`);
