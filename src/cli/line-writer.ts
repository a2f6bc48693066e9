/**
 * Writes the lines of a log to standard error without waiting for whoever reads them: what nobody
 * takes in time is lost, and counted.
 */

/** A log that never waits. */
export interface Lines {
  write(line: string): void;
  /** How many lines were lost. */
  readonly lost: number;
  /** Waits, for a moment, until all was taken. */
  end(): Promise<void>;
}

/** Bytes that may wait. */
const WAITING_MAX = 4 * 1024 * 1024;
/** How long an end waits for what was not taken. */
const END_MS = 1_000;

/** Pipes and sockets are written in the background, as Node.js does outside of Windows. */
export class LineWriter implements Lines {
  private lostCount = 0;
  private lostTold = 0;
  private readonly words: (count: number) => string;

  /** `words` says how many lines were lost. */
  constructor(words: (count: number) => string) {
    this.words = words;
  }

  get lost(): number {
    return this.lostCount;
  }

  write(line: string): void {
    const { stderr } = process;
    if (stderr.writableLength > WAITING_MAX) {
      this.lostCount++;
      return;
    }
    if (this.lostCount > this.lostTold) {
      stderr.write(`${this.words(this.lostCount - this.lostTold)}\n`);
      this.lostTold = this.lostCount;
    }
    stderr.write(`${line}\n`);
  }

  async end(): Promise<void> {
    const { stderr } = process;
    if (stderr.writableLength === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        // What waits would keep the process from its end.
        setTimeout(() => process.exit(), END_MS).unref();
        resolve();
      }, END_MS);
      stderr.once("drain", resolve);
    });
    clearTimeout(timer);
  }
}
