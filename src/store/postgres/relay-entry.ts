/** The thread that encrypts connections: it opens one to the server for each that it takes. */
import { readFileSync } from "node:fs";
import { connect, createServer, isIP, type Socket } from "node:net";
import { pipeline } from "node:stream";
import { type ConnectionOptions, connect as secure } from "node:tls";
import { parentPort } from "node:worker_threads";
import type { Taken, Wanted } from "./relay.ts";

/** `SSLRequest`, and how the server agrees (PostgreSQL, "Message Formats"). */
const ASKS = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);
const AGREES = "S";

/** `ErrorResponse`, by which a client is told why it is not let in. */
function refusal(why: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C08001\0M${why}\0\0`);
  const head = Buffer.alloc(5, "E");
  head.writeUInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

function optionsOf({ host, tls }: Wanted): ConnectionOptions {
  const file = (path: string | undefined): Buffer | undefined =>
    path === undefined ? undefined : readFileSync(path);
  const { checks } = tls;
  return {
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: checks !== "nothing",
    ...(checks === "host" ? {} : { checkServerIdentity: () => undefined }),
    ca: file(tls.authorities),
    cert: file(tls.certificate),
    key: file(tls.key),
  };
}

/** Takes a connection on to the server. `inner`: that of the client. */
function relay(wanted: Wanted, options: ConnectionOptions, inner: Socket): void {
  const { host, port } = wanted;
  const refuse = (why: string): void => void inner.end(refusal(why));
  const outer = connect({ host, port, keepAlive: true, noDelay: true });
  const failed = (error: Error): void => refuse(error.message);
  inner.on("error", () => outer.destroy());
  outer.on("error", failed);
  outer.once("connect", () => outer.write(ASKS));
  outer.once("data", (answer: Buffer) => {
    outer.pause();
    // What stands behind it was sent by somebody who is not the other end of the encryption.
    if (answer.toString("latin1") !== AGREES) {
      refuse("the server takes no encrypted connections");
      outer.destroy();
      return;
    }
    const secured = secure({ ...options, socket: outer });
    secured.once("error", failed);
    secured.once("secureConnect", () => {
      secured.off("error", failed);
      pipeline(inner, secured, inner, () => outer.destroy());
    });
  });
}

function take(wanted: Wanted): void {
  const { number, path } = wanted;
  const say = (taken: Taken): void => parentPort?.postMessage(taken);
  let options: ConnectionOptions;
  try {
    options = optionsOf(wanted);
  } catch (error) {
    say({ number, why: `a file for TLS cannot be read: ${(error as Error).message}` });
    return;
  }
  const server = createServer({ allowHalfOpen: false }, (inner) => {
    server.close();
    relay(wanted, options, inner);
  });
  server.on("error", (error) => say({ number, why: error.message }));
  server.listen(path, () => say({ number }));
}

parentPort?.on("message", take);
