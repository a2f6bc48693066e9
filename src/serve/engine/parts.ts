/** What an engine is made of. */
import type { ItemId, Plan } from "../../plan/index.ts";
import type { Chooser, Hooks, Members, Program } from "../../run/index.ts";
import type { CallCoordinator } from "../calls/coordinator.ts";
import type { Credentials } from "../credentials/index.ts";
import type { Storage } from "../jobs/storage.ts";
import type { Keys } from "../limits/idempotency.ts";
import type { Limits } from "../limits/limits.ts";
import type { AssumptionHeaders } from "./assumption-headers.ts";
import type { ReadTurn } from "./read-turn.ts";

export interface EngineParts {
  readonly plan: Plan;
  /** Every plan that is served on the store. Default: this one is alone. */
  readonly all?: readonly Plan[];
  /** When the version ends, where it is an old one. Default: nothing says when. */
  readonly until?: bigint | undefined;
  /** The read transactions of the thread. Default: its own. */
  readonly turn?: ReadTurn;
  readonly program: Program;
  readonly storage: Storage;
  readonly credentials: Credentials;
  readonly random: (bytes: number) => Uint8Array;
  readonly settings: Members;
  readonly limits: Limits;
  readonly keys: Keys;
  readonly calls: CallCoordinator;
  /** Whether nobody else waits for what it does: then long reads are done here. */
  readonly isAlone: boolean;
  /** Hooks besides limits, which are judged by the job. */
  readonly hooks: Hooks;
  /** Whether it is asked of each job what it will ask for, be it alone. Default: see `foresee`. */
  readonly foreseesEach?: boolean;
  /** Whether slow hashes are made beside the transactions. */
  readonly hashesBeside?: boolean;
  /** Chooses what the document leaves free, where that is asked for. */
  readonly chooser?: Chooser;
  /** Headers of answers that assumptions determine. */
  readonly marks: AssumptionHeaders;
  /** Whether an endpoint that meets a gap answers with an example of the document. */
  readonly examples?: boolean;
  /** `file:line:column` of an item, or nothing. */
  readonly placeOf: (item: ItemId) => string;
  /** What a changed document has added to the store, in words. */
  readonly said: readonly string[];
}
