/** What can go wrong with a store as such, said so that an operator can mend it. */
import type { StoreFault } from "../../run/index.ts";

/** The store cannot go on: disk full, locked, corrupt ...; the message says what to do. */
export class StorageFault extends Error implements StoreFault {
  readonly is = "store fault";
  /** Code of the database, or `SCHEMA`, `DURABILITY`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "StorageFault";
    this.code = code;
  }
}

const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_FULL/, "the disk is full: free some space; what runs goes on by itself then"],
  [/^SQLITE_(BUSY|LOCKED)/, "another program has locked the store: stop that one"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "the file is damaged or no store: restore it from a copy"],
  [/^SQLITE_READONLY/, "the file or its folder cannot be written: check its permissions"],
  [/^SQLITE_CANTOPEN/, "the file cannot be opened: check that its folder is there"],
  [
    /^SQLITE_IOERR_WRITE/,
    "writing failed: check that the disk is sound and has space, and that " +
      "no limit on the size of files is met; what runs goes on by itself then",
  ],
  [/^SQLITE_IOERR/, "reading or writing the disk failed: check the disk"],
  [/^(ENOSPC|EDQUOT|EFBIG)/, "there is no room on the disk: free some space"],
  [/^(EACCES|EPERM|EROFS)/, "the file or its folder cannot be written: check its permissions"],
  [/^(EIO|ENXIO)/, "reading or writing the disk failed: check the disk"],
  [/^SQLITE_NOMEM/, "there is not enough memory"],
];

/** Whether an error of the database says that there was no room for what was to be written. */
export function isOutOfSpace(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "SQLITE_FULL" || code === "SQLITE_IOERR_WRITE";
}

/**
 * An error of the database as a fault of the store, with the file where several may be meant; any
 * other error is given back as it is.
 */
export function storageFault(error: unknown, file = "the store"): unknown {
  if (error instanceof StorageFault) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const meaning = MEANINGS.find(([pattern]) => pattern.test(code));
  if (meaning === undefined) return error;
  return new StorageFault(code, `${file} failed (${code}): ${meaning[1]}`);
}
