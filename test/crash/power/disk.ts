/**
 * What a disk may hold when power is lost: all that was synced, and of the rest any part, in any
 * order, torn between sectors. Replays a record of `record.c`.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

const SECTOR = 512;

type Kind = "C" | "W" | "T" | "F" | "D" | "U" | "R";

export interface Act {
  readonly kind: Kind;
  /** Nanoseconds of the monotonic clock, when it was done. */
  readonly at: bigint;
  readonly place: number;
  readonly path: string;
  readonly data: Buffer;
}

/** Reads a record. */
export function readRecord(path: string): readonly Act[] {
  const bytes = readFileSync(path);
  const acts: Act[] = [];
  for (let at = 0; at + 4 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at);
    if (at + 4 + size > bytes.length) break;
    const named = bytes.readUInt32LE(at + 21);
    acts.push({
      kind: String.fromCharCode(bytes[at + 4] ?? 0) as Kind,
      at: bytes.readBigUInt64LE(at + 5),
      place: Number(bytes.readBigUInt64LE(at + 13)),
      path: basename(bytes.toString("utf8", at + 25, at + 25 + named)),
      data: bytes.subarray(at + 25 + named, at + 4 + size),
    });
    at += 4 + size;
  }
  return acts;
}

/** The content of a file: what is durable, and what was done since. */
class Content {
  durable: Buffer = Buffer.alloc(0);
  size = 0;
  pending: Act[] = [];

  sync(): void {
    for (const act of this.pending) this.apply(act);
    this.pending = [];
  }

  copy(): Content {
    const other = new Content();
    other.durable = Buffer.from(this.durable.subarray(0, this.size));
    other.size = this.size;
    return other;
  }

  apply({ kind, place, data }: Pick<Act, "kind" | "place" | "data">): void {
    if (kind === "T") this.resize(place);
    else {
      if (place + data.length > this.size) this.resize(place + data.length);
      data.copy(this.durable, place);
    }
  }

  private resize(size: number): void {
    if (size > this.durable.length) {
      const grown = Buffer.alloc(Math.ceil(size * 1.5));
      this.durable.copy(grown, 0, 0, this.size);
      this.durable = grown;
    }
    if (size < this.size) this.durable.fill(0, size, this.size);
    this.size = size;
  }

  /** What is left of it: of what was not synced each act is there, is not, or is there in part. */
  left(random: () => number): Buffer {
    const other = this.copy();
    const share = random();
    for (const act of this.pending) {
      const roll = random();
      if (roll < share * 0.8) other.apply(act);
      else if (roll < share && act.kind === "W") {
        for (let from = 0; from < act.data.length; ) {
          // Sectors are written whole, wherever in the file they begin.
          const end = Math.min(act.data.length, from + SECTOR - ((act.place + from) % SECTOR));
          if (random() < 0.5) {
            const data = act.data.subarray(from, end);
            other.apply({ kind: "W", place: act.place + from, data });
          }
          from = end;
        }
      }
    }
    return other.durable.subarray(0, other.size);
  }
}

/** A disk with one folder. */
export class Disk {
  private readonly now = new Map<string, Content>();
  private durable = new Map<string, Content>();
  private names: Act[] = [];

  do(act: Act): void {
    switch (act.kind) {
      case "C":
        this.now.set(act.path, new Content());
        this.names.push(act);
        break;
      case "W":
      case "T":
        this.now.get(act.path)?.pending.push(act);
        break;
      case "F":
        this.now.get(act.path)?.sync();
        break;
      case "D":
        this.durable = new Map(this.now);
        this.names = [];
        break;
      case "U":
        this.now.delete(act.path);
        this.names.push(act);
        break;
      case "R": {
        const content = this.now.get(act.path);
        this.now.delete(act.path);
        if (content) this.now.set(basename(act.data.toString()), content);
        this.names.push(act);
        break;
      }
      default:
        act.kind satisfies never;
    }
  }

  /** Writes a state that a loss of power at this moment may leave. */
  cut(folder: string, random: () => number): void {
    mkdirSync(folder, { recursive: true });
    // Changes of names are done in their order: some of the last ones may be missing.
    const isAll = random() < 0.5;
    const files = isAll ? this.now : this.durable;
    for (const [name, content] of files) writeFileSync(join(folder, name), content.left(random));
  }
}
