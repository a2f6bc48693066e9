/** A response as what a stream is sent into. */
import type { ServerResponse } from "node:http";
import type { Sink } from "../streams/hub.ts";

/**
 * A stream's client is slow when more waits for it than one write buffer holds. One that has said
 * all it will say has ended its stream: what would be sent then is for nobody.
 */
export function sinkOf(response: ServerResponse): Sink {
  const { socket } = response.req;
  // The connection may serve many streams, one after the other.
  const onEnd = (run: () => void): void => {
    socket.once("end", run);
    response.once("close", () => socket.off("end", run));
  };
  onEnd(() => response.end());
  return {
    write: (text) => response.writableEnded || response.write(text),
    end: () => void response.end(),
    onDrained: (run) => response.on("drain", run),
    onClosed: (run) => {
      response.once("close", run);
      onEnd(run);
    },
  };
}
