/** The files of a store beside each other, and reading and writing them at a place, whole. */
import { dirname } from "node:path";

// An import of it would also load its streams into each thread.
const fs = process.getBuiltinModule("node:fs");

/** Bytes of a page: what SQLite takes for a file that is new. */
export const PAGE_BYTES = 4096;

/** Names of the files beside the one of the store. */
export const besideOf = (file: string) => ({
  log: `${file}-wal`,
  index: `${file}-shm`,
  sums: `${file}-sums`,
});

/** Fills the buffer from a place of the file; gives how many bytes there were. */
export function readAt(fd: number, bytes: Uint8Array, place: number): number {
  let done = 0;
  while (done < bytes.length) {
    const read = fs.readSync(fd, bytes, done, bytes.length - done, place + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}

/** Writes all of the bytes at a place of the file. */
export function writeAt(fd: number, bytes: Uint8Array, place: number): void {
  let done = 0;
  while (done < bytes.length) {
    done += fs.writeSync(fd, bytes, done, bytes.length - done, place + done);
  }
}

/** Bytes of a file; undefined where there is none. */
export function sizeOf(file: string): number | undefined {
  return fs.statSync(file, { throwIfNoEntry: false })?.size;
}

/** Makes it durable which names the folder of a file has. Windows has no such call. */
export function syncFolderOf(file: string): void {
  if (process.platform === "win32") return;
  const fd = fs.openSync(dirname(file), "r");
  try {
    fs.fsyncSync(fd);
  } finally {
    fs.closeSync(fd);
  }
}

/** Whether an error says that there was no room for what was to be written. */
export function isWithoutRoom(fault: unknown): boolean {
  const code = fault instanceof Error && "code" in fault ? String(fault.code) : "";
  return code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
}
