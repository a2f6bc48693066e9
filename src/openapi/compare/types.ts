/** What a comparison of two descriptions gives: changes, each once for its cause. */
import type { ChangeName } from "../../language/index.ts";
import type { Place } from "../tree/index.ts";

/** Which part of a document a change would stand in. */
export type Area = "service" | "schemas" | "endpoints" | "security" | "events";

/** A change with the place in each file, and how many operations it reaches. */
export interface FileChange {
  readonly kind: ChangeName;
  /** An operation, a named schema and the way below it, a scheme. */
  readonly about: string;
  /** What differs, where the kind does not tell it: a keyword, a value, a name. */
  readonly what?: string;
  readonly was?: string;
  readonly is?: string;
  readonly area: Area;
  readonly before?: Place;
  readonly now?: Place;
  /** Operations that it reaches: of requests or of answers, as the kind says. */
  readonly operations: number;
  /** The first operation that it reaches. */
  readonly first?: string;
}

export interface Comparison {
  readonly changes: readonly FileChange[];
  /** Not every way was gone for every operation: numbers of operations may be too small. */
  readonly isCut: boolean;
}
