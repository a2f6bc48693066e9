/** A fault of a store as such: no request is to blame, and none can be answered rightly. */

/** What a store throws when it cannot go on: disk full, locked, corrupt ... */
export interface StoreFault extends Error {
  readonly is: "store fault";
}

/** Whether something thrown is a fault of the store. */
export function isStoreFault(thrown: unknown): thrown is StoreFault {
  const is: StoreFault["is"] = "store fault";
  return thrown instanceof Error && "is" in thrown && thrown.is === is;
}
