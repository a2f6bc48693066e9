/** Finds the recorded gap, or the silence, that an item of the engine stands for. */
import type { Gap, ItemId, Service } from "./types/index.ts";

/** What is known of a gap that was met. */
export type NamedGap = Pick<Gap, "id" | "part" | "sentence" | "silent">;

const FAILURE = "failures/";

/** Gaps that answer for one that has no sentence of its own, the nearest first. */
function standIns(id: ItemId): ItemId[] {
  if (id.startsWith(FAILURE)) {
    const condition = id.slice(FAILURE.length);
    return [`errors/${condition}`, "errors/error codes"];
  }
  const refused = /^(states\/.+)\/([^/]+)\/refused$/.exec(id);
  if (refused !== null) return [`${refused[1]}/gap Refusal of ${refused[2]}`];
  return [];
}

const BEYOND = "/through ";

/** The gap of a path that leads to a row which `Rows`, the item, hides. */
export function beyondRows(rows: ItemId, through: string): ItemId {
  return `${rows}${BEYOND}${through === "" ? "a reference" : through}`;
}

/** The words of an item that no sentence is recorded for. */
function wordsOf(id: ItemId): string {
  if (id.startsWith(FAILURE)) {
    return `What does a request get that meets '${id.slice(FAILURE.length)}'?`;
  }
  const [, ...path] = id.split("/");
  const at = id.indexOf(BEYOND);
  if (at >= 0) {
    const through = id.slice(at + BEYOND.length);
    const said = through.includes(".") ? `\`${through}\`` : through;
    return `What is seen through ${said} where \`Rows\` of \`${path[0]}\` hides the row?`;
  }
  return path.length === 0 ? id : `What is stated of ${path.join(", ")}?`;
}

/** The first words of the names of items, in the order of the nine parts. */
const PARTS = [
  "service",
  "resources",
  "states",
  "endpoints",
  "authentication",
  "events",
  "errors",
  "limits",
  "versioning",
];

/** The gap by its id; one that is not recorded is silent. */
export function namedGap(
  gaps: ReadonlyMap<ItemId, Gap>,
  parts: Service["parts"],
  id: ItemId,
): NamedGap {
  for (const one of [id, ...standIns(id)]) {
    const found = gaps.get(one);
    if (found !== undefined) return found;
  }
  const first = id.startsWith(FAILURE) ? "errors" : id.slice(0, Math.max(0, id.indexOf("/")));
  const part = parts[PARTS.indexOf(first)]?.name ?? "";
  return { id, part, sentence: wordsOf(id), silent: true };
}

/** The header field that names a gap where there is no body, as for HEAD: `id; place`. */
export function gapField(gap: {
  readonly id: ItemId;
  readonly place: string;
}): readonly [string, string] {
  const text = [gap.id, gap.place].filter((one) => one !== "").join("; ");
  // A field holds visible characters of ASCII alone (RFC 9110 section 5.5).
  return ["Lacuna-Gap", text.replace(/[^ -~]/gu, (one) => encodeURIComponent(one))];
}
