/** The end of a switch over a closed union: a kind that it forgets does not compile. */

/** Never reached where types hold; throws where data of another version comes in. */
export function never(kind: never): never {
  throw new Error(`unknown kind: ${JSON.stringify(kind)}`);
}
