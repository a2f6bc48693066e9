/** A response as what a stream is sent into. */
import type { ServerResponse } from "node:http";
import type { Sink } from "../streams/hub.ts";

/** A stream's client is slow when more waits for it than one write buffer holds. */
export function sinkOf(response: ServerResponse): Sink {
  return {
    write: (text) => response.write(text),
    end: () => response.end(),
    onDrained: (run) => response.on("drain", run),
    onClosed: (run) => response.once("close", run),
  };
}
