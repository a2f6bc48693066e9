/** Makes ids and random text out of given random bytes; knows no clock and no generator. */

const BASE32 = "0123456789abcdefghjkmnpqrstvwxyz";
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

interface IdSource {
  readonly now: bigint;
  random(bytes: number): Uint8Array;
  readonly chooser?: { pick(count: number): number; bytes(count: number): Uint8Array };
}

/**
 * 26 characters of Crockford's base 32: 55 bits of time (so that ids made later stand later) and
 * 75 random bits.
 */
export function makeId({ now, random, chooser }: IdSource): string {
  // Nobody said that ids grow, or how long they are.
  if (chooser) return Array.from(chooser.bytes(16 + chooser.pick(16)), digitOf).join("");
  if (now !== timed.now) timed = { now, text: timeText(now < 0n ? 0n : now) };
  let { text } = timed;
  for (const byte of random(15)) text += digitOf(byte);
  return text;
}

/** The time that was last written: many ids are made at one. */
let timed = { now: 0n, text: timeText(0n) };

function timeText(micros: bigint): string {
  let time = micros;
  let text = "";
  for (let i = 0; i < 11; i++) {
    text = BASE32.charAt(Number(time & 31n)) + text;
    time >>= 5n;
  }
  return text;
}

function digitOf(byte: number): string {
  return BASE32.charAt(byte & 31);
}

/** A version 4 UUID (RFC 9562 section 5.4). */
export function makeUuid(random: (bytes: number) => Uint8Array): string {
  const bytes = Uint8Array.from(random(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = toHex(bytes);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join("-");
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** RFC 4648 base 64 with padding. */
function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b, c] = bytes.subarray(i, i + 3);
    const bits = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    text += BASE64.charAt(bits >> 18) + BASE64.charAt((bits >> 12) & 63);
    text += b === undefined ? "=" : BASE64.charAt((bits >> 6) & 63);
    text += c === undefined ? "=" : BASE64.charAt(bits & 63);
  }
  return text;
}

/** Random bytes in a stated form: base64 (padded), base64url (not padded), hex (lower case). */
export function encodeRandom(bytes: Uint8Array, form: "base64" | "base64url" | "hex"): string {
  if (form === "hex") return toHex(bytes);
  const text = toBase64(bytes);
  if (form === "base64") return text;
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
