/** The digests of a store's pages as the tail of its file, which is then all that there is. */
import { StorageFault } from "../sqlite/fault.ts";
import { besideOf, isWithoutRoom, PAGE_BYTES, sizeOf, writeAt } from "./files.ts";
import { readTail, Sums } from "./sums.ts";

// An import of it would also load its streams into each thread.
const fs = process.getBuiltinModule("node:fs");

/** What keeps a store from being served any longer. */
export const lost = (message: string): StorageFault => new StorageFault("LOST", message);

/** Makes the digests at the end of the file those beside it; none for a file that is new. */
export function noteTail(file: string, size: number): Sums {
  const { sums, log } = besideOf(file);
  if (size === 0) {
    if ((sizeOf(log) ?? 0) > 0) {
      throw lost(`${file} is gone, and ${log} is there: restore it from a backup`);
    }
    return Sums.create(sums);
  }
  const digests = tailOfFile(file);
  if (digests === undefined) {
    throw new StorageFault(
      "DAMAGED",
      `${file} is not whole: it is damaged, was copied while it was served, or was written by ` +
        "another program. Restore a backup (`lacuna restore`); what can be read of the file " +
        "itself is taken by `lacuna restore --unverified`",
    );
  }
  const made = Sums.create(sums, digests);
  dropTail(file, size, digests.length);
  return made;
}

/** The digests that a file ends with. */
export function tailOfFile(file: string): Uint32Array | undefined {
  const fd = fs.openSync(file, "r");
  try {
    return readTail(fd, fs.fstatSync(fd).size);
  } finally {
    fs.closeSync(fd);
  }
}

/** Takes the digests off the end of the file: they are beside it. */
export function dropTail(file: string, size: number, pages: number): void {
  if (pages > 0 && size > pages * PAGE_BYTES && tailOfFile(file)?.length === pages) {
    fs.truncateSync(file, pages * PAGE_BYTES);
  }
}

/** Writes the tail of a file, durably; false where there is no room for it. */
export function putTail(file: string, tail: Uint8Array): boolean {
  const fd = fs.openSync(file, "r+");
  const { size } = fs.fstatSync(fd);
  try {
    writeAt(fd, tail, size);
    fs.fsyncSync(fd);
    return true;
  } catch (fault) {
    if (!isWithoutRoom(fault)) throw fault;
    fs.ftruncateSync(fd, size);
    return false;
  } finally {
    fs.closeSync(fd);
  }
}
