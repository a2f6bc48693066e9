/**
 * Writes the lines of a log to standard error without waiting for whoever reads them: what nobody
 * takes in time is lost, and counted.
 */
import type { SonicBoom } from "sonic-boom";

/** A log that never waits. */
export interface Lines {
  write(line: string): void;
  /** How many lines were lost. */
  readonly lost: number;
  /** Waits, for a moment, until all was taken. */
  end(): Promise<void>;
}

/** Standard error. */
const FILE = 2;
/** Characters that may wait. */
const WAITING_MAX = 4 * 1024 * 1024;
/** How long an end waits for what was not taken. */
const END_MS = 1_000;

export class LineWriter implements Lines {
  private stream: SonicBoom | undefined;
  private opening: Promise<void> | undefined;
  /** Lines from before the stream was there. */
  private early: string[] = [];
  private lostCount = 0;
  private lostTold = 0;
  private readonly words: (count: number) => string;

  constructor(words: (count: number) => string) {
    this.words = words;
  }

  /** How many lines were lost. */
  get lost(): number {
    return this.lostCount;
  }

  write(line: string): void {
    if (this.stream === undefined) {
      this.early.push(line);
      this.opening ??= this.open();
    } else this.stream.write(`${line}\n`);
  }

  /** Waits, for a moment, until all was taken. */
  async end(): Promise<void> {
    await this.opening;
    const { stream } = this;
    if (stream === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        // What is being written cannot be called back, and would keep the process from its end.
        setTimeout(() => process.exit(), END_MS).unref();
        resolve();
      }, END_MS);
      stream.flush(() => resolve());
    });
    clearTimeout(timer);
  }

  /** The library is loaded when there is something to say. */
  private async open(): Promise<void> {
    const { default: sonic } = await import("sonic-boom");
    const stream = new sonic.SonicBoom({ fd: FILE, sync: false, maxLength: WAITING_MAX });
    stream.on("drop", () => {
      this.lostCount++;
    });
    stream.on("drain", () => {
      if (this.lostCount === this.lostTold) return;
      const line = this.words(this.lostCount - this.lostTold);
      this.lostTold = this.lostCount;
      stream.write(`${line}\n`);
    });
    // A reader that goes away takes nothing any more; the service goes on.
    stream.on("error", () => {});
    this.stream = stream;
    for (const line of this.early.splice(0)) stream.write(`${line}\n`);
  }
}
