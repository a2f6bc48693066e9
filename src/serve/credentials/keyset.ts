/** A set of public keys (RFC 7517) in a file or at an address: read when needed, kept, bounded. */

import type { KeyObject } from "node:crypto";
import { createPublicKey, createSecretKey } from "node:crypto";
import { open } from "node:fs/promises";
import type { Algorithm } from "./jwt.ts";
import { fitsAlgorithm } from "./jwt.ts";

const BYTES_MAX = 1_048_576;
const KEYS_MAX = 1_000;
const TIMEOUT_MS = 5_000;
/** A set is read again after this time, and sooner when a token names a key that is not in it. */
const KEPT_MS = 300_000;
const AGAIN_MS = 10_000;

type Keys = ReadonlyMap<string, KeyObject>;

/** Keys of one scheme. Sources are named by the operator, never by a request. */
export class KeySet {
  private readonly source: string;
  private readonly algorithm: Algorithm;
  private keys: Keys | undefined;
  private readAtMs = Number.NEGATIVE_INFINITY;
  private reading: Promise<Keys> | undefined;

  /** `source`: a path, or an address that begins with `http://` or `https://`. */
  constructor(source: string, algorithm: Algorithm) {
    this.source = source;
    this.algorithm = algorithm;
  }

  /** The key of that name, at once where it is known and fresh; rejects when none can be read. */
  find(name: string): KeyObject | undefined | Promise<KeyObject | undefined> {
    const ageMs = performance.now() - this.readAtMs;
    const known = this.keys?.get(name);
    if (this.keys && ageMs < (known ? KEPT_MS : AGAIN_MS)) return known;
    return this.read().then((keys) => keys.get(name));
  }

  private read(): Promise<Keys> {
    this.reading ??= this.load().finally(() => {
      this.reading = undefined;
    });
    return this.reading;
  }

  /** A set that was read before serves on while its source cannot be read. */
  private async load(): Promise<Keys> {
    try {
      const isRemote = /^https?:\/\//i.test(this.source);
      const text = isRemote ? await download(this.source) : await readFile(this.source);
      this.keys = keysOf(text, this.algorithm);
    } catch (fault) {
      if (!this.keys) throw fault;
    }
    this.readAtMs = performance.now();
    return this.keys;
  }
}

async function readFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(BYTES_MAX + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    if (bytesRead > BYTES_MAX) throw new Error("the key set is too large");
    return bytes.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}

async function download(address: string): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(address, { signal, redirect: "error" });
  if (!response.ok || !response.body) throw new Error(`the key set answers ${response.status}`);
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of response.body) {
    byteCount += chunk.length;
    if (byteCount > BYTES_MAX) throw new Error("the key set is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The keys that may judge: named, meant for signatures, of the algorithm's own kind. */
function keysOf(text: string, algorithm: Algorithm): Keys {
  const { keys } = JSON.parse(text) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error("the key set has no `keys`");
  const found = new Map<string, KeyObject>();
  for (const jwk of keys.slice(0, KEYS_MAX) as (Record<string, unknown> | null)[]) {
    const { kid, alg = algorithm.name, use = "sig" } = jwk ?? {};
    if (typeof kid !== "string" || alg !== algorithm.name || use !== "sig") continue;
    const key = keyOf(jwk ?? {});
    if (key && fitsAlgorithm(algorithm, key)) found.set(kid, key);
  }
  return found;
}

function keyOf(jwk: Record<string, unknown>): KeyObject | undefined {
  try {
    if (jwk.kty === "oct") {
      // RFC 7518 section 6.4.1.
      return typeof jwk.k === "string" ? createSecretKey(jwk.k, "base64url") : undefined;
    }
    return createPublicKey({ key: jwk, format: "jwk" });
  } catch {
    return undefined;
  }
}
