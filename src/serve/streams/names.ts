/** Names of events on streams: each of its own stream, telling nothing of what else happened. */
import { createCipheriv, createDecipheriv, createHash } from "node:crypto";

const NUMBER_BYTES = 8;
/** Base64url of one block. */
const FORM = /^[A-Za-z0-9_-]{22}$/;
const CIPHER = "aes-256-ecb";

/**
 * The name of an event is one block of AES (FIPS 197) over its stream and its number, under a key
 * of the store: without the key nobody tells the number, or that of another event, from a name.
 */
export class EventNames {
  private readonly secret: Uint8Array;
  private readonly labels = new Map<string, Buffer>();

  /** `secret`: 32 bytes, the same ones each time that the store is opened. */
  constructor(secret: Uint8Array) {
    this.secret = secret;
  }

  nameOf(stream: string, number: number): string {
    const block = Buffer.alloc(2 * NUMBER_BYTES);
    this.label(stream).copy(block);
    block.writeBigUInt64BE(BigInt(number), NUMBER_BYTES);
    const cipher = createCipheriv(CIPHER, this.secret, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url");
  }

  /** The number of the event that a name was given to; undefined: no event of the stream has it. */
  numberOf(stream: string, name: string): number | undefined {
    if (!FORM.test(name)) return undefined;
    const cipher = createDecipheriv(CIPHER, this.secret, null).setAutoPadding(false);
    const sent = Buffer.from(name, "base64url");
    const block = Buffer.concat([cipher.update(sent), cipher.final()]);
    if (!block.subarray(0, NUMBER_BYTES).equals(this.label(stream))) return undefined;
    return Number(block.readBigUInt64BE(NUMBER_BYTES));
  }

  private label(stream: string): Buffer {
    let known = this.labels.get(stream);
    if (known === undefined) {
      known = createHash("sha256").update(stream).digest().subarray(0, NUMBER_BYTES);
      this.labels.set(stream, known);
    }
    return known;
  }
}
