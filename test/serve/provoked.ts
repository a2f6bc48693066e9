/** Raw bytes that meet each condition of HTTP itself, at a service that takes JSON at a path. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import type { HttpCondition } from "../../src/plan/index.ts";
import type { HostBounds } from "../../src/serve/index.ts";

/** How the request was heard: its method and target; undefined: they cannot be read. */
type Heard = readonly [method: string, url: string] | undefined;

export interface Provoked {
  readonly what: string;
  /** A client may close its side behind them. */
  readonly bytes: string;
  readonly heard: Heard;
}

/** Bounds past which a sender is soon too slow, and two that send together are too many. */
export const SLOW: Partial<HostBounds> = {
  headersTimeoutMs: 150,
  requestTimeoutMs: 300,
  checkIntervalMs: 20,
};

/** Whether the client closes its side: not where it is to be waited for. */
export const halfCloses = (condition: HttpCondition): boolean => condition !== "sender too slow";

/**
 * For each condition that one request alone can meet; a new one has to be added here. `fields`:
 * header fields of each request, behind its `Host`.
 */
export function provoked(
  path: string,
  fields = "",
): Readonly<Record<Exclude<HttpCondition, "too busy">, readonly Provoked[]>> {
  const head = (line: string): string => `${line} HTTP/1.1\r\nHost: x\r\n${fields}`;
  const [GET, POST] = [head(`GET ${path}`), head(`POST ${path}`)];
  const BODY = `${POST}Content-Type: application/json\r\n`;
  const get = ["GET", path] as const;
  const post = ["POST", path] as const;
  const of = (what: string, bytes: string, heard: Heard): Provoked => ({ what, bytes, heard });
  const long = (length: number): string => `/${"a".repeat(length)}`;
  return {
    "malformed request": [
      of("no HTTP at all", "hello\r\n\r\n", undefined),
      of("a field without a name", `${GET}: x\r\n\r\n`, get),
      of("a space before the colon", `${GET}X : y\r\n\r\n`, get),
      of("no Host", `GET ${path} HTTP/1.1\r\n${fields}\r\n`, get),
      of("two Hosts", `${GET}Host: y\r\n\r\n`, get),
      of("a wrong Host", `GET ${path} HTTP/1.1\r\nHost: a/b\r\n${fields}\r\n`, get),
      of("an unknown method without a Host", `FOO ${path} HTTP/1.1\r\n${fields}\r\n`, [
        "FOO",
        path,
      ]),
      of("a wrong field of an unknown method", `${head(`FOO ${path}`)}X : y\r\n\r\n`, [
        "FOO",
        path,
      ]),
      of("an asterisk", `${head("DELETE *")}\r\n`, ["DELETE", "*"]),
      of("an authority", `${head("GET x:80")}\r\n`, ["GET", "x:80"]),
      of("a length twice", `${BODY}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, post),
      of(
        "a length and chunks",
        `${BODY}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
        post,
      ),
      of("a chunk without a size", `${BODY}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, post),
      of("no chunks at last", `${BODY}Transfer-Encoding: chunked, gzip\r\n\r\n`, post),
      of("less than its length", `${BODY}Content-Length: 9\r\n\r\n{`, post),
    ],
    "unknown HTTP version": [
      of("HTTP/2.0", `GET ${path} HTTP/2.0\r\nHost: x\r\n${fields}\r\n`, get),
      of("HTTP/1.7", `GET ${path} HTTP/1.7\r\nHost: x\r\n${fields}\r\n`, get),
      of("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", undefined),
    ],
    "unknown transfer coding": [
      of("a coding", `${BODY}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, post),
    ],
    "unknown expectation": [
      of("an expectation", `${BODY}Expect: more\r\nContent-Length: 2\r\n\r\n{}`, post),
    ],
    "target too long": [
      of("a target", `${head(`GET ${long(20_000)}`)}\r\n`, ["GET", long(20_000)]),
      of("a long target", `${head(`GET ${long(60_000)}`)}\r\n`, ["GET", long(60_000)]),
      of("a target without end", `GET ${long(200_000)}`, undefined),
    ],
    "header section too large": [
      of("a header", `${GET}X: ${"a".repeat(20_000)}\r\n\r\n`, get),
      of("a long header", `${GET}X: ${"a".repeat(60_000)}\r\n\r\n`, get),
      of(
        "a long header of an unknown method",
        `${head(`FOO ${path}`)}X: ${"a".repeat(60_000)}\r\n\r\n`,
        ["FOO", path],
      ),
    ],
    "body too large": [
      of("a body", `${BODY}Content-Length: 9000000\r\n\r\n${" ".repeat(9_000_000)}`, post),
      of(
        "a body that is told of",
        `${BODY}Expect: 100-continue\r\nContent-Length: 9000000\r\n\r\n`,
        post,
      ),
    ],
    "sender too slow": [
      of("half a head", `GET ${path.slice(0, -1)}`, undefined),
      of("half a body", `${BODY}Content-Length: 9\r\n\r\n{`, post),
      of("half a head with an unknown method", `${head(`FOO ${path}`)}X: y`, ["FOO", path]),
    ],
  };
}

/** Everything that comes back until the service closes the connection, or says no more. */
export function exchange(port: number, bytes: string, isHalfClosed: boolean): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    let text = "";
    const done = (): void => {
      socket.destroy();
      resolve(text);
    };
    const quiet = setTimeout(done, 4_000);
    socket.on("data", (data) => {
      text += data.toString("latin1");
      quiet.refresh();
    });
    socket.on("error", () => {});
    for (const event of ["end", "close"]) socket.on(event, done);
    if (isHalfClosed) socket.end(bytes, "latin1");
    else socket.write(bytes, "latin1");
  });
}

interface OnlyAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Head and body of the only answer. */
export function onlyAnswer(text: string): OnlyAnswer {
  const [head = "", body = "", ...more] = text.split("\r\n\r\n");
  assert.equal(more.length, 0, text.slice(0, 600));
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head, body };
}
