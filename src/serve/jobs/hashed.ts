/** Hashes that a request needs, made beside the engine: plain, small data. */
import type { Hash } from "../../plan/index.ts";

/** A hash that is slow by intent. */
export type SlowHash = Extract<Hash, { kind: "argon2id" | "scrypt" }>;

/** A hash that a request needs. */
export type Unhashed =
  | { readonly key: string; readonly is: "hash"; readonly hash: SlowHash; readonly secret: string }
  | {
      readonly key: string;
      readonly is: "verify";
      readonly stored: string;
      readonly secret: string;
    };

/** A hash that was made for a request before it was run again. */
export interface Hashed {
  readonly key: string;
  readonly made: string | boolean;
}
