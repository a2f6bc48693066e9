/**
 * A node in a process of its own, to be killed: `child.ts URL KIND [CODE]` prints its address and
 * serves until it dies. As a control it answers before it commits. NODES_DOCUMENT=wider: it serves a
 * wider document. NODES_CALLS=none: its document has no calls.
 */
import { serve } from "../../src/serve/index.ts";
import { Wire } from "../../src/store/postgres/wire.ts";
import { nodesDocument } from "./document.ts";

const [, , file = "", kind, code = ""] = process.argv;
const DELAY_MS = { min: 5, spread: 15 };

/** Makes each connection of this thread commit a little later than it says. */
function commitLater(): void {
  const { ask, askLater, defer } = Wire.prototype;
  /** The connection that is still to commit. */
  let pending: Wire | undefined;
  let isAsking = false;
  const asked: Wire["askLater"] = function (this: Wire, all) {
    isAsking = true;
    return askLater.call(this, all).finally(() => {
      isAsking = false;
    });
  };
  Wire.prototype.askLater = async function (all) {
    if (all[0]?.sql !== "COMMIT") return await asked.call(this, all);
    const commit = (): void => {
      if (isAsking) {
        setTimeout(commit, 1);
        return;
      }
      pending = undefined;
      ask.call(this, "COMMIT");
    };
    if (pending === undefined) setTimeout(commit, DELAY_MS.min + Math.random() * DELAY_MS.spread);
    pending = this;
    return [[]];
  };
  // What comes meanwhile is done in the transaction that is open still.
  Wire.prototype.defer = function (sql, values) {
    if (pending === this && (sql.startsWith("BEGIN") || /^(COMMIT|ROLLBACK)$/.test(sql))) return;
    defer.call(this, sql, values);
  };
}

if (kind === "control") commitLater();
const isWider = process.env["NODES_DOCUMENT"] === "wider";
const { plan, origins } = nodesDocument(
  isWider ? "wider" : "as it is",
  process.env["NODES_CALLS"] !== "none",
);
const log = (line: string): void => void process.stderr.write(`${line}\n`);
const inline = kind === "control";
const running = await serve(plan, {
  ...{ origins, file, inline, log, allowPrivateReceivers: true },
  code: code === "" ? undefined : code,
});
process.once("SIGTERM", () => void running.stop().then(() => process.exit(0)));
process.stdout.write(`${running.address}\n`);
