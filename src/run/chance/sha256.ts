/** SHA-256 (FIPS 180-4) of a text in UTF-8, in plain code: no module of the platform is here. */

const [ROUND, START] = constants();

/** First 32 bits of the fractional parts of cube roots (rounds) and square roots (start). */
function constants(): readonly [Uint32Array, Uint32Array] {
  const rounds = new Uint32Array(64);
  const start = new Uint32Array(8);
  let found = 0;
  for (let n = 2; found < 64; n++) {
    if (hasFactor(n)) continue;
    if (found < 8) start[found] = (Math.sqrt(n) % 1) * 2 ** 32;
    rounds[found++] = (Math.cbrt(n) % 1) * 2 ** 32;
  }
  return [rounds, start];
}

function hasFactor(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return true;
  return false;
}

/** The digest as 64 lower-case hexadecimal digits. */
export function sha256(text: string): string {
  const bytes = padded(new TextEncoder().encode(text));
  const view = new DataView(bytes.buffer);
  const hash = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let at = 0; at < bytes.length; at += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4);
    compress(hash, words);
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}

function padded(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  out.set(bytes);
  out[bytes.length] = 0x80;
  const view = new DataView(out.buffer);
  view.setBigUint64(out.length - 8, BigInt(bytes.length) * 8n);
  return out;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function at(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function compress(hash: Uint32Array, words: Uint32Array): void {
  for (let i = 16; i < 64; i++) {
    const [x, y] = [at(words, i - 15), at(words, i - 2)];
    const small = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const large = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    words[i] = at(words, i - 16) + small + at(words, i - 7) + large;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const mixE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const first = (h + mixE + ((e & f) ^ (~e & g)) + at(ROUND, i) + at(words, i)) | 0;
    const mixA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (mixA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e] = [g, f, e, (d + first) | 0];
    [d, c, b, a] = [c, b, a, (first + second) | 0];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] = at(hash, i) + word;
}
