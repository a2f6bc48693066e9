/** The text of a document in pieces, each to stand at the object that it is about. */
import { lineTable, positionOf } from "../../base/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { Spec } from "../../spec/index.ts";
import type { JsonObject } from "../schemas/json.ts";

/** Where a piece of the document's text stands in an exported file. */
export const SECTION = "x-lacuna-section";
/** The pieces that are about no object of the file. */
export const PARTS = "x-lacuna-parts";

interface Piece {
  /** The item whose section it is; undefined above the first heading of a part. */
  readonly id: ItemId | undefined;
  readonly line: number;
  readonly text: string;
}

/** All text of the document in its order: what stands above a heading, then each section. */
function piecesOf({ text, parts }: Spec): Piece[] {
  const starts = parts.flatMap((part) => [
    { id: undefined, at: part.start },
    ...part.sections
      .filter(({ heading }) => heading !== undefined)
      .map(({ id, start }) => ({ id, at: start })),
  ]);
  const table = lineTable(text);
  const lineStart = (at: number): number => text.lastIndexOf("\n", at - 1) + 1;
  const cuts = [
    { id: undefined, at: 0 },
    ...starts.map((one) => ({ ...one, at: lineStart(one.at) })),
  ]
    .sort((a, b) => a.at - b.at)
    .filter(({ at }, i, all) => at !== all[i + 1]?.at);
  return cuts.map(({ id, at }, i) => ({
    id,
    line: positionOf(table, at).line,
    text: text.slice(at, cuts[i + 1]?.at),
  }));
}

/** Pieces to be put where they belong, each once. */
export class Sections {
  readonly #byItem: ReadonlyMap<ItemId, Piece>;
  readonly #all: readonly Piece[];
  readonly #taken = new Set<Piece>();

  constructor(spec: Spec) {
    this.#all = piecesOf(spec);
    this.#byItem = new Map(
      this.#all.flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])),
    );
  }

  /** The member that holds the section of an item, for the object that is about it. */
  of(id: ItemId): JsonObject {
    const piece = this.#byItem.get(id);
    if (piece === undefined || this.#taken.has(piece)) return {};
    this.#taken.add(piece);
    return { [SECTION]: { line: piece.line, text: piece.text } };
  }

  /** The pieces that stand nowhere yet. */
  rest(): JsonObject[] {
    return this.#all
      .filter((one) => !this.#taken.has(one))
      .map(({ line, text }) => ({ line, text }));
  }
}
