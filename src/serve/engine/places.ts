/** Where the items of documents stand: read when the first gap is met. */
import type { ItemId } from "../../plan/index.ts";
import type { ProgramOptions } from "../../run/index.ts";

type Origins = ProgramOptions["origins"];

/** What a program is told of its document. */
type Told = Pick<ProgramOptions, "origins" | "shownOrder"> &
  Required<Pick<ProgramOptions, "queries">>;

/**
 * What a program is told of its document: places, from JSON text. `beside`: what that of the newest
 * is told, whose items an older one has beside its own.
 */
export function placesOf(
  text: string | undefined,
  beside?: Told,
  shownOrder?: ProgramOptions["shownOrder"],
): Told {
  let read: Origins;
  return {
    queries: beside?.queries ?? { next: 0 },
    ...(shownOrder === undefined ? {} : { shownOrder }),
    get origins() {
      read ??= { ...beside?.origins, ...(JSON.parse(text ?? "{}") as Origins) };
      return read;
    },
  };
}

/** `file:line:column` of an item, or nothing. */
export function placeOf(origins: Origins, item: ItemId): string {
  const at = origins?.[item];
  return at ? `${at.file}:${at.line}:${at.column}` : "";
}
