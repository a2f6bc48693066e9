/** A request as a host gives it: what it says, what was wrong with it, whom it presents. */
import type { FailureCondition, InputPlace, ItemId, Refusal } from "../../plan/index.ts";
import type { Later } from "./later.ts";
import type { Members, Value } from "./value.ts";

/**
 * What was wrong with the inputs of a request, in the order of the tables; found while reading
 * (`wire`), answered by the step `Check the inputs.`
 */
export interface InputFailure {
  /** A condition of the closed list, or that a rule refuses by an answer of its own. */
  readonly condition: FailureCondition | "refused";
  /** Dotted name of the member or parameter; null: the request as a whole. */
  readonly field: string | null;
  readonly in: InputPlace | "request";
  /** The answer of a rule that has its own (`holds ... else`). */
  readonly refusal?: Refusal;
  /** It is a failure only if this comes out: it needs rows or the caller, which reading has not. */
  readonly later?: Later;
}

/**
 * Inputs as read. A reference given by a client stands as its key text (string) or key number
 * (bigint); `Check the inputs.` turns it into a row's key. `body` undefined: none was sent.
 */
export interface Inputs {
  readonly path: Members;
  readonly query: Members;
  readonly header: Members;
  readonly cookie: Members;
  readonly body: Value;
  readonly failures: readonly InputFailure[];
  /** Conditions that were met and are stated to be ignored. */
  readonly ignored?: readonly FailureCondition[];
  /** Sizes for limits. */
  readonly bodyBytes: number;
  /** SHA-256 of the body as sent (hex), where the endpoint has an idempotency key. */
  readonly bodyHash?: string;
}

/** What a request presents for one scheme; signatures and lifetimes are judged by the host. */
export type Presented =
  | { readonly is: "none" }
  /** Sent, but not in the stated form, or not verified. */
  | { readonly is: "bad" }
  | { readonly is: "opaque"; readonly credential: string }
  /** `until`: from when on it is bad; undefined: it does not end. */
  | { readonly is: "token"; readonly claims: Members; readonly until?: bigint }
  /** What would be needed to judge it is not shown, not served, or cannot be had now. */
  | { readonly is: "gap"; readonly gap: ItemId }
  | { readonly is: "unsupported"; readonly item: ItemId }
  | { readonly is: "unavailable"; readonly message: string }
  | { readonly is: "basic"; readonly username: string; readonly password: string };

/** What a request is called, and how it was sent. */
export interface Asked {
  /** Text that names it, in the log too. */
  readonly id: string;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
}

/** One request that has found its endpoint. Plain data: it can be posted to a worker. */
export interface Invocation {
  /** Index into `Program.endpoints`. */
  readonly endpoint: number;
  readonly asked: Asked;
  readonly inputs: Inputs;
  /** One for each of `plan.schemes`, in their order. */
  readonly presented: readonly Presented[];
  /** The peer's address, for limits. */
  readonly address: string;
}
