/** Requests whose framing is hostile: lengths, chunks, methods, versions, many in one. */

import type { Random } from "./bodies.ts";
import { pick } from "./bodies.ts";
import type { Seed } from "./targets.ts";

/** A request as text, before it is sent; `latin1` wherever it has bytes above 127. */
export interface Parts {
  readonly method: string;
  readonly target: string;
  readonly version: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface Framed {
  readonly bytes: Buffer;
  readonly methods: readonly string[];
  /** Not sure to be answered and ended by itself. */
  readonly open: boolean;
}

/** The bytes of a request; its length is stated only if a header of `parts` states it. */
export function written({ method, target, version, headers, body }: Parts): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const head = `${method} ${target} ${version}\r\nHost: x\r\n${lines}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), body]);
}

/** What a seed is, with its length. */
export function partsOf(seed: Seed): Parts {
  const body = Buffer.from(seed.body ?? "");
  const length = seed.body === undefined ? [] : [["Content-Length", String(body.length)] as const];
  const headers = [...seed.headers, ...length];
  return { method: seed.method, target: seed.path, version: "HTTP/1.1", headers, body };
}

type Maker = (parts: Parts, random: Random) => Partial<Parts>;

const without = (parts: Parts): Parts["headers"] =>
  parts.headers.filter(([name]) => name !== "Content-Length");

const header =
  (name: string, ...values: readonly string[]): Maker =>
  (parts, random) => ({
    headers: [...without(parts), [name, pick(values, random)]],
  });

const chunk = (body: Buffer, size = body.length.toString(16)): Buffer =>
  Buffer.concat([Buffer.from(`${size}\r\n`), body, Buffer.from("\r\n")]);

const chunked =
  (body: Buffer, end = "0\r\n\r\n"): Maker =>
  (parts) => ({
    headers: [...without(parts), ["Transfer-Encoding", "chunked"]],
    body: Buffer.concat([body, Buffer.from(end)]),
  });

const HIDDEN = Buffer.from("0\r\n\r\nGET /hidden HTTP/1.1\r\nHost: x\r\n\r\n");

const MAKERS: Readonly<Record<string, Maker>> = {
  "chunk size": (parts, random) =>
    chunked(
      chunk(
        parts.body,
        pick(["-1", "zz", "fffffffffffffffff", "0x5", "1;a=b", " 5", "5 ", ""], random),
      ),
    )(parts, random),
  "chunk without end": (parts, random) => chunked(chunk(parts.body), "")(parts, random),
  "chunk extensions": (parts, random) =>
    chunked(Buffer.from(`1;${"a=b;".repeat(random() * 9000)}\r\n{\r\n`))(parts, random),
  trailers: (parts, random) =>
    chunked(
      chunk(parts.body),
      `0\r\nContent-Length: 3\r\n${"T: x\r\n".repeat(random() * 300)}\r\n`,
    )(parts, random),
  "length and chunks": (parts) => ({
    headers: [...without(parts), ["Content-Length", "5"], ["Transfer-Encoding", "chunked"]],
    body: HIDDEN,
  }),
  "chunks and length": (parts) => ({
    headers: [
      ["Transfer-Encoding", "chunked"],
      ...without(parts),
      ["Content-Length", String(HIDDEN.length)],
    ],
    body: HIDDEN,
  }),
  "two lengths": (parts) => ({
    headers: [...parts.headers, ["Content-Length", "0"], ["Content-Length", "44"]],
    body: HIDDEN,
  }),
  "odd length": header(
    "Content-Length",
    "-1",
    "+5",
    "0x5",
    "5, 5",
    "5,6",
    "1e3",
    "",
    " ",
    "5 5",
    "18446744073709551617",
    "999999999999",
  ),
  "longer than sent": header("Content-Length", "100000", "999999", "65537", "20000"),
  "shorter than sent": (parts) => ({ headers: [...without(parts), ["Content-Length", "1"]] }),
  "odd coding": (parts, random) => ({
    headers: [
      ...without(parts),
      [
        "Transfer-Encoding",
        pick(
          [
            "xchunked",
            "chunked, identity",
            "identity",
            "\x0bchunked",
            "chunked, chunked",
            "chunked;q=1",
            "chunk",
          ],
          random,
        ),
      ],
    ],
    body: HIDDEN,
  }),
  "plain coding": (parts, random) => ({
    headers: [
      ...without(parts),
      ["Transfer-Encoding", pick(["gzip, chunked", "chunked\t", " chunked", "CHUNKED"], random)],
    ],
    body: HIDDEN,
  }),
  "odd coding name": (parts, random) => ({
    headers: [
      ...without(parts),
      [
        pick(
          [
            "Transfer-Encoding ",
            "Transfer_Encoding",
            "X\r\nTransfer-Encoding",
            "\tTransfer-Encoding",
            "Transfer-Encoding\0",
          ],
          random,
        ),
        "chunked",
      ],
    ],
    body: HIDDEN,
  }),
  version: (_, random) => ({
    version: pick(
      [
        "HTTP/1.0",
        "HTTP/0.9",
        "HTTP/2.0",
        "HTTP/1.9",
        "http/1.1",
        "HTTP/1.1 x",
        "",
        "HTTPS/1.1",
        "ICE/1.0",
      ],
      random,
    ),
  }),
  method: (_, random) => ({
    method: pick(
      [
        "get",
        "TRACE",
        "CONNECT",
        "BREW",
        "PRI",
        "OPTIONS",
        "HEAD",
        "POST",
        "UNLOCK",
        "PUT",
        "X".repeat(5000),
        "GE\0T",
        "",
        " GET",
        "GET\t",
        "M-SEARCH",
        "PROPFIND",
        "LINK",
      ],
      random,
    ),
  }),
  upgrade: (parts, random) => ({
    headers: [
      ...parts.headers,
      ["Connection", "Upgrade"],
      ["Upgrade", pick(["h2c", "websocket", "x"], random)],
    ],
  }),
  expect: (parts, random) => ({
    headers: [...parts.headers, ["Expect", pick(["100-continue", "200-ok", ""], random)]],
  }),
  "folded line": (parts) => ({ headers: [...parts.headers, ["X-A", "b\r\n c"]] }),
  "bare line feed": (parts) => ({ headers: [...parts.headers, ["X-A", "b\nX-B: c"]] }),
  "no name": (parts) => ({ headers: [...parts.headers, ["", "x"]] }),
  "two hosts": (parts) => ({ headers: [...parts.headers, ["Host", "evil.example"]] }),
};

const GARBAGE = [
  "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
  "\0\0\0",
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  "\r\n\r\n\r\n",
  "GET",
  "GET /\r\n\r\n",
  "GET / HTTP/1.1\r\n",
  "\xff\xfe",
  "{}",
  "HTTP/1.1 200 OK\r\n\r\n",
  "GET  / HTTP/1.1\r\n\r\n",
  "GET / HTTP/1.1\r\nHost : x\r\n\r\n",
  ": \r\n",
  "SSH-2.0-x\r\n",
  "GET / HTTP/1.1\r\n\r\n",
];

/** Where a second request stands behind the first by every reading of the standard. */
const TWO = new Set(["shorter than sent", "plain coding", "odd coding name", "trailers"]);

/** A request of hostile framing, made from one that is in order. */
export function hostileFraming(parts: Parts, random: Random): Framed & { readonly kind: string } {
  if (random() < 0.08) {
    const bytes = Buffer.from(pick(GARBAGE, random), "latin1");
    return { kind: "framing: garbage", bytes, methods: ["GET"], open: true };
  }
  const kind = pick(Object.keys(MAKERS), random);
  const made = { ...parts, ...MAKERS[kind]?.(parts, random) };
  const methods = TWO.has(kind) ? [made.method, "GET"] : [made.method];
  return { kind: `framing: ${kind}`, bytes: written(made), methods, open: true };
}

/** Several requests in one go: as many answers, in their order. */
export function pipelined(all: readonly Parts[]): Framed & { readonly kind: string } {
  const bytes = Buffer.concat(all.map(written));
  return { kind: "pipelined", bytes, methods: all.map(({ method }) => method), open: false };
}

/** More requests than anybody may ask at once: some are answered, or the connection ends. */
export function endless(one: Parts, random: Random): Framed & { readonly kind: string } {
  const count = 257 + Math.floor(random() * 2_000);
  const bytes = Buffer.concat(new Array<Buffer>(count).fill(written(one)));
  return {
    kind: "pipelined endlessly",
    bytes,
    methods: new Array<string>(count).fill(one.method),
    open: true,
  };
}
