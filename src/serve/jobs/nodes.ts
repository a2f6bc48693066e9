/** Other nodes that serve on the same store, and the names of works, which tell whose they are. */

export interface Nodes {
  /** The name of this one, as long as its connection lasts: a number. */
  own(): string;
  /** Whether one of that name is there no more. */
  isGone(name: string): boolean;
}

/** The name of a work that begins here. `nodes`: default: there are none. */
export function workOf(nodes: Nodes | undefined, text: string): string {
  return nodes === undefined ? text : `${nodes.own()}.${text}`;
}

/** The node that has begun a work. */
export function nodeOf(work: string): string {
  return work.split(".")[0] ?? "";
}
