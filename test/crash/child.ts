/**
 * A service in a process of its own, to be killed: `child.ts FILE KIND [CODE]` prints its address and
 * serves until it dies. As a control it answers before the commit, commits without a sync, or
 * records some events nowhere.
 * CRASH_FIELD: a field that the document has more. CRASH_VERSION: how many others it has; SIGUSR2:
 * it takes a document with one more.
 * CRASH_CLOCK: a file with the milliseconds by which the machine's clock is wrong.
 */
import { readFileSync } from "node:fs";
import { type Clock, serve, systemClock } from "../../src/serve/index.ts";
import { type Document, document } from "../serve/document.ts";
import { delayCommits, leaveUnsynced } from "./control.ts";
import { edited, keptForLong } from "./edited.ts";

const [, , file = "", kind, code = ""] = process.argv;
let version = Number(process.env["CRASH_VERSION"] ?? 0);
const field = process.env["CRASH_FIELD"];
/** Where it stands by how much the machine's clock is wrong. */
const path = process.env["CRASH_CLOCK"];

/** The document with so many fields more. */
function versionOf(count: number): Document {
  const more = Array.from({ length: count }, (_, i) => `more${i}`);
  const text = edited([...(field === undefined ? [] : [field]), ...more]);
  return document(path === undefined ? text : keptForLong(text));
}

/** How often the file of the clock is looked at. */
const LOOK_MS = 20;

/** The machine's clock, wrong by what the file says at each moment. */
function wrongClock(from: string): Clock {
  let lookedMs = Number.NEGATIVE_INFINITY;
  let wrong = 0;
  const steady = (): number => performance.now();
  return systemClock(log, {
    steady: () => BigInt(Math.round(steady() * 1000)),
    wall: () => {
      if (steady() - lookedMs > LOOK_MS) {
        wrong = Number(readFileSync(from, "utf8")) || 0;
        lookedMs = steady();
      }
      return BigInt(Date.now() + wrong) * 1000n;
    },
  });
}

const log = (line: string): void => void process.stderr.write(`${line}\n`);
const clock = path === undefined ? undefined : wrongClock(path);
// These controls change the database library of this thread alone.
const inline = kind === "control" || kind === "unsynced";
if (kind === "control") delayCommits();
if (kind === "unsynced") leaveUnsynced();
const options = { file, inline, log, clock, allowPrivateReceivers: true };
const running = await serve(versionOf(version).plan, {
  ...options,
  code: code === "" ? undefined : code,
});
process.stdout.write(`${running.address}\n`);
process.on("SIGUSR2", () => {
  version++;
  const { plan, origins } = versionOf(version);
  const next = { plan, origins: JSON.stringify(origins), startRows: undefined };
  running.take(next).then(
    () => log(`took version ${version}`),
    (fault) => log(`refused version ${version}: ${String(fault)}`),
  );
});
