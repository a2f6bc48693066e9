/** Splits the subject of a gap sentence into facets of its part, where every piece is one. */
import type { PartEntry } from "../../language/index.ts";

interface Piece {
  readonly facet: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TAIL = /\s+of (the|this) service$/;
const LEAD = /^(their|its|the|and|or)\s+/;
const JOINT = /,\s*|\s+(?:and|or)\s+/g;

/** The facet that some words name, in any case. */
function facetOf(part: PartEntry, words: string): string | undefined {
  const wanted = words.toLowerCase().replaceAll(/\s+/g, " ");
  return part.facets.find((facet) => facet.name === wanted || facet.also.includes(wanted))?.name;
}

/** The facets that the subject names; none at all where some piece is no facet of the part. */
export function splitSubject(subject: string, start: number, part: PartEntry): Piece[] {
  const bare = subject.replace(TAIL, "");
  const pieces: Piece[] = [];
  let at = 0;
  const cuts = [...bare.matchAll(JOINT)].map((joint) => [joint.index, joint[0].length] as const);
  for (const [cut, length] of [...cuts, [bare.length, 0] as const]) {
    let from = at;
    let text = bare.slice(from, cut);
    for (let lead = LEAD.exec(text); lead !== null; lead = LEAD.exec(text)) {
      from += lead[0].length;
      text = bare.slice(from, cut);
    }
    at = cut + length;
    if (text === "" && at < bare.length) continue;
    const facet = facetOf(part, text.trim());
    if (facet === undefined || pieces.some((piece) => piece.facet === facet)) return [];
    pieces.push({ facet, text, start: start + from, end: start + cut });
  }
  return pieces;
}
