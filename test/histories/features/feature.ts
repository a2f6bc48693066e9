/** What a feature adds to a document made at random: text for each of its parts. */
import type { Random } from "../random.ts";

export interface Feature {
  /** Bullets of part 1. */
  readonly about?: readonly string[];
  readonly resources?: string;
  /** Names of resources that have no states. */
  readonly stateless?: readonly string[];
  readonly machines?: string;
  readonly endpoints?: string;
  /** Rows of the table of limits. */
  readonly limits?: readonly string[];
  /** Rows of the table of events. */
  readonly events?: readonly string[];
}

export interface Surrounding {
  readonly random: Random;
  /** Whether requests may have a caller, a row of `Owner`. */
  readonly caller: boolean;
  /** A Who bullet with an empty line behind it, or nothing. */
  readonly who: string;
}

export type MakeFeature = (around: Surrounding) => Feature;

/** A table of the given header and rows. */
export function table(header: string, rows: readonly string[]): string {
  const columns = header.split("|").length - 2;
  return `${header}\n|${"---|".repeat(columns)}\n${rows.join("\n")}\n`;
}
