/** Passes on a connection that another protocol takes over (RFC 9110 section 7.8). */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { answerFields, pairsOf, upgradeFields } from "./hops.ts";
import { micros, type Passed } from "./passed.ts";
import type { Upstream } from "./passing.ts";

interface Upgrading {
  readonly upstream: Upstream;
  readonly incoming: IncomingMessage;
  readonly socket: Duplex;
  /** What has come behind the request. */
  readonly head: Buffer;
  tell(passed: Passed): void;
}

function headOf({ statusCode, statusMessage }: IncomingMessage, fields: readonly string[]): string {
  const lines = [...pairsOf(fields)].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines}\r\n`;
}

/** Joins both connections where the service agrees; else its answer is the client's. */
export function passUpgrade({ upstream, incoming, socket, head, tell }: Upgrading): void {
  const { rawHeaders, method = "" } = incoming;
  const asking = upstream.ask(upgradeFields(rawHeaders, upstream.headers));
  const sent = micros();
  const { target } = upstream;
  const noted = { method, target, headers: [], body: undefined, answered: [] };
  const told = (status: number): void =>
    tell({
      ...noted,
      status,
      answerBody: undefined,
      sent,
      received: micros(),
      missing: "an upgrade",
    });
  const end = (): void => void socket.destroy();
  asking.on("upgrade", (answer, other, first) => {
    told(101);
    socket.write(headOf(answer, upgradeFields(answer.rawHeaders, answerFields(answer.rawHeaders))));
    if (first.length > 0) socket.write(first);
    if (head.length > 0) other.write(head);
    socket.pipe(other).pipe(socket);
    const drop = (): void => {
      other.destroy();
      end();
    };
    for (const one of [socket, other]) one.on("error", drop);
    other.on("close", end);
    socket.on("close", () => other.destroy());
  });
  asking.on("response", (answer) => {
    told(answer.statusCode ?? 0);
    socket.write(headOf(answer, [...answerFields(answer.rawHeaders), "Connection", "close"]));
    answer.pipe(socket);
  });
  asking.on("error", () => socket.end("HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n"));
  socket.on("error", () => asking.destroy());
  asking.end();
}
