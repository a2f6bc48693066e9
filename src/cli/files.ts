/** Reads the documents that a command names and writes them back whole; knows no notation. */
import {
  chmodSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Io } from "./io.ts";

/** A document's bytes and the name to print for it; `-` is the standard input. */
export interface Input {
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** Bytes of the largest file that is taken in; `check` reports those above the reader's bound. */
const FILE_BYTES_MAX = 65 * 1024 * 1024;

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "this is a folder; name a file in it",
  EACCES: "you may not read this file",
  EPERM: "you may not read this file",
  ENOTDIR: "a folder on its path is a file",
  ELOOP: "its links go in a circle",
  ENAMETOOLONG: "its name is too long",
};

/** Why a file cannot be read, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return REASONS[code ?? ""] ?? message ?? "it cannot be read";
}

/** A file or the standard input (`-`), or one line that says why it cannot be read. */
export async function readInput(io: Io, file: string): Promise<Input | string> {
  if (file === "-") return { file, bytes: await io.stdin() };
  try {
    const about = statSync(file);
    if (about.isDirectory()) return `${file}: ${REASONS["EISDIR"]}`;
    if (about.size > FILE_BYTES_MAX) return `${file}: the file is larger than 64 MiB`;
    return { file, bytes: readFileSync(file) };
  } catch (error) {
    return `${file}: ${reasonOf(error)}`;
  }
}

/** All inputs in order, or one line for each that cannot be read. */
export async function readInputs(io: Io, files: readonly string[]): Promise<Input[] | string[]> {
  const read: (Input | string)[] = [];
  for (const file of files) read.push(await readInput(io, file));
  const wrong = read.filter((each) => typeof each === "string");
  return wrong.length > 0 ? wrong : read.filter((each) => typeof each !== "string");
}

/**
 * Puts a text in the place of a file: written beside it, then renamed, so that a reader finds the
 * old text or the new one, never a part. A link stays a link. Gives the reason where it fails.
 */
export function replaceFile(file: string, bytes: Uint8Array): string | undefined {
  let temporary: string | undefined;
  try {
    const target = realpathSync(file);
    temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    writeFileSync(temporary, bytes, { flag: "wx", flush: true });
    chmodSync(temporary, statSync(target).mode & 0o7777);
    renameSync(temporary, target);
    return undefined;
  } catch (error) {
    if (temporary !== undefined) {
      try {
        unlinkSync(temporary);
      } catch {}
    }
    return `${file}: it cannot be written (${(error as Error).message})`;
  }
}

/** Writes a file that is not there yet; the reason where it is or cannot be written. */
export function createFile(file: string, text: string): string | undefined {
  try {
    writeFileSync(file, text, { flag: "wx" });
    return undefined;
  } catch (error) {
    if ((error as { code?: string }).code === "EEXIST") {
      return `${file}: the file is there already and is left as it is`;
    }
    return `${file}: it cannot be written (${(error as Error).message})`;
  }
}

const MARK = [0xef, 0xbb, 0xbf];

/** `text` in UTF-8, with a byte-order mark where `original` begins with one. */
export function encodedLike(original: Uint8Array, text: string): Uint8Array {
  const isMarked = MARK.every((byte, index) => original[index] === byte);
  const bytes = new TextEncoder().encode(text);
  return isMarked ? Uint8Array.from([...MARK, ...bytes]) : bytes;
}
