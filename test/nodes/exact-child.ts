/** A node with a limit, in a process of its own: `exact-child.ts URL` prints its address. */
import { serve } from "../../src/serve/index.ts";
import { limitedDocument } from "./document.ts";

const [, , file = ""] = process.argv;
const { plan, origins } = limitedDocument();
const running = await serve(plan, { origins, file, trustProxy: ["127.0.0.1"] });
process.stdout.write(`${running.address}\n`);
