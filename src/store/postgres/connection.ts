/** The connections over which a store is opened and heard of. */
import type { StorePlace } from "../place.ts";
import type { Ears } from "./listen.ts";
import { placeOf } from "./place.ts";
import type { Wire } from "./wire.ts";

/** How long an answer of a database may take. */
const PATIENCE = { answerMs: 10_000 };

/** A connection, and how another is made when it is lost. */
export interface Connection {
  readonly wire: Wire;
  /**
   * Whether a store that is opened over it is written to beside another that has opened it for
   * writing. Default: the mode says what is done.
   */
  readonly isBeside?: boolean;
  /** Rejects with `StorageFault`. */
  again(): Promise<Wire>;
}

/** The connection over which a store is opened; undefined: it is opened without. */
export async function connectionOf(store: StorePlace): Promise<Connection | undefined> {
  if (store === "memory" || !("postgres" in store)) return undefined;
  // The driver is loaded where it is used alone.
  const { connectPg } = await import("./connect.ts");
  const again = () => connectPg(placeOf(store.postgres), PATIENCE);
  return { wire: await again(), again };
}

/**
 * Tells of what other nodes have written, and where clocks are apart, from then on; undefined:
 * there are no others.
 */
export async function hearing(
  store: StorePlace,
  ears: Ears,
): Promise<{ close(): void } | undefined> {
  if (store === "memory" || !("postgres" in store)) return undefined;
  const { Listening } = await import("./listen.ts");
  return new Listening(placeOf(store.postgres), store.node ?? "", PATIENCE, ears);
}
