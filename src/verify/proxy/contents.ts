/** Contents as text, their codings taken off (RFC 9110 section 8.4). */
import { isUtf8 } from "node:buffer";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { type Fields, fieldOf } from "../world/message.ts";
import type { Content } from "./passed.ts";

/** A content with more bytes than this is not decoded. */
const DECODED_MAX = 16 * 1024 * 1024;

const options = { maxOutputLength: DECODED_MAX };
const DECODERS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, options),
  "x-gzip": (bytes) => gunzipSync(bytes, options),
  deflate: (bytes) => inflateSync(bytes, options),
  br: (bytes) => brotliDecompressSync(bytes, options),
  zstd: (bytes) => zstdDecompressSync(bytes, options),
  identity: (bytes) => bytes,
};

/** The text of a content; null: it is none, or in a coding that is not known. */
export function textIn(content: Content, fields: Fields): string | undefined | null {
  if (content === undefined) return undefined;
  const codings = (fieldOf(fields, "content-encoding") ?? "").toLowerCase().split(",");
  const named = codings.map((one) => one.trim()).filter((one) => one !== "");
  if (typeof content === "string" && named.every((one) => one === "identity")) return content;
  let bytes: Uint8Array = typeof content === "string" ? Buffer.from(content) : content;
  try {
    for (const coding of named.reverse()) {
      const decode = DECODERS[coding];
      if (decode === undefined) return null;
      bytes = decode(bytes);
    }
  } catch {
    return null;
  }
  return isUtf8(bytes) ? Buffer.from(bytes).toString("utf8") : null;
}
