/** The ports of `run`: what a host gives to a program and gets back; data and interfaces alone. */
import type { Code } from "../expr/index.ts";
import type { Hash, InputPlace, ItemId, Refusal, Scheme } from "../plan/index.ts";
import type { Answered, Asking, Calls, Firing, Told } from "./asking.ts";
import type { Failure, Late } from "./failure.ts";
import type { Later } from "./later.ts";
import type { Events, Messages, Receiver } from "./outbox.ts";
import type { Shake } from "./shake.ts";

export type {
  Answered,
  Asking,
  CallAnswer,
  Called,
  Calls,
  Firing,
  GivenRow,
  Told,
} from "./asking.ts";
export type { Failure, Late } from "./failure.ts";
export type { Later } from "./later.ts";
export type { Events, Message, Messages, Receiver, Recorded } from "./outbox.ts";

/**
 * A value at run time, by its static type: boolean, string -> JS; integer, decimal (unscaled),
 * timestamp and duration (microseconds) -> bigint; number -> JS number; date, time zone, id, uuid
 * -> string; null -> null; absent -> undefined; list -> array; map, structure, body, query ...
 * -> Map; a reference or row -> see `Row`; json -> a tree of null, boolean, string, JsonNumber,
 * array and Map.
 */
export type Value =
  | boolean
  | string
  | bigint
  | number
  | null
  | undefined
  | readonly Value[]
  | ReadonlyMap<string, unknown>
  | Row
  | JsonNumber
  | object;

/** Members of an object: a body, a structure, `query`, `path`, `header` (names in lower case). */
export type Members = ReadonlyMap<string, unknown>;

/** A number inside a `json` value, kept as its exact text. */
export interface JsonNumber {
  readonly numberText: string;
}

/** A stored row: fields in the order of the resource's table; a reference is the other's key. */
export interface Row {
  readonly resource: string;
  /** Hidden integer key, never shown; 1 and up, never used twice. */
  readonly key: number;
  /** One value for each field, in the order of the resource's fields; a reference is a number. */
  readonly values: Value[];
}

/**
 * What was wrong with the inputs of a request, in the order of the tables; found while reading
 * (`wire`), answered by the step `Check the inputs.`
 */
