/** How an answer is compared with the one that an example states: as `lacuna try` does it. */
export { bodyDiffers, filled, headerFits, type Kept } from "../../src/cli/trial/answers.ts";
