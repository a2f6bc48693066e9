/** An attack in a process of its own: `node test/fair/attacker.ts NAME PORT`; ends when told to. */
import { attackNamed } from "./attacks.ts";

const [, , name = "", port = ""] = process.argv;
process.on("disconnect", () => process.exit());
process.on("uncaughtException", (fault: NodeJS.ErrnoException) => {
  // Connections that the service closes are what it does against this.
  if (fault.code === undefined) throw fault;
});
await attackNamed(name).run(Number(port));
process.send?.("on");
