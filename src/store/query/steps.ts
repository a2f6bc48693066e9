/** Lets a statement that goes through many rows tell so while it runs, and be ended. */
import { randomInt } from "node:crypto";

/** The function of the connection that statements call: what it throws ends them. */
export const STEP_FUNCTION = "lacuna_step";
/** Of so many rows that a statement goes through, one calls the function, on average. */
const ROWS_A_STEP = 32;

/**
 * Of a polynomial in the key: one of the first degree passes over hundreds of keys at a stretch
 * with one of twenty factors. Drawn for each process, so that nobody can make rows that all pass.
 */
const [SQUARE, LINEAR] = [randomInt(2 ** 21), randomInt(2 ** 21)];
/** Bits of the key that are looked at: the polynomial stays within 63 bits. */
const KEYS = 2 ** 20 - 1;

/** A term that is always true; to be the first of the conditions on the rows with that key. */
export function stepping(key: string): string {
  const low = `(${key} & ${KEYS})`;
  const mixed = `((${low} * ${SQUARE} + ${LINEAR}) * ${low} >> 16)`;
  return `(${mixed} & ${ROWS_A_STEP - 1} OR ${STEP_FUNCTION}())`;
}
