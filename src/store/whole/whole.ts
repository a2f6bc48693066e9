/**
 * Sees to it that a store which is served is what was written: its pages and its log are compared
 * with what is noted of them, when it is opened and while it is served.
 */
import type Database from "better-sqlite3";
import { isOutOfSpace, StorageFault } from "../sqlite/fault.ts";
import { besideOf, isWithoutRoom, PAGE_BYTES, readAt, sizeOf, syncFolderOf } from "./files.ts";
import { digestOf, Log, type LogState, logBytes } from "./log.ts";
import { Sums } from "./sums.ts";
import { dropTail, lost, noteTail, putTail } from "./tail.ts";

// An import of it would also load its streams into each thread.
const fs = process.getBuiltinModule("node:fs");

/**
 * Pages in the log from which on they are taken into the file: four times as many as SQLite's own
 * choice, so that a page that is written often is copied once.
 */
const LOG_PAGES = 4000;
/** Pages by which the log has grown before it is tried again, where a reader has held it back. */
const LOG_PAGES_MORE = 500;
const PAGES_READ = 256;
const LOOK_MS = 1000;
/** Within this time it is not looked again, at commits, whether the files are there. */
const PRESENT_MS = 20;
/** Bytes between two lines that say how far it is. */
const TOLD_BYTES = 1024 * 1024 * 1024;

const damaged = (file: string, what: string): StorageFault =>
  new StorageFault(
    "DAMAGED",
    `${file} is damaged: ${what}. Restore it from a backup (\`lacuna restore\`); what can still ` +
      "be read of it is taken by `lacuna restore --unverified`",
  );

/** A file descriptor that stays open: to close it would let SQLite's own locks on the file go. */
function openForGood(file: string): number {
  return fs.openSync(file, "r");
}

/** The store of one file, from before SQLite opens it until it has closed it. */
export class Whole {
  readonly #file: string;
  readonly #sums: Sums;
  #fd: number | undefined;
  #log: Log | undefined;
  /** Pages that the log holds, as far as it was judged. */
  readonly #inLog = new Set<number>();
  #pages: number;
  /** Pages that the file itself has at least. */
  #taken: number;
  #triedAt = 0;
  /** Whether others had the file open when it was closed here. */
  #isShared = false;
  #isNoteNew = false;
  #looked = 0;
  #presentAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #counting: Database.Statement<[], [number, number, number]> | undefined;
  /** Inodes of the file and its log. */
  #own: { file: number; log: number | undefined } | undefined;

  private constructor(file: string, sums: Sums) {
    this.#file = file;
    this.#sums = sums;
    this.#pages = sums.noted.pages;
    this.#taken = sums.noted.isTaken ? this.#pages : 0;
  }

  /**
   * Looks at the files before SQLite opens them. Throws `StorageFault` where they are not what was
   * written. To be called by the owner of the store. `say` is told how far it is, in a large one.
   */
  static begin(file: string, say: (text: string) => void = () => {}): Whole {
    const { sums: path } = besideOf(file);
    const size = sizeOf(file) ?? 0;
    if (sizeOf(path) === undefined) return new Whole(file, noteTail(file, size)).#judged(say);
    const sums = Sums.open(path);
    try {
      const { pages, frames, isTaken } = sums.noted;
      if (size === 0 && (pages > 0 || frames > 0)) {
        throw lost(
          `${file} is ${sizeOf(file) === undefined ? "gone" : "empty"}, and ${path} says that it ` +
            "held data: restore it from a backup (`lacuna restore`)",
        );
      }
      if (isTaken) dropTail(file, size, pages);
      return new Whole(file, sums).#judged(say);
    } catch (fault) {
      sums.close();
      throw fault;
    }
  }

  #judged(say: (text: string) => void): this {
    const { log } = besideOf(this.#file);
    const inLog = new Set<number>();
    const { salts, frames, isTaken } = this.#sums.noted;
    let found: LogState | undefined;
    if ((sizeOf(log) ?? 0) > 0) {
      const reader = new Log(log);
      for (const { page } of reader.find()) inLog.add(page);
      found = reader.state;
      reader.close();
    }
    const isSame = found?.salts[0] === salts[0] && found?.salts[1] === salts[1];
    const there = isSame ? (found?.frames ?? 0) : 0;
    // Where there is no log any more, SQLite itself may have taken it in: the pages tell.
    const isGone = (sizeOf(log) ?? 0) === 0;
    if (!isTaken && !isGone && there < frames) {
      throw damaged(
        log,
        `it held ${frames} pages of what was acknowledged, and ${there} of them can be read`,
      );
    }
    this.#compare(inLog, say);
    return this;
  }

