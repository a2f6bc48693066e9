/** What the thread runs that passes the traffic: nothing that is judged delays it. */
import { parentPort, workerData } from "node:worker_threads";
import { Forwarder } from "./forward.ts";
import { Tap } from "./tap.ts";
import type { ForwardingData, ToForwarder, ToJudge } from "./thread.ts";

const { url, host, port, keepHost, contentMax, room } = workerData as ForwardingData;
const tell = (message: ToJudge): void => parentPort?.postMessage(message);
const forwarder = new Forwarder({
  url: new URL(url),
  keepHost,
  contentMax,
  tell: (passed) => tap.take(passed),
});
const tap = new Tap(
  room,
  () => forwarder.oldest,
  (batch) => tell({ is: "batch", batch }),
);
parentPort?.on("message", (message: ToForwarder) => {
  if (message.is === "done") tap.done(message.done);
  else {
    void forwarder.close(message.patience).then(() => {
      tap.flush();
      tell({ is: "closed" });
      parentPort?.close();
    });
  }
});
try {
  tell({ is: "listening", port: await forwarder.listen(port, host) });
} catch (fault) {
  const { code = "", message } = fault as { code?: string; message: string };
  tell({ is: "fault", code, message });
}
