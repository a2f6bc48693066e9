/** Knows when the first thing falls due, as long as the store has not changed. */
import type { Program } from "../../run/index.ts";
import type { Storage } from "../jobs/storage.ts";
import type { ReadTurn } from "./read-turn.ts";

/** When the first thing falls due, by the state of the store that it was read from. */
export interface KnownDue {
  version: unknown;
  at: bigint | undefined;
}

/** Whether anything is due: asked of the store when it has changed, else remembered in `known`. */
export function isDue(
  known: KnownDue,
  { storage, program }: { readonly storage: Storage; readonly program: Program },
  now: bigint,
): boolean {
  const version = storage.version();
  if (version === undefined) return program.anyDue(storage.session, now);
  if (version !== known.version) {
    known.at = program.nextDue(storage.session);
    known.version = version;
  }
  return known.at !== undefined && known.at <= now;
}

/** Whether nothing is due, of a store on which other nodes fire, too. */
export function isFiredElsewhere(
  { storage, program }: { readonly storage: Storage; readonly program: Program },
  turn: ReadTurn,
  now: bigint,
): boolean {
  if (storage.shared === undefined) return false;
  try {
    return !turn.run(() => program.anyDue(storage.session, now));
  } catch {
    return false;
  } finally {
    turn.end();
  }
}
