/** A store that the contract is tried on. */
import type { Session } from "../../../src/run/index.ts";

export interface Contender {
  readonly name: string;
  /** A session on a new, empty store of the plan, in a transaction. */
  open(): Session;
  /** Whether it runs queries by itself; else it says of each that it is not able to. */
  readonly runsQueries: boolean;
  /** A session that cannot write any more; undefined: nothing can happen to this store. */
  readonly broken?: () => Session;
  /** Waits for what was written, where a store does not. */
  readonly settle?: () => void;
}
