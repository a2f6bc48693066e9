/**
 * What the pages of a store were when they were last written, and how far its log went: a file
 * beside the store while it is served, and the tail of the store's own file behind a stop.
 */
import { crc32 } from "node:zlib";
import { StorageFault } from "../sqlite/fault.ts";
import { PAGE_BYTES, readAt, syncFolderOf, writeAt } from "./files.ts";
import type { LogState } from "./log.ts";

// An import of it would also load its streams into each thread.
const fs = process.getBuiltinModule("node:fs");

const MAGIC = 0x4c_61_63_53;
const VERSION = 1;
const SLOT_BYTES = 64;
/** Each slot in a sector of its own: one is whole, whatever becomes of the other. */
const SLOTS = [0, 2048] as const;
const DIGESTS_AT = 4096;
/** Pages by which the room for digests grows in memory. */
const GROWN = 1024;
/** Digests further apart are not written in one go. */
const APART = 512;
/** The file grows by so much at a time, so that a full disk seldom keeps a digest from it. */
const GROWTH_BYTES = 65_536;
const TAIL_BYTES = 24;
const TAIL_MAGIC = 0x4c_61_63_54;

/** What is noted of the log and of the file. */
interface Noted extends LogState {
  /** Whether all of the log is in the file. */
  readonly isTaken: boolean;
  /** Pages that the file has behind the last commit. */
  readonly pages: number;
}

const EMPTY: Noted = { salts: [0, 0], frames: 0, isTaken: true, pages: 0 };

const slot = Buffer.alloc(SLOT_BYTES);
const slotWords = new DataView(slot.buffer, slot.byteOffset, SLOT_BYTES);
const slotBody = slot.subarray(0, SLOT_BYTES - 4);

/** The bytes of a slot, until the next one is asked for. */
function slotOf(count: number, { salts, frames, isTaken, pages }: Noted): Buffer {
  slotWords.setUint32(0, MAGIC, true);
  slotWords.setUint32(4, VERSION, true);
  slotWords.setUint32(8, PAGE_BYTES, true);
  slotWords.setUint32(12, count, true);
  slotWords.setUint32(16, salts[0], true);
  slotWords.setUint32(20, salts[1], true);
  slotWords.setUint32(24, frames, true);
  slotWords.setUint32(28, isTaken ? 1 : 0, true);
  slotWords.setUint32(32, pages, true);
  slotWords.setUint32(SLOT_BYTES - 4, crc32(slotBody), true);
  return slot;
}

/** A slot as it was written; undefined where it is not sound. */
function readSlot(slot: Buffer): { readonly count: number; readonly noted: Noted } | undefined {
  const word = (i: number): number => slot.readUInt32LE(i * 4);
  const isSound =
    crc32(slot.subarray(0, SLOT_BYTES - 4)) === slot.readUInt32LE(SLOT_BYTES - 4) &&
    word(0) === MAGIC &&
    word(1) === VERSION &&
    word(2) === PAGE_BYTES;
  if (!isSound) return undefined;
  const noted = { salts: [word(4), word(5)], frames: word(6), isTaken: word(7) === 1 } as const;
  return { count: word(3), noted: { ...noted, pages: word(8) } };
}

/** The digests of one store, in memory and in the file beside it. */
export class Sums {
  readonly #fd: number;
  #digests: Uint32Array;
  #noted: Noted;
  #count: number;
  #bytes: number;
  /** The first and the last page whose digest is not written yet. */
  #first = Number.POSITIVE_INFINITY;
  #last = 0;

  private constructor(
    fd: number,
    held: { digests: Uint32Array; noted: Noted; count: number; bytes: number },
  ) {
    this.#fd = fd;
    this.#digests = held.digests;
    this.#noted = held.noted;
    this.#count = held.count;
    this.#bytes = held.bytes;
  }

  /** Makes the file, durable, with digests of pages that are there, or none. */
  static create(path: string, digests: Uint32Array = new Uint32Array(0)): Sums {
    const bytes = Math.ceil((DIGESTS_AT + digests.byteLength) / GROWTH_BYTES) * GROWTH_BYTES;
    const all = Buffer.alloc(bytes);
    const noted = { ...EMPTY, pages: digests.length };
    slotOf(1, noted).copy(all, SLOTS[1]);
    for (const [i, one] of digests.entries()) all.writeUInt32LE(one, DIGESTS_AT + i * 4);
    const temporary = `${path}.new`;
    const fd = fs.openSync(temporary, "w+");
    try {
      writeAt(fd, all, 0);
      fs.fsyncSync(fd);
      fs.renameSync(temporary, path);
      syncFolderOf(path);
    } catch (fault) {
      fs.closeSync(fd);
      fs.rmSync(temporary, { force: true });
      throw fault;
    }
    return new Sums(fd, { digests, noted, count: 1, bytes });
  }

