/** All codes of findings, each with its page: those of the reader and those of the checker. */
import type { CodeEntry } from "../base/index.ts";
import { checkCodes } from "../check/index.ts";
import { blockCodes } from "../read/index.ts";

let entries: ReadonlyMap<string, CodeEntry> | undefined;

/** Codes in the order of the reference: the reader's, then the checker's. */
export function codeEntries(): ReadonlyMap<string, CodeEntry> {
  entries ??= new Map<string, CodeEntry>(Object.entries({ ...blockCodes, ...checkCodes }));
  return entries;
}