  /** Compares all pages of the file that are not read from its log. */
  #compare(inLog: ReadonlySet<number>, say: (text: string) => void): void {
    const pages = this.#sums.noted.pages;
    if (pages === 0) return;
    this.#fd ??= openForGood(this.#file);
    const bytes = Buffer.allocUnsafeSlow(PAGES_READ * PAGE_BYTES);
    const wrong: number[] = [];
    for (let first = 1; first <= pages; first += PAGES_READ) {
      wrong.push(...this.#wrongIn(bytes, first, Math.min(PAGES_READ, pages - first + 1), inLog));
      const place = (first - 1) * PAGE_BYTES;
      if (place > 0 && place % TOLD_BYTES === 0) {
        say(
          `${place / TOLD_BYTES} of ${Math.ceil((pages * PAGE_BYTES) / TOLD_BYTES)} GiB compared`,
        );
      }
    }
    if (wrong.length === 0) return;
    const { log } = besideOf(this.#file);
    if (!this.#sums.noted.isTaken && (sizeOf(log) ?? 0) === 0) {
      throw damaged(
        log,
        `it is ${sizeOf(log) === undefined ? "gone" : "empty"}, with what was acknowledged last`,
      );
    }
    throw damaged(this.#file, `${pagesNamed(wrong)} not what was written, of ${pages}`);
  }

  /** Pages of some that follow each other which are not what was written. */
  #wrongIn(bytes: Buffer, first: number, count: number, inLog: ReadonlySet<number>): number[] {
    const there = readAt(
      this.#fd as number,
      bytes.subarray(0, count * PAGE_BYTES),
      (first - 1) * PAGE_BYTES,
    );
    const wrong: number[] = [];
    for (let i = 0; i < count; i++) {
      const digest = this.#sums.of(first + i);
      if (digest === 0 || inLog.has(first + i)) continue;
      const end = (i + 1) * PAGE_BYTES;
      if (end > there || digestOf(bytes.subarray(i * PAGE_BYTES, end)) !== digest) {
        wrong.push(first + i);
      }
    }
    return wrong;
  }

  /** Takes over what SQLite has opened; the log that a kill has left goes into the file. */
  open(db: Database.Database, tell: (fault: StorageFault) => void): void {
    db.pragma("wal_autocheckpoint = 0");
    const { log } = besideOf(this.#file);
    if ((sizeOf(log) ?? 0) > 0) {
      this.#log = new Log(log);
      this.#log.find();
      this.takeLog(db, "TRUNCATE");
    }
    this.#timer = setInterval(() => {
      try {
        this.#look();
      } catch (fault) {
        if (fault instanceof StorageFault) tell(fault);
        else throw fault;
      }
    }, LOOK_MS);
    this.#timer.unref();
  }

  /** To be called behind each commit, before it is acknowledged. Throws `StorageFault`. */
  committed(db: Database.Database): void {
    this.#log ??= this.#newLog();
    const before = this.#log.state;
    const made = this.#log.follow(this.#framesOf(db));
    const { state } = this.#log;
    this.#begun(before, state);
    this.#presentAgain();
    if (state.frames === before.frames && state.salts[0] === before.salts[0]) return;
    try {
      for (const { page, digest, pages } of made) {
        this.#inLog.add(page);
        this.#sums.set(page, digest);
        if (pages !== 0) this.#pages = pages;
      }
      this.#sums.note(state, this.#pages);
      this.#isNoteNew = true;
    } catch (fault) {
      // Behind what is kept it is right, too.
      if (!isWithoutRoom(fault)) throw fault;
    }
    const grown = state.frames - this.#triedAt;
    if (state.frames >= LOG_PAGES && grown >= LOG_PAGES_MORE) this.takeLog(db, "PASSIVE");
  }

