/** What a transaction is made for, and what expressions see of the request that it answers. */
import type { Plan } from "../../plan/index.ts";
import type { Ambient, Asked, Invocation, Members, Session, Value } from "../ports/index.ts";
import type { Model } from "./model.ts";

export interface TransactionParts {
  readonly model: Model;
  readonly session: Session;
  readonly ambient: Ambient;
  /** None: the work is a timer's. */
  readonly invocation?: Invocation;
  /** The request that is answered, where it has no endpoint. */
  readonly asked?: Asked | undefined;
  /** Rows are seen as they are kept, whatever of them is not known. */
  readonly isRaw?: boolean;
}

/** `request`: how it is called, and how it was sent. */
export function requestOf(asked: Asked | undefined): Members {
  return new Map(Object.entries(asked ?? {}));
}

/** `limit`: how each stands; null: it does not count this request, or was not judged yet. */
export function limitsOf({ limits }: Plan, { hooks }: Ambient): Members {
  const states = hooks.limitStates?.();
  return new Map(limits.map(({ name }) => [name, (states?.get(name) ?? null) as Value]));
}
