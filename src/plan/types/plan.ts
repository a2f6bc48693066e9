/** The plan: the neck between what a document states and all that acts on it (JSON data). */
import type { Service } from "./service.ts";

/**
 * A service with every name resolved and no position of its own. Deterministic: the same meaning
 * gives the same bytes. `formatVersion` grows when a reader of plans must change. What version 2
 * adds is optional, and absent it means what version 1 meant: a plan of 1 is read as one of 2.
 */
export interface Plan extends Service {
  readonly format: "lacuna-plan";
  readonly formatVersion: 2;
  /** Items that come from an assumptions file, sorted; only in plans made with one. */
  readonly assumed?: readonly string[];
}
