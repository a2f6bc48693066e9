/** All codes of findings, each with its page: those of the reader and those of the checker. */
import type { Severity } from "../base/index.ts";
import { checkCodes } from "../check/index.ts";
import { blockCodes } from "../read/index.ts";

/** What a finding means. In `wrong` and `right`, `\uXXXX` stands for that character. */
export interface CodeEntry {
  readonly severity: Severity;
  readonly title: string;
  readonly meaning: string;
  readonly mend: string;
  readonly wrong: string;
  readonly right: string;
}

let entries: ReadonlyMap<string, CodeEntry> | undefined;

/** Codes in the order of the reference: the reader's, then the checker's. */
export function codeEntries(): ReadonlyMap<string, CodeEntry> {
  entries ??= new Map<string, CodeEntry>(Object.entries({ ...blockCodes, ...checkCodes }));
  return entries;
}
