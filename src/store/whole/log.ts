/**
 * Reads the write-ahead log of SQLite (https://www.sqlite.org/fileformat2.html, section 4): which
 * frames were committed, and whether each is what was written.
 */
import { crc32 } from "node:zlib";
import { PAGE_BYTES, readAt } from "./files.ts";

// An import of it would also load its streams into each thread.
const fs = process.getBuiltinModule("node:fs");

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES;
/** Frames that are read at a time. */
const FRAMES_READ = 64;
const MAGIC_LITTLE = 0x37_7f_06_82;

/** Where a log stands: SQLite chooses other salts each time it begins at the front again. */
export interface LogState {
  readonly salts: readonly [number, number];
  /** Frames until the last commit. */
  readonly frames: number;
}

/** Bytes that a log of so many frames has at least. */
export const logBytes = (frames: number): number =>
  frames === 0 ? 0 : HEADER_BYTES + frames * FRAME_BYTES;

/** SQLite's checksum of a log, over pairs of words, going on from what was before. */
class LogSum {
  one = 0;
  two = 0;

  add(words: Uint32Array): void {
    let { one, two } = this;
    for (let i = 0; i < words.length; i += 2) {
      one = (one + (words[i] as number) + two) | 0;
      two = (two + (words[i + 1] as number) + one) | 0;
    }
    this.one = one;
    this.two = two;
  }

  is(bytes: DataView, at: number): boolean {
    return this.one === bytes.getInt32(at) && this.two === bytes.getInt32(at + 4);
  }
}

/** A page as a frame of the log holds it. */
interface Frame {
  readonly page: number;
  readonly digest: number;
  /** Pages of the whole file, where the frame ends a transaction; else 0. */
  readonly pages: number;
}

/** Digest of the bytes of a page; 0 stands for a page of which nothing is known. */
export const digestOf = (bytes: Uint8Array): number => crc32(bytes) || 1;

/** Follows the log of one file. Its file may be closed at will: SQLite holds no lock on it. */
export class Log {
  readonly #fd: number;
  readonly #bytes = Buffer.allocUnsafeSlow(FRAMES_READ * FRAME_BYTES);
  readonly #view = new DataView(this.#bytes.buffer, 0, this.#bytes.length);
  readonly #words = new Uint32Array(this.#bytes.buffer, 0, this.#bytes.length / 4);
  #salts: [number, number] = [0, 0];
  /** Frames until the last commit that was seen. */
  #committed = 0;
  /** Frames of which each was judged by its checksum, and the sum until there. */
  #judged = 0;
  readonly #sum = new LogSum();

  constructor(path: string) {
    this.#fd = fs.openSync(path, "r");
  }

  close(): void {
    fs.closeSync(this.#fd);
  }

  get state(): LogState {
    return { salts: this.#salts, frames: this.#committed };
  }

  /** Reads the header; false where there is none that is sound. */
  begin(): boolean {
    const header = this.#bytes.subarray(0, HEADER_BYTES);
    if (readAt(this.#fd, header, 0) < HEADER_BYTES) return false;
    if (this.#view.getUint32(0) !== MAGIC_LITTLE || this.#view.getUint32(8) !== PAGE_BYTES) {
      return false;
    }
    const sum = new LogSum();
    sum.add(this.#words.subarray(0, 6));
    if (!sum.is(this.#view, 24)) return false;
    this.#salts = [this.#view.getUint32(16), this.#view.getUint32(20)];
    this.#committed = 0;
    this.#judged = 0;
    this.#sum.one = sum.one;
    this.#sum.two = sum.two;
    return true;
  }

  #hasSalts(at: number): boolean {
    const [one, two] = this.#salts;
    return this.#view.getUint32(at) === one && this.#view.getUint32(at + 4) === two;
  }

  /**
   * Goes on to the last commit, to be called after each commit; gives its frames. `frames`: how
   * many SQLite says there are (`PRAGMA wal_checkpoint(NOOP)`): what a write that failed has left
   * behind them is nothing. A log that was begun at the front again is followed there.
   */
  follow(frames: number): readonly Frame[] {
    if (this.#committed === 0) this.begin();
    const made = this.#hop(frames);
    if (made.length > 0 || !this.#isAnother() || !this.begin()) return made;
    return this.#hop(frames);
  }

  /** Whether the file has a header with other salts than the log that is followed. */
  #isAnother(): boolean {
    if (readAt(this.#fd, this.#bytes.subarray(0, HEADER_BYTES), 0) < HEADER_BYTES) return false;
    return !this.#hasSalts(16);
  }

  /** Frames behind those that were seen; none: they are not all of this log. */
  #hop(until: number): readonly Frame[] {
    const frames: Frame[] = [];
    for (let first = this.#committed; first < until; first += FRAMES_READ) {
      const wanted = Math.min(FRAMES_READ, until - first);
      const place = HEADER_BYTES + first * FRAME_BYTES;
      const chunk = this.#bytes.subarray(0, wanted * FRAME_BYTES);
      if (readAt(this.#fd, chunk, place) < chunk.length) return [];
      for (let i = 0; i < wanted; i++) {
        if (!this.#hasSalts(i * FRAME_BYTES + 8)) return [];
        frames.push(this.#frameAt(i * FRAME_BYTES));
      }
    }
    if (frames.at(-1)?.pages === 0) return [];
    this.#committed += frames.length;
    return frames;
  }

  #frameAt(at: number): Frame {
    return {
      page: this.#view.getUint32(at),
      pages: this.#view.getUint32(at + 4),
      digest: digestOf(this.#bytes.subarray(at + FRAME_HEADER_BYTES, at + FRAME_BYTES)),
    };
  }

  /**
   * Finds the last commit by the checksums of all frames, at the start.
   */
  find(): readonly Frame[] {
    if (!this.begin()) return [];
    const { one, two } = this.#sum;
    const frames: Frame[] = [];
    this.judge(Number.POSITIVE_INFINITY, (frame) => {
      if (frames.push(frame) > 0 && frame.pages !== 0) this.#committed = frames.length;
    });
    this.#judged = 0;
    this.#sum.one = one;
    this.#sum.two = two;
    return frames.slice(0, this.#committed);
  }

  /**
   * Gives the frames that were not given yet, up to a number of them, each judged by its checksum.
   * Gives the number of the last sound one.
   */
  judge(until: number, visit: (frame: Frame) => void): number {
    while (this.#judged < until) {
      const wanted = Math.min(FRAMES_READ, until - this.#judged);
      const chunk = this.#bytes.subarray(0, wanted * FRAME_BYTES);
      const place = HEADER_BYTES + this.#judged * FRAME_BYTES;
      const there = Math.floor(readAt(this.#fd, chunk, place) / FRAME_BYTES);
      for (let i = 0; i < there; i++) {
        const at = i * FRAME_BYTES;
        this.#sum.add(this.#words.subarray(at / 4, at / 4 + 2));
        const body = (at + FRAME_HEADER_BYTES) / 4;
        this.#sum.add(this.#words.subarray(body, body + PAGE_BYTES / 4));
        if (!this.#hasSalts(at + 8) || !this.#sum.is(this.#view, at + 16)) return this.#judged;
        this.#judged++;
        visit(this.#frameAt(at));
      }
      if (there < wanted) break;
    }
    return this.#judged;
  }
}