  /** Reads the file; throws `StorageFault` where it is damaged. */
  static open(path: string): Sums {
    const fd = fs.openSync(path, "r+");
    const bytes = fs.fstatSync(fd).size;
    const all = Buffer.alloc(bytes);
    readAt(fd, all, 0);
    const slots = SLOTS.flatMap((at) =>
      at + SLOT_BYTES > bytes ? [] : [readSlot(all.subarray(at, at + SLOT_BYTES))],
    );
    const newest = slots
      .filter((one) => one !== undefined)
      .toSorted((one, other) => other.count - one.count)[0];
    if (newest === undefined || DIGESTS_AT + newest.noted.pages * 4 > bytes) {
      fs.closeSync(fd);
      throw new StorageFault("DAMAGED", `${path} is damaged`);
    }
    const digests = new Uint32Array(newest.noted.pages);
    for (let i = 0; i < digests.length; i++) digests[i] = all.readUInt32LE(DIGESTS_AT + i * 4);
    return new Sums(fd, { digests, ...newest, bytes });
  }

  get noted(): Noted {
    return this.#noted;
  }

  /** Digest of a page, which counts from 1; 0: nothing is known of it. */
  of(page: number): number {
    return this.#digests[page - 1] ?? 0;
  }

  set(page: number, digest: number): void {
    if (page > this.#digests.length) {
      const grown = new Uint32Array(Math.ceil((page * 1.25) / GROWN) * GROWN);
      grown.set(this.#digests);
      this.#digests = grown;
    }
    if (this.#digests[page - 1] === digest) return;
    const isFar = this.#last > 0 && Math.abs(page - this.#last) > APART;
    if (isFar) this.#write();
    this.#digests[page - 1] = digest;
    this.#first = Math.min(this.#first, page);
    this.#last = Math.max(this.#last, page);
  }

  /** Writes the digests that were set. What kills the process leaves them. */
  #write(): void {
    if (this.#first > this.#last) return;
    const from = this.#first - 1;
    const bytes = Buffer.allocUnsafe((this.#last - from) * 4);
    for (let i = from; i < this.#last; i++) {
      bytes.writeUInt32LE(this.#digests[i] ?? 0, (i - from) * 4);
    }
    this.#grow(DIGESTS_AT + this.#last * 4);
    writeAt(this.#fd, bytes, DIGESTS_AT + from * 4);
    this.#first = Number.POSITIVE_INFINITY;
    this.#last = 0;
  }

  #grow(bytes: number): void {
    if (bytes <= this.#bytes) return;
    const grown = Math.ceil(bytes / GROWTH_BYTES) * GROWTH_BYTES;
    writeAt(this.#fd, Buffer.alloc(grown - this.#bytes), this.#bytes);
    this.#bytes = grown;
  }

  /** Makes the digests durable that were set. */
  flush(): void {
    this.#write();
    fs.fdatasyncSync(this.#fd);
  }

  /**
   * Notes how far the log goes, and the digests that were set. What kills the process leaves that;
   * a loss of power may not.
   */
  note({ salts, frames }: LogState, pages: number): void {
    this.#write();
    this.#put({ salts, frames, isTaken: false, pages });
  }

  /** Notes that all of the log is in the file, durably. */
  seal(state: LogState, pages: number): void {
    this.#put({ ...state, isTaken: true, pages });
    fs.fdatasyncSync(this.#fd);
  }

  #put(noted: Noted): void {
    const count = this.#count + 1;
    writeAt(this.#fd, slotOf(count, noted), SLOTS[count % 2 === 0 ? 0 : 1]);
    this.#count = count;
    this.#noted = noted;
  }

  /** What was noted is made durable. */
  sync(): void {
    fs.fdatasyncSync(this.#fd);
  }

  get isThere(): boolean {
    return fs.fstatSync(this.#fd).nlink > 0;
  }

  close(): void {
    fs.closeSync(this.#fd);
  }

  /** The tail of a file of so many pages: what the page digests are, and that they are that. */
  tail(pages: number): Buffer {
    return tailOf(this.#digests.subarray(0, pages));
  }
}

/** Digests as the tail of a file: they, their number, their own digest. */
export function tailOf(digests: Uint32Array): Buffer {
  const bytes = Buffer.alloc(digests.length * 4 + TAIL_BYTES);
  for (const [i, one] of digests.entries()) bytes.writeUInt32LE(one, i * 4);
  const at = digests.length * 4;
  const words = [TAIL_MAGIC, VERSION, PAGE_BYTES, digests.length];
  for (const [i, word] of words.entries()) bytes.writeUInt32LE(word, at + i * 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, at + 16)), at + 16);
  bytes.writeUInt32LE(TAIL_MAGIC, at + 20);
  return bytes;
}

/** The digests that a file ends with; undefined where it ends with none that are sound. */
export function readTail(fd: number, size: number): Uint32Array | undefined {
  const end = Buffer.alloc(TAIL_BYTES);
  if (size < TAIL_BYTES || readAt(fd, end, size - TAIL_BYTES) < TAIL_BYTES) return undefined;
  const pages = end.readUInt32LE(12);
  const isOurs =
    end.readUInt32LE(0) === TAIL_MAGIC &&
    end.readUInt32LE(4) === VERSION &&
    end.readUInt32LE(8) === PAGE_BYTES &&
    end.readUInt32LE(20) === TAIL_MAGIC &&
    pages * (PAGE_BYTES + 4) + TAIL_BYTES === size;
  if (!isOurs) return undefined;
  const bytes = Buffer.alloc(pages * 4);
  readAt(fd, bytes, pages * PAGE_BYTES);
  if (crc32(end.subarray(0, 16), crc32(bytes)) !== end.readUInt32LE(16)) return undefined;
  return Uint32Array.from({ length: pages }, (_, i) => bytes.readUInt32LE(i * 4));
}
