/** Seeded random numbers for campaigns: the seed is printed and can be given as SEED. */

/** The seed of this run: the environment's SEED, or one made from the clock. */
export function seedOf(): number {
  const given = Number(process.env.SEED);
  return Number.isInteger(given) && process.env.SEED !== undefined && process.env.SEED !== ""
    ? given >>> 0
    : Date.now() >>> 0;
}

/** Uniform numbers in [0, 1) (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
