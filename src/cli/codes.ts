/** All codes of findings, with their pages: of the reader, the checker and the survey. */
import type { CodeEntry } from "../base/index.ts";
import { checkCodes } from "../check/index.ts";
import { surveyPages } from "../openapi/index.ts";
import { blockCodes } from "../read/index.ts";

let entries: ReadonlyMap<string, CodeEntry> | undefined;

/** Codes in the order of the reference: the reader's, the checker's, then the survey's. */
export function codeEntries(): ReadonlyMap<string, CodeEntry> {
  entries ??= new Map<string, CodeEntry>(
    Object.entries({ ...blockCodes, ...checkCodes, ...surveyPages }),
  );
  return entries;
}
