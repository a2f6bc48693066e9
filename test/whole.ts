/** `npm test` takes a sample of what is generated; `npm run test:whole` takes all of it. */

const isWhole = process.env["LACUNA_TESTS"] === "whole";

/** How many cases a test generates: in `npm test`, and in `npm run test:whole`. */
export function cases(sample: number, whole: number): number {
  return isWhole ? whole : sample;
}

/** Every `step`-th item, from the first; all of them in `npm run test:whole`. */
export function sampled<T>(items: readonly T[], step: number): readonly T[] {
  return isWhole ? items : items.filter((_, i) => i % step === 0);
}
