/** The items that determine an answer, by what they do for it. */
import type { ItemId } from "../types/index.ts";

export interface Causes {
  /** What the answer ends in: its steps, refusals and rows. */
  readonly ends: readonly ItemId[];
  /** What the request goes past before, in order, with all that this consults. */
  readonly before: readonly ItemId[];
  /** What the answer shows. */
  readonly shown: readonly ItemId[];
}
