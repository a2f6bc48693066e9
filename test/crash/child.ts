/**
 * A service in a process of its own, to be killed: `child.ts FILE KIND [CODE]` prints its address and
 * serves until it dies. As a control it answers before the commit, or commits without a sync.
 */
import { readFileSync } from "node:fs";
import { serve } from "../../src/serve/index.ts";
import { document } from "../serve/document.ts";
import { delayCommits, leaveUnsynced } from "./control.ts";

const [, , file = "", kind, code = ""] = process.argv;
const text = readFileSync(new URL("spec.md", import.meta.url), "utf8");
// The controls change the database library, which each thread has for itself.
const inline = kind !== "real";
if (kind === "control") delayCommits();
if (kind === "unsynced") leaveUnsynced();
const log = (line: string): boolean => process.stderr.write(`${line}\n`);
const running = await serve(document(text).plan, {
  file,
  inline,
  log,
  allowPrivateReceivers: true,
  code: code === "" ? undefined : code,
});
process.stdout.write(`${running.address}\n`);
