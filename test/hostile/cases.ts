/** One hostile request after another, from the seeds of a target. */

import { hostileAddress } from "./addresses.ts";
import type { Random } from "./bodies.ts";
import { hostileBody, pick } from "./bodies.ts";
import type { Parts } from "./framing.ts";
import { endless, hostileFraming, partsOf, pipelined, written } from "./framing.ts";
import { hostileHeaders } from "./headers.ts";
import { hostileTarget } from "./paths.ts";
import type { Seed, Target } from "./targets.ts";
import type { Sent } from "./wire.ts";

export interface Case extends Sent {
  readonly kind: string;
  /** No answer of success may come. */
  readonly refused: boolean;
}

/** Bytes of the oversize bodies; past what the documents and the host allow. */
const OVERSIZE = [70_000, 200_000, 9_000_000];

const MUTABLE = new Set(["POST", "PUT", "PATCH"]);

function withBody(parts: Parts, body: Buffer): Parts {
  const headers = parts.headers.filter(([name]) => name !== "Content-Length");
  return { ...parts, headers: [...headers, ["Content-Length", String(body.length)]], body };
}

function single(kind: string, parts: Parts, refused = false): Case {
  return { kind, bytes: written(parts), methods: [parts.method], open: false, refused };
}

/** Kinds that a document refuses which refuses unknown and repeated members. */
const STRICT = new Set(["body: proto", "body: repeated"]);

function bodyCase(seed: Seed, target: Target, random: Random): Case {
  const parts = partsOf(seed);
  const { kind, bytes, refused } = hostileBody(seed.body ?? `{"x":1}`, random);
  const isRead = seed.body !== undefined && bytes.length > 0 && MUTABLE.has(parts.method);
  const wanted = isRead && (refused || (target.strict && STRICT.has(kind)));
  return single(kind, withBody(parts, bytes), wanted);
}

function chunkedCase(parts: Parts, random: Random): Case {
  const headers = parts.headers.filter(([name]) => name !== "Content-Length");
  const pieces: Buffer[] = [];
  for (let at = 0; at < parts.body.length; ) {
    const size = 1 + Math.floor(random() * 9);
    const piece = parts.body.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n"));
    at += size;
  }
  const body = Buffer.concat([...pieces, Buffer.from("0\r\n\r\n")]);
  return single("chunked", {
    ...parts,
    headers: [...headers, ["Transfer-Encoding", "chunked"]],
    body,
  });
}

/** More than may be sent, without a length: the end of it may never be read. */
function oversizeCase(parts: Parts, random: Random): Case {
  const size = random() < 0.02 ? (OVERSIZE[2] ?? 0) : pick(OVERSIZE.slice(0, 2), random);
  const fill = pick(["a", "[", " ", `{"a":`], random);
  const body = Buffer.alloc(size, fill);
  const headers = parts.headers.filter(([name]) => name !== "Content-Length");
  const whole = Buffer.concat([
    Buffer.from(`${size.toString(16)}\r\n`),
    body,
    Buffer.from("\r\n0\r\n\r\n"),
  ]);
  const isRead = parts.body.length > 0;
  const made = single(
    "oversize",
    { ...parts, body: whole, headers: [...headers, ["Transfer-Encoding", "chunked"]] },
    isRead,
  );
  return { ...made, open: true };
}

/** A stream has no end: its opening, made hostile or not, and then the client leaves. */
function streamCase(seed: Seed, random: Random): Case {
  const parts = partsOf(seed);
  const roll = random();
  if (roll < 0.3) return { ...single("stream", parts), open: true };
  if (roll < 0.4) return { ...single("stream: HEAD", { ...parts, method: "HEAD" }), open: true };
  if (roll < 0.6) {
    const { kind, target } = hostileTarget(parts.target, random);
    return { ...single(`stream, ${kind}`, { ...parts, target }), open: true };
  }
  const { kind, headers } = hostileHeaders(parts.headers, random);
  return { ...single(`stream, ${kind}`, { ...parts, headers }), open: true };
}

function addressCase(seed: Seed, { canary }: Target, random: Random): Case {
  const address = JSON.stringify(hostileAddress(canary, random)).slice(1, -1);
  return single(
    "address",
    partsOf({ ...seed, body: (seed.body ?? "").replace("{{address}}", () => address) }),
  );
}

const SPECIAL_SHARE = 0.08;

/** The next case. `unique` gives a text never given before. */
export function nextCase(target: Target, random: Random, unique: () => string): Case {
  const fill = (one: Seed): Seed => filled(one, unique, random);
  const { streams, addressed } = target;
  if (streams.length > 0 && random() < SPECIAL_SHARE) {
    return streamCase(fill(pick(streams, random)), random);
  }
  if (addressed.length > 0 && random() < SPECIAL_SHARE) {
    return addressCase(fill(pick(addressed, random)), target, random);
  }
  const seed = fill(pick(target.seeds, random));
  const parts = partsOf(seed);
  const roll = random();
  if (roll < 0.4) return bodyCase(seed, target, random);
  if (roll < 0.6) {
    const { kind, target: path } = hostileTarget(parts.target, random);
    return single(kind, { ...parts, target: path });
  }
  if (roll < 0.78) {
    const { kind, headers } = hostileHeaders(parts.headers, random);
    return single(kind, { ...parts, headers });
  }
  if (roll < 0.9) return { ...hostileFraming(parts, random), refused: false };
  if (roll < 0.93) return chunkedCase(parts, random);
  if (roll < 0.94) return oversizeCase(parts, random);
  if (roll < 0.9405) return { ...endless(parts, random), refused: false };
  const count = 2 + Math.floor(random() * 8);
  const many = Array.from({ length: count }, () => partsOf(fill(pick(target.seeds, random))));
  return { ...pipelined(many), refused: false };
}

/** Texts that come again and again, so that they meet. */
const FEW = 300;

function filled(seed: Seed, unique: () => string, random: Random): Seed {
  const put = (text: string): string =>
    text
      .replaceAll("{{unique}}", unique)
      .replaceAll("{{few}}", () => String(Math.floor(random() * FEW)));
  const headers = seed.headers.map(([name, value]) => [name, put(value)] as const);
  return { ...seed, headers, body: seed.body === undefined ? undefined : put(seed.body) };
}
