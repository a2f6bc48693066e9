/** What a program gives back: an answer, and what else is to happen. */
import type { FailureCondition, ItemId } from "../../plan/index.ts";
import type { Asking, Firing } from "./calls.ts";
import type { Receiver } from "./outbox.ts";
import type { Value } from "./value.ts";

export interface Response {
  readonly status: number;
  /** `Content-Type`, `Allow`, `WWW-Authenticate` and stated headers; no `Content-Length`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Names of those that are made anew for each answer: no answer under a key keeps them. */
  readonly anew?: readonly string[];
  /** Undefined: no content. */
  readonly body: string | undefined;
  /** The body is given in base64. */
  readonly binary?: true;
}

/** A gap that a request met. */
export interface GapMet {
  readonly id: ItemId;
  readonly part: string;
  readonly sentence: string;
  /** `file:line:column`, empty where origins are not known. */
  readonly place: string;
  readonly silent: boolean;
}

/** A message for a receiver. */
export interface Addressed extends Receiver {
  readonly name: string;
  readonly body: string;
  readonly event: string;
  /** Met where another message waits for the receiver: in which order they arrive is not shown. */
  readonly unordered?: ItemId;
}

/** An event that the steps emitted: its data is already written as JSON text. */
export interface Emitted {
  readonly event: string;
  readonly resource: string;
  readonly key: number;
  /** JSON text of the stated data; null where the data is stated to be none. */
  readonly data: string | null;
  readonly at: bigint;
  /** The row's values as they were, where it is sent to a stream. */
  readonly values?: readonly Value[];
  /** Messages for the receivers of webhooks that it is sent to. */
  readonly messages?: readonly Addressed[];
  /** Gaps of webhooks that can deliver nothing. */
  readonly blocked?: readonly ItemId[];
}

export interface Effects {
  readonly events: readonly Emitted[];
  /** A row with a timed transition or a keeping time was made or changed. */
  readonly timersChanged: boolean;
  readonly gap?: GapMet;
  /** Named construct that is not served yet. */
  readonly unsupported?: ItemId;
  /** A call that must be answered first: the work is to be run again then. */
  readonly asking?: Asking;
  /** Keys of the calls that stand: the others are to be undone. */
  readonly called?: readonly string[];
  /** What went wrong inside, for the host's log; never sent. */
  readonly fault?: string;
  /** Items stated to be free that the engine chose. */
  readonly freedoms: readonly ItemId[];
}

/** What became of a request. `commit` false: its savepoint was rolled back, nothing is written. */
export interface Outcome {
  readonly response: Response;
  readonly commit: boolean;
  readonly effects: Effects;
  /** Name of the stated error that it is. */
  readonly error?: string;
  /** Conditions of the closed list that it answers, or that were stated to be passed over. */
  readonly conditions?: readonly FailureCondition[];
  /** Who asked, where that was found out. */
  readonly caller?: { readonly resource: string; readonly key: number };
}

/** A timed firing: `transition` undefined: a row deleted when its keeping time had passed. */
export interface Fired {
  /** The firing, as `FiringHost` was asked for it. */
  readonly due: Firing;
  readonly resource: string;
  readonly key: number;
  readonly transition?: string;
  readonly refused: boolean;
  /** It could not be done and is due still. */
  readonly left: boolean;
  readonly effects: Effects;
}
