/** What a run depends on besides its data: time, chance, settings, and what judges a job. */

import type { Ambient, Chooser, Members } from "../../run/index.ts";
import { digest } from "../crypto/digest.ts";
import { type HookParts, hooksFor, type JobHooks } from "./hooks.ts";

export interface SurroundingParts extends HookParts {
  readonly random: (bytes: number) => Uint8Array;
  readonly settings: Members;
  readonly chooser?: Chooser;
}

/** The surroundings of a job; without one, those of what happens by itself. */
export function ambientOf(parts: SurroundingParts, now: bigint, of?: JobHooks): Ambient {
  const { random, settings, hooks, chooser } = parts;
  return { now, random, digest, settings, chooser, hooks: of ? hooksFor(parts, of) : hooks };
}
