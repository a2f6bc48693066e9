/** What a host supplies to a run: time, chance, settings and hooks. */
import type { Hash, HmacAlgorithm, ItemId, Refusal, Rule, Scheme } from "../../plan/index.ts";
import type { Chooser } from "../chance/chooser.ts";
import type { Digest } from "../evaluate/index.ts";
import type { Asking, CallOutcome, Firing } from "./calls.ts";
import type { Late } from "./failure.ts";
import type { Invocation } from "./invocation.ts";
import type { Response } from "./outcome.ts";
import type { Session } from "./session.ts";
import type { Members, Row, Value } from "./value.ts";

/** Who fires, where a firing may have to wait for a call. */
export interface FiringHost {
  /** Firings that wait. */
  readonly waiting: number;
  /** Whether a firing is not to be tried now: it waits, or too many like it do. */
  waits(firing: Firing): boolean;
  /** What the firing runs on. */
  begin(firing: Firing): Ambient;
}

/** Answers for the checks that a host makes (limits, idempotency keys); undefined: go on. */
export interface CheckContext {
  readonly invocation: Invocation;
  readonly session: Session;
  readonly caller: Row | null;
  readonly ambient: Ambient;
  /** What the limit of this item allows, where that is read from rows. */
  amount?(limit: ItemId): Value;
}

/** A new token, or why there is none; undefined: nothing issues tokens. */
export type Issued =
  | string
  | undefined
  | { readonly is: "gap"; readonly gap: ItemId }
  | { readonly is: "unsupported"; readonly item: ItemId };

/** What serving supplies; a hook that is missing makes what needs it `unsupported`. */
export interface Hooks {
  /** The stored form of a secret; slow by intent. */
  hash?(hash: Hash, secret: string): string;
  /** A row of the resource is changed or deleted by work that may still be undone. */
  changed?(resource: string): void;
  /** Whether the secret is the one whose stored form (which names its hash) this is. */
  verify?(stored: string, secret: string): boolean;
  /** A stored form that takes as long to compare as one of this hash, and is of no secret. */
  blank?(hash: Hash): string;
  /** HMAC of a text, both in UTF-8; see `Signature` of a webhook. */
  hmac?(
    algorithm: HmacAlgorithm,
    encoding: "hex" | "base64",
    of: { readonly key: string; readonly text: string },
  ): string;
  /** Issues a token of the scheme for a row. `subject`: the value of the scheme's subject. */
  issue?(scheme: Scheme, subject: string | undefined, ambient: Ambient): Issued;
  /** Tells what the code behind a call says. */
  call?(asking: Asking, session: Session): CallOutcome;
  limits?(context: CheckContext): Refusal | Response | undefined;
  /** How the limits stand that were judged, by their names; see `limit` in expressions. */
  limitStates?(): ReadonlyMap<string, Members>;
  idempotency?(context: CheckContext): Refusal | Response | undefined;
  /** Asked when an answer is made: what it is instead, where its time has passed. */
  late?(): Late | undefined;
}

/** The form of a text that nobody else has: `id` is of letters and digits. */
export type MadeForm = "id" | Extract<Rule, { readonly kind: "random" }>["form"];

/** What a run depends on besides its data: a run can be replayed exactly. */
export interface Ambient {
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly now: bigint;
  random(bytes: number): Uint8Array;
  readonly digest: Digest;
  readonly hooks: Hooks;
  /** Values of the document's settings. */
  readonly settings: Members;
  /**
   * Makes texts that the document leaves to the service: ids, and random texts in their form.
   * `bytes`: how many a random text stands for. Default: they are made of `random`.
   */
  readonly make?: (form: MadeForm, bytes?: number) => string;
  /** Chooses what the document leaves free; undefined: the engine does as is simplest. */
  readonly chooser?: Chooser;
}
