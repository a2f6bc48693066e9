/** Functions that write and read texts by published algorithms; hashes are computed by the host. */
import { floorDivide } from "../../expr/index.ts";
import type { Build, Digest, State } from "./values.ts";
import { argument, chargeText, literalText } from "./values.ts";

const UTF_8 = new TextEncoder();
const READ_UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** So many bytes become characters at a time. */
const PIECE = 8192;

/** A function of a text, whose result is up to `growth` times as long. */
function ofText(growth: number, give: (text: string) => string | null): Build {
  return (args) => {
    const text = argument<string>(args, 0);
    return (state) => {
      const found = text(state);
      chargeText(state, found.length * growth);
      return give(found);
    };
  };
}

function base64(bytes: Uint8Array): string {
  let characters = "";
  for (let at = 0; at < bytes.length; at += PIECE) {
    characters += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  }
  return btoa(characters);
}

function base64url(bytes: Uint8Array): string {
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The text whose base64 is `text`, as it is written canonically; null where there is none. */
function ofBase64(text: string): string | null {
  try {
    const characters = atob(text);
    if (btoa(characters) !== text) return null;
    return READ_UTF_8.decode(Uint8Array.from(characters, (one) => one.charCodeAt(0)));
  } catch {
    return null;
  }
}

function ofBase64url(text: string): string | null {
  if (/[^A-Za-z0-9_-]/.test(text)) return null;
  const padded = text.padEnd(Math.ceil(text.length / 4) * 4, "=");
  return ofBase64(padded.replaceAll("-", "+").replaceAll("_", "/"));
}

/** Percent-encodes all but the unreserved characters (RFC 3986 section 2.3). */
export function encodeUri(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decodeUri(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function bytesOfHex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** How a hash is written, as its form says. */
function written(encoding: string | undefined): (digits: string) => string {
  if (encoding === "base64") return (digits) => base64(bytesOfHex(digits));
  if (encoding === "base64url") return (digits) => base64url(bytesOfHex(digits));
  return (digits) => digits;
}

type Algorithm = Parameters<Digest>[0];

/** The UUID of a name (RFC 9562 section 5.5): SHA-1, its first 16 bytes, version and variant. */
function nameUuid(namespace: string, name: string, { source }: State): string {
  const space = bytesOfHex(namespace.replaceAll("-", ""));
  const bytes = UTF_8.encode(name);
  const data = new Uint8Array(space.length + bytes.length);
  data.set(space);
  data.set(bytes, space.length);
  const digits = source.digest("sha1", data);
  const variant = (Number.parseInt(digits.slice(16, 18), 16) & 0x3f) | 0x80;
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `5${digits.slice(13, 16)}`,
    `${variant.toString(16)}${digits.slice(18, 20)}`,
    digits.slice(20, 32),
  ].join("-");
}

export const encodingBuilds = {
  encode_uri: ofText(9, encodeUri),
  decode_uri_or_null: ofText(1, decodeUri),
  base64_encode: ofText(4, (text) => base64(UTF_8.encode(text))),
  base64_decode_or_null: ofText(1, ofBase64),
  base64url_encode: ofText(4, (text) => base64url(UTF_8.encode(text))),
  base64url_decode_or_null: ofText(1, ofBase64url),
  sha256: (args) => {
    const text = argument<string>(args, 0);
    return (state) => {
      const found = text(state);
      chargeText(state, found.length);
      return state.source.digest("sha256", found);
    };
  },
  digest: (args, code) => {
    const text = argument<string>(args, 0);
    const algorithm = literalText(code, 1) as Algorithm;
    const write = written(args.length > 2 ? literalText(code, 2) : undefined);
    return (state) => {
      const found = text(state);
      chargeText(state, found.length);
      return write(state.source.digest(algorithm, found));
    };
  },
  hmac: (args, code) => {
    const [key, text] = [argument<string>(args, 0), argument<string>(args, 1)];
    const algorithm = literalText(code, 2) as Algorithm;
    const write = written(args.length > 3 ? literalText(code, 3) : undefined);
    return (state) => {
      const [secret, found] = [key(state), text(state)];
      chargeText(state, found.length);
      return write(state.source.digest(algorithm, found, secret));
    };
  },
  uuid_v5: (args, code) => {
    const namespace = literalText(code, 0);
    const name = argument<string>(args, 1);
    return (state) => {
      const found = name(state);
      chargeText(state, found.length);
      return nameUuid(namespace, found, state);
    };
  },
  http_date: (args) => {
    const instant = argument<bigint>(args, 0);
    return (state) => {
      const seconds = floorDivide(instant(state), 1_000_000n);
      return new Date(Number(seconds) * 1000).toUTCString();
    };
  },
} as const satisfies Readonly<Record<string, Build>>;
