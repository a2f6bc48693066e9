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

const NONE: Content = { bytes: undefined, byteCount: 0 };

/** Whether a request has content at all (RFC 9112 section 6.3). */
export function hasContent(request: IncomingMessage): boolean {
  const length = request.headers["content-length"];
  return (
    request.headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0")
  );
}

/**
 * Reads the content to its end and calls `done` once, with "too large" when more came than may be
 * read; never when the connection is lost before the end.
 */
export function readContent(
  request: IncomingMessage,
  { keptMax, readMax }: ContentBounds,
  done: (content: Content | "too large") => void,
): void {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  const take = (chunk: Buffer): void => {
    byteCount += chunk.length;
    if (byteCount <= keptMax) chunks.push(chunk);
    else chunks.length = 0;
    if (byteCount <= readMax) return;
    request.off("data", take);
    request.off("end", end);
    request.resume();
    done("too large");
  };
  const end = (): void => {
    if (byteCount === 0) done(NONE);
    else if (byteCount > keptMax) done({ bytes: undefined, byteCount });
    else done({ bytes: chunks.length === 1 ? chunks[0] : Buffer.concat(chunks), byteCount });
  };
  request.on("data", take);
  request.on("end", end);
}

/** The content as a job carries it: null where it is to be text and the bytes are not UTF-8. */
export function textOf(bytes: Uint8Array | undefined, binary: boolean): string | null | undefined {
  if (bytes === undefined) return undefined;
  return binary ? Buffer.from(bytes).toString("base64") : (decodeUtf8(bytes) ?? null);
}