export interface InputFailure {
  /** A failure condition of the closed list, such as `absent`. */
  readonly condition: string;
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
  | { readonly is: "token"; readonly claims: Members }
  /** What would be needed to judge it is not shown, not served, or cannot be had now. */
  | { readonly is: "gap"; readonly gap: ItemId }
  | { readonly is: "unsupported"; readonly item: ItemId }
  | { readonly is: "unavailable"; readonly message: string }
  | { readonly is: "basic"; readonly username: string; readonly password: string };

/** One request that has found its endpoint. Plain data: it can be posted to a worker. */
export interface Invocation {
  /** Index into `Program.endpoints`. */
  readonly endpoint: number;
  readonly inputs: Inputs;
  /** One for each of `plan.schemes`, in their order. */
  readonly presented: readonly Presented[];
  /** The peer's address, for limits. */
  readonly address: string;
}

export interface Response {
  readonly status: number;
  /** `Content-Type`, `Allow`, `WWW-Authenticate` and stated headers; no `Content-Length`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
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
  readonly messages?: readonly (Receiver & { readonly name: string; readonly body: string })[];
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
  /** Whether the secret is the one whose stored form (which names its hash) this is. */
  verify?(stored: string, secret: string): boolean;
  /** Issues a token of the scheme for a row. `subject`: the value of the scheme's subject. */
  issue?(scheme: Scheme, subject: string | undefined, ambient: Ambient): Issued;
  /** Tells what the code behind a call says. */
  call?(asking: Asking, session: Session): Told;
  limits?(context: CheckContext): Refusal | Response | undefined;
  idempotency?(context: CheckContext): Refusal | Response | undefined;
  /** Asked when an answer is made: what it is instead, where its time has passed. */
  late?(): Late | undefined;
}

/** What a run depends on besides its data: a run can be replayed exactly. */
export interface Ambient {
  /** Microseconds since 1970-01-01T00:00:00Z. */
  readonly now: bigint;
  random(bytes: number): Uint8Array;
  readonly hooks: Hooks;
  /** Values of the document's settings. */
  readonly settings: Members;
  /** Chooses what the document leaves free; undefined: the engine does as is simplest. */
  readonly shake?: Shake;
}

export type Match =
  | {
      readonly is: "endpoint";
      readonly endpoint: number;
      readonly head: boolean;
      /** Decoded values of the path's parameters, by name. */
      readonly params: ReadonlyMap<string, string>;
    }
  | { readonly is: "unknown path" }
  | { readonly is: "unknown method"; readonly allow: readonly string[] }
  /** OPTIONS of a known path for which the document states none (RFC 9110 9.3.7). */
  | { readonly is: "options"; readonly allow: readonly string[] };

export interface EndpointInfo {
  readonly id: ItemId;
  readonly method: string;
  /** Whether a step of it may write: if so it must run on the writing session. */
  readonly writes: boolean;
}

export interface ProgramOptions {
  /** Places of items, for gap answers. */
  readonly origins?: Readonly<
    Record<ItemId, { readonly file: string; readonly line: number; readonly column: number }>
  >;
  /** Iterations that one evaluation may make; default 1,000,000. */
  readonly workMax?: number;
}

/** What an attempt to deliver a message is. */
export type Attempt =
  /** The receiver is not there any more. */
  | { readonly is: "gone" }
  | { readonly is: "blocked"; readonly effects: Effects }
  | {
      readonly is: "request";
      readonly method: string;
      readonly address: string;
      readonly contentType: string;
      /** Time within which the status of the answer must be there. */
      readonly withinMicros: bigint;
      /** Signs it, where that is stated. */
      readonly secret?: string;
    };

/** What webhooks state; the session's transaction is the caller's. */
export interface Deliveries {
  attempt(receiver: Receiver, session: Session, ambient: Ambient): Attempt;
  /** Does what is stated for an answer of this status; undefined: nothing is. */
  answered(
    receiver: Receiver,
    status: number,
    session: Session,
    ambient: Ambient,
  ): Effects | undefined;
  /** Does what is stated for a message whose attempts have all failed. */
  givenUp(receiver: Receiver, session: Session, ambient: Ambient): Effects;
}

/** What callers see of streams. */
export interface Streams {
  /** `row`: what the event is about, as it was then. `caller` null: nobody known. */
  sees(
    stream: string,
    happened: { readonly event: string; readonly row: Row; readonly caller: Row | null },
    session: Session,
    ambient: Ambient,
  ): boolean;
}

/** A compiled plan. It holds no state: every method is a function of its arguments. */
export interface Program {
  readonly endpoints: readonly EndpointInfo[];
  /** `rawPath`: the path as sent, without the query. HEAD finds GET; literals win. */
  match(method: string, rawPath: string): Match;
  /** Runs a request inside the session's transaction, in a savepoint of its own. Never throws. */
  execute(invocation: Invocation, session: Session, ambient: Ambient): Outcome;
  /** The answer to a failure outside any endpoint's steps (unknown path, fault inside ...). */
  fail(failure: Failure, session: Session, ambient: Ambient): Outcome;
  /** Whether a timed transition or a keeping time is due at `now`. */
  anyDue(session: Session, now: bigint): boolean;
  /** The next instant (past `after`) at which something falls due; undefined: none is set. */
  nextDue(session: Session, after?: bigint): bigint | undefined;
  /** Fires what is due, at most `countMax` of them, each in a savepoint of its own. */
  fireDue(
    session: Session,
    ambient: Ambient,
    countMax: number,
    host?: FiringHost,
  ): readonly Fired[];
  /** Does what is stated for the answer of a long call. */
  answered(answer: Answered, session: Session, ambient: Ambient): Effects;
  readonly deliveries: Deliveries;
  readonly streams: Streams;
  /** Inserts the rows stated for the start into a new store, and those given. */
  start(session: Session, ambient: Ambient, given?: ReadonlyMap<string, readonly Members[]>): void;
}

/**
 * A query over one resource, made when a plan is compiled. All code in it is over the row variable
 * `as` and the parameters `$0`, `$1` ... (names of code, in the order of `args`) alone.
 */
export interface Query {
  /** Unique in a program. */
  readonly id: number;
  readonly resource: string;
  readonly as: string;
  /** Conditions that must all hold. */
  readonly where: readonly Code[];
  readonly order: readonly { readonly by: Code; readonly descending: boolean }[];
  /** A value to give for each row instead of the row; undefined: rows. */
  readonly columns?: readonly Code[];
  /** Only the rows of certain keys: the argument of this number is the list of them. */
  readonly keysAt?: number;
}

/** Part of an ordered result. */
export interface Slice {
  readonly limit?: bigint;
  readonly offset?: bigint;
}

/**
 * The synchronous store of a running transaction. Rows are values: changing one writes nothing.
 * Order of rows, where none is asked for: by key ascending.
 */
export interface Session {
  get(resource: string, key: number): Row | undefined;
  /** Several rows by key, in no particular order; missing ones are left out. */
  getMany(resource: string, keys: readonly number[]): readonly Row[];
  /** Whether the store runs the whole query itself with exactly the code's meaning. */
  able(query: Query): boolean;
  /** Undefined, here and below: the arguments cannot be bound exactly. */
  rows(query: Query, args: readonly Value[], slice?: Slice): readonly Row[] | undefined;
  /** For a query with columns: the key of each row and its columns. */
  columns(
    query: Query,
    args: readonly Value[],
    slice?: Slice,
  ): ReadonlyMap<number, readonly Value[]> | undefined;
  count(query: Query, args: readonly Value[]): bigint | undefined;
  exists(query: Query, args: readonly Value[]): boolean | undefined;
  /**
   * The different items of a list field of all rows, in the order in which they come first;
   * undefined: the store does not keep them apart.
   */
  differentItems(resource: string, field: string): readonly Value[] | undefined;
  /** Every row of a resource by key ascending. */
  all(resource: string): readonly Row[];
  /** The resources that may hold rows; all others hold none. */
  filled(): ReadonlySet<string>;
  /** Gives the new row's key; `values` in the order of the fields. */
  insert(resource: string, values: readonly Value[]): number;
  update(resource: string, key: number, values: readonly Value[]): void;
  delete(resource: string, key: number): void;
  /** Takes the next number of a named counter: 1, 2 ...; rolled back with its savepoint. */
  next(counter: string): bigint;
  /** The counter has given at least this number: what comes next is greater. */
  atLeast(counter: string, last: bigint): void;
  /** Adds to what is counted under a name for a group, at an instant. */
  tally(name: string, group: number, entry: { readonly at: bigint; readonly amount: bigint }): void;
  /** The sum of what was counted at `from` or later. */
  tallied(name: string, group: number, from: bigint): bigint;
  /** The instants of what was counted at `from` or later, ascending. */
  tallies(name: string, group: number, from: bigint): readonly bigint[];
  /** Takes out what was counted before `from`. */
  forget(name: string, group: number, from: bigint): void;
  /** The same for the group behind another, in a fixed order; gives it, where there is one. */
  prune(name: string, after: number | undefined, from: bigint): number | undefined;
  /** The content kept under a name at `from` or later. */
  answerKept(name: string, from: bigint): string | undefined;
  /** Keeps a content under a name, in place of what was kept there. */
  keepAnswer(name: string, at: bigint, content: string): void;
  /** Takes out what was kept before `from`. */
  forgetAnswers(from: bigint): void;
  readonly events: Events;
  readonly messages: Messages;
  readonly calls: Calls;
  savepoint(): void;
  /** Ends the innermost savepoint, keeping what was done. */
  release(): void;
  /** Undoes and ends the innermost savepoint. */
  rollback(): void;
}
