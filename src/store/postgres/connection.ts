/** The connection over which a store is opened. */
import type { StorePlace } from "../place.ts";
import { placeOf } from "./place.ts";
import type { Wire } from "./wire.ts";

/** How long an answer of a database may take. */
const ANSWER_MS = 10_000;

/** A connection, and how another is made when it is lost. */
export interface Connection {
  readonly wire: Wire;
  /** Rejects with `StorageFault`. */
  again(): Promise<Wire>;
}

/** The connection over which a store is opened; undefined: it is opened without. */
export async function connectionOf(store: StorePlace): Promise<Connection | undefined> {
  if (store === "memory" || !("postgres" in store)) return undefined;
  // The driver is loaded where it is used alone.
  const { connectPg } = await import("./connect.ts");
  const again = () => connectPg(placeOf(store.postgres), { answerMs: ANSWER_MS });
  return { wire: await again(), again };
}
