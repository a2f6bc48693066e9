/** Random numbers of tests and campaigns: tests take a fixed seed, campaigns print theirs. */

/** The seed of tests, the same in every run; the environment's SEED replaces it. */
export const testSeed: number = seedGiven() ?? 20261121;

/** The seed of a campaign: the environment's SEED, or one made from the clock. Print it. */
export function campaignSeed(): number {
  return seedGiven() ?? Date.now() >>> 0;
}

function seedGiven(): number | undefined {
  const given = process.env["SEED"];
  if (given === undefined || given === "") return undefined;
  const seed = Number(given);
  if (!Number.isInteger(seed)) throw new Error(`SEED is no whole number: ${given}`);
  return seed >>> 0;
}

/** Uniform numbers in [0, 1): mulberry32 (Tommy Ettinger, public domain). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
