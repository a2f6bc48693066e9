/** Reads a request's content within bounds; what is past a bound is counted and dropped. */
import type { IncomingMessage } from "node:http";
import { decodeUtf8 } from "../../run/index.ts";

export interface Content {
  /** Undefined: none was sent, or more than may be kept. */
  readonly bytes: Uint8Array | undefined;
  readonly byteCount: number;
}

interface ContentBounds {
  /** Bytes that are kept. */
  readonly keptMax: number;
  /** Bytes that are read at all; with more the host gives up. */
  readonly readMax: number;
}

interface Reading {
  /** So many bytes more are kept; below zero: fewer. */
  kept(bytes: number): void;
  /** Called once: "too large" when more came than may be read. */
  done(content: Content | "too large"): void;
}

const NONE: Content = { bytes: undefined, byteCount: 0 };
/** So many pieces become one: each takes more room than its bytes alone. */
const PIECES_MAX = 64;

/** Whether a request has content at all (RFC 9112 section 6.3). */
export function hasContent(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return (
    request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0")
  );
}

/** Bytes that come in pieces of any size, kept in few. */
class Pieces {
  /** By size: each piece has been put together this many times. */
  private readonly levels: Buffer[][] = [];

  add(piece: Buffer, level = 0): void {
    const pieces = this.levels[level] ?? [];
    this.levels[level] = pieces;
    if (pieces.push(piece) < PIECES_MAX) return;
    this.levels[level] = [];
    this.add(Buffer.concat(pieces), level + 1);
  }

  clear(): void {
    this.levels.length = 0;
  }

  /** All of them; what was put together most often came first. */
  whole(): Buffer {
    const pieces = this.levels.toReversed().flat();
    const [first, ...more] = pieces;
    return first !== undefined && more.length === 0 ? first : Buffer.concat(pieces);
  }
}

/**
 * Reads the content to its end; `done` is never called when the connection is lost before, or when
 * what is given back was called: then nothing is kept, and what still comes is dropped.
 */
export function readContent(
  request: IncomingMessage,
  { keptMax, readMax }: ContentBounds,
  { kept, done }: Reading,
): () => void {
  const pieces = new Pieces();
  let byteCount = 0;
  let keptCount = 0;
  const drop = (): void => {
    pieces.clear();
    kept(-keptCount);
    keptCount = 0;
  };
  let isStopped = false;
  // Who listens on makes what still comes cheap: without a listener each piece is kept and read.
  const stop = (): void => {
    isStopped = true;
    drop();
  };
  const take = (chunk: Buffer): void => {
    if (isStopped) return;
    byteCount += chunk.length;
    if (byteCount <= keptMax) {
      pieces.add(chunk);
      keptCount += chunk.length;
      kept(chunk.length);
    } else if (keptCount > 0) drop();
    if (byteCount <= readMax) return;
    stop();
    done("too large");
  };
  const end = (): void => {
    if (isStopped) return;
    if (byteCount === 0) done(NONE);
    else if (byteCount > keptMax) done({ bytes: undefined, byteCount });
    else done({ bytes: pieces.whole(), byteCount });
  };
  request.on("data", take);
  request.on("end", end);
  return stop;
}

/** The content as a job carries it: null where it is to be text and the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array | undefined, binary: boolean): string | null | undefined {
  if (bytes === undefined) return undefined;
  return binary ? Buffer.from(bytes).toString("base64") : (decodeUtf8(bytes) ?? null);
}
