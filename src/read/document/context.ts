/** What the readers of one document share: its text, its findings and the names of its items. */
import type { Finding } from "../../base/index.ts";
import { type Inline, tokens } from "../blocks/index.ts";
import type { Stretch } from "../forms/index.ts";
import type { KnownCells } from "./known.ts";

export { report } from "../../base/index.ts";

/** One document while it is read. */
export interface Context {
  readonly text: string;
  readonly findings: Finding[];
  /** How often each item name was given, to keep them apart. */
  readonly ids: Map<string, number>;
  /** Cells that may stand again further down. */
  readonly known: KnownCells;
}

/**
 * A name for an item: that of its owner and its own with `/` between, or with `#2` and so on behind
 * it where that is taken.
 */
export function itemId(context: Context, owner: string, name: string): string {
  // Not a template: that keeps its pieces, which takes three times the memory.
  const wanted = [owner, name].join("/");
  const taken = context.ids.get(wanted) ?? 0;
  context.ids.set(wanted, taken + 1);
  return taken === 0 ? wanted : `${wanted}#${taken + 1}`;
}

/** The tokens of an inline as a stretch of the document. */
export function stretchOf(context: Context, inline: Inline): Stretch {
  const { start, end } = inline;
  return { text: context.text, tokens: tokens(context.text, inline), start, end };
}

/** The stretch of the tokens from `from` up to `to`. */
export function part(stretch: Stretch, from: number, to = stretch.tokens.length): Stretch {
  const kept = stretch.tokens.slice(from, to);
  const start = kept[0]?.start ?? stretch.tokens[from - 1]?.end ?? stretch.start;
  const end = kept.at(-1)?.end ?? start;
  return { text: stretch.text, tokens: kept, start, end };
}

/** The source text of a stretch, as written. */
export function sourceOf(stretch: Stretch): string {
  return stretch.text.slice(stretch.start, stretch.end);
}

/** The source of a stretch with single spaces: more than one is layout, and means nothing. */
export function wordsOf(stretch: Stretch): string {
  return sourceOf(stretch).replaceAll(/\s+/g, " ");
}
