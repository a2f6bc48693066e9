/** Ends connections whose bodies come in so many small chunks that reading them holds others up. */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

/** Where so many pieces are smaller than that on average, they cost more than they say. */
const CRUMBS_MIN = 1_024;
const CRUMB_BYTES = 16;

/** What the library's parser calls for each piece of a body; it stands under a number. */
const ON_BODY = "parserOnBody";

/** A parser of the library: no part of its documented interface, and looked at with care. */
type Parser = Record<string, unknown>;

function parserOf(socket: Socket & { readonly parser?: Parser | null }): Parser | undefined {
  return socket.parser ?? undefined;
}

/**
 * Counts the pieces of a request's body while they are parsed. That they are crumbs is known before
 * anybody reads them: up to 64 KiB are parsed in one go, and each piece is a call of its own.
 */
export function endCrumbs(request: IncomingMessage): void {
  const { socket } = request;
  const push = request.push.bind(request);
  let [pieces, bytes] = [0, 0];
  request.push = (piece: Buffer | null, encoding) => {
    if (piece === null) return push(piece);
    pieces++;
    bytes += piece.length;
    if (pieces <= CRUMBS_MIN || bytes >= pieces * CRUMB_BYTES) return push(piece, encoding);
    // To read on for the sake of an answer would cost as much as to read all.
    if (!socket.destroyed) cut(socket);
    return true;
  };
}

/**
 * Ends a connection at once. The parser cannot be stopped before it has been through all that has
 * arrived; without a function to call for them, pieces cost it next to nothing. It gets its
 * function back before another connection can use it.
 */
function cut(socket: Socket): void {
  const parser = parserOf(socket);
  const place = Object.entries(parser ?? {}).find(
    ([, value]) => typeof value === "function" && value.name === ON_BODY,
  );
  if (parser !== undefined && place !== undefined) {
    const [key, call] = place;
    const restore = (): void => {
      parser[key] = call;
    };
    parser[key] = null;
    socket.prependOnceListener("close", restore);
    setImmediate(restore);
  }
  socket.destroy();
}
