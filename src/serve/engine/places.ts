/** Where the items of documents stand: read when the first gap is met. */
import type { ItemId } from "../../plan/index.ts";
import type { ProgramOptions } from "../../run/index.ts";

type Origins = ProgramOptions["origins"];

/**
 * What a program is told of places, and what numbers its queries. `text`: JSON text. `beside`: of
 * the newest document, whose items an older one has beside its own.
 */
export function placesOf(
  text: string | undefined,
  beside?: Required<Pick<ProgramOptions, "queries">> & Pick<ProgramOptions, "origins">,
): Required<Pick<ProgramOptions, "queries">> & Pick<ProgramOptions, "origins"> {
  let read: Origins;
  return {
    queries: beside?.queries ?? { next: 0 },
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
