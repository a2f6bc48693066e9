/** Lets a statement that goes through many rows tell so while it runs, and be ended. */
import { randomInt } from "node:crypto";

/** The function of the connection that statements call: what it throws ends them. */
export const STEP_FUNCTION = "lacuna_step";
/** Of so many rows that a statement goes through, one calls the function, on average. */
const ROWS_A_STEP = 32;

/** Drawn for each process, so that nobody can make rows that all pass unseen. */
const FACTOR = 2 * randomInt(2 ** 20, 2 ** 21) + 1;

/** A term that is always true; to be the first of the conditions on the rows with that key. */
export function stepping(key: string): string {
  return `(((${key} * ${FACTOR}) >> 16) & ${ROWS_A_STEP - 1} OR ${STEP_FUNCTION}())`;
}
