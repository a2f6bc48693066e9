/** What a change of a document means for the values that are kept. */

/**
 * `same`: what was kept reads as it was written. `wider`: so, and more may be kept from now on.
 * `narrower`: what was kept may be nothing that is allowed any more. `other`: what was written
 * would be read as something else.
 */
export type Relation = "same" | "wider" | "narrower" | "other";

const ORDER: readonly Relation[] = ["same", "wider", "narrower", "other"];

/** The one that asks for most; `same` for none. */
export function worst(all: readonly Relation[]): Relation {
  return all.reduce((a, b) => (ORDER.indexOf(a) < ORDER.indexOf(b) ? b : a), "same");
}