  /** Frames in the log, as SQLite counts them. */
  #framesOf(db: Database.Database): number {
    this.#counting ??= db
      .prepare<[], [number, number, number]>("PRAGMA wal_checkpoint(NOOP)")
      .raw();
    return this.#counting.get()?.[1] ?? 0;
  }

  #newLog(): Log {
    const { log } = besideOf(this.#file);
    if (sizeOf(log) === undefined) throw lost(`${log} was taken away while it was served`);
    return new Log(log);
  }

  /** Looks whether all is there, where it is some time since the last look. */
  #presentAgain(): void {
    const nowMs = performance.now();
    if (nowMs - this.#presentAtMs < PRESENT_MS) return;
    this.#presentAtMs = nowMs;
    this.#present();
  }

  /** A log that SQLite has begun at the front again was in the file as a whole. */
  #begun(before: LogState, now: LogState): void {
    if (before.salts[0] === now.salts[0] && before.salts[1] === now.salts[1]) return;
    if (before.frames > 0 && !this.#sums.noted.isTaken) {
      throw lost(`another program writes ${this.#file}: one process owns a store`);
    }
    this.#inLog.clear();
    this.#triedAt = 0;
  }

  /** Takes the log into the file, when it is noted what the pages are then. */
  takeLog(db: Database.Database, how: "PASSIVE" | "TRUNCATE"): void {
    if (this.#log === undefined) return;
    const { state } = this.#log;
    this.#triedAt = state.frames;
    try {
      this.#judge(state);
      this.#sums.flush();
      const [told] = db.pragma(`wal_checkpoint(${how})`) as { log: number; checkpointed: number }[];
      const isTaken = told !== undefined && told.log >= 0 && told.log === told.checkpointed;
      if (isTaken && (told.log === 0 || told.log === state.frames)) {
        this.#sums.seal(state, this.#pages);
        this.#taken = this.#pages;
        this.#isNoteNew = false;
      }
    } catch (fault) {
      if (!isWithoutRoom(fault) && !isOutOfSpace(fault)) throw fault;
    }
  }

  /** Takes over what the pages in the log are, each judged. */
  #judge({ frames }: LogState): void {
    const sound = this.#log?.judge(frames, ({ page, digest, pages }) => {
      this.#inLog.add(page);
      this.#sums.set(page, digest);
      if (pages !== 0) this.#pages = pages;
    });
    if (sound !== undefined && sound < frames) {
      throw lost(`${besideOf(this.#file).log} is damaged: frame ${sound + 1} is not as written`);
    }
  }

  /** Throws where the file or its log was taken away, replaced or cut. */
  #present(): void {
    const { log } = besideOf(this.#file);
    const [file, logged] = [statOf(this.#file), statOf(log)];
    this.#own ??= { file: file?.ino ?? 0, log: undefined };
    this.#own.log ??= logged?.ino;
    const what =
      missing(this.#file, file, { ino: this.#own.file, size: this.#taken * PAGE_BYTES }) ??
      missing(log, logged, {
        ino: this.#own.log ?? 0,
        size: this.#sums.noted.isTaken ? 0 : logBytes(this.#log?.state.frames ?? 0),
      });
    if (what !== undefined) throw lost(`${what} while it was served`);
  }

  /** Looks whether all is there, and at some pages, in turn. */
  #look(): void {
    if (this.#log === undefined) return;
    this.#present();
    if (!this.#sums.isThere) {
      throw lost(`${besideOf(this.#file).sums} was taken away while it was served`);
    }
    if (this.#isNoteNew) this.#sums.sync();
    this.#isNoteNew = false;
    const pages = this.#taken;
    if (pages === 0) return;
    this.#fd ??= openForGood(this.#file);
    const first = this.#looked >= pages ? 1 : this.#looked + 1;
    const count = Math.min(PAGES_READ, pages - first + 1);
    const bytes = Buffer.allocUnsafe(count * PAGE_BYTES);
    const wrong = this.#wrongIn(bytes, first, count, this.#inLog);
    this.#looked = first + count - 1;
    if (wrong.length > 0)
      throw lost(damaged(this.#file, `${pagesNamed(wrong)} no longer what was written`).message);
  }

  /** Takes the log in and closes; where nobody else has it open, one file is all that is left. */
  close(db: Database.Database): void {
    clearInterval(this.#timer);
    let isSound = true;
    try {
      if (this.#log !== undefined) this.#present();
      this.takeLog(db, "TRUNCATE");
    } catch (fault) {
      // Whoever serves it was told, or is at the next start.
      if (!(fault instanceof StorageFault)) throw fault;
      isSound = false;
    } finally {
      db.close();
    }
    const { isTaken, pages } = this.#sums.noted;
    const { log, sums } = besideOf(this.#file);
    // SQLite takes the log away when nobody else has the file open.
    this.#isShared = sizeOf(log) !== undefined;
    const isAlone = !this.#isShared && sizeOf(this.#file) === pages * PAGE_BYTES;
    if (isSound && isTaken && isAlone && putTail(this.#file, this.#sums.tail(pages))) {
      fs.rmSync(sums, { force: true });
      syncFolderOf(sums);
    }
  }

  /** Lets the files go, as they are. To be called when SQLite has closed its own. */
  end(): void {
    clearInterval(this.#timer);
    this.#log?.close();
    this.#log = undefined;
    this.#sums.close();
    // To close it would let the locks of other connections of this process go.
    if (this.#fd !== undefined && !this.#isShared) fs.closeSync(this.#fd);
    this.#fd = undefined;
  }
}

function statOf(path: string): { readonly ino: number; readonly size: number } | undefined {
  return fs.statSync(path, { throwIfNoEntry: false });
}

/** What has become of a file, where it is not the one that was opened, or shorter. */
function missing(
  path: string,
  found: { readonly ino: number; readonly size: number } | undefined,
  own: { readonly ino: number; readonly size: number },
): string | undefined {
  if (found === undefined) return `${path} was taken away`;
  if (found.ino !== own.ino) return `${path} was replaced by another file`;
  return found.size < own.size ? `${path} was cut` : undefined;
}

function pagesNamed(pages: readonly number[]): string {
  const shown = pages.slice(0, 3).join(", ");
  if (pages.length === 1) return `page ${shown} is`;
  return `pages ${shown}${pages.length > 3 ? ` and ${pages.length - 3} more` : ""} are`;
}
