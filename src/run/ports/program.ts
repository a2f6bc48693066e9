/** A compiled plan, as a host sees it. */
import type { Code } from "../../expr/index.ts";
import type { Field, ItemId } from "../../plan/index.ts";
import type { Answered } from "./calls.ts";
import type { Failure, HostAnswer } from "./failure.ts";
import type { Ambient, FiringHost } from "./host.ts";
import type { Invocation } from "./invocation.ts";
import type { Message, Receiver } from "./outbox.ts";
import type { Effects, Fired, Outcome } from "./outcome.ts";
import type { Session } from "./session.ts";
import type { Members, Row, Value } from "./value.ts";

export type Match =
  | {
      readonly is: "endpoint";
      readonly endpoint: number;
      readonly head: boolean;
      /** Decoded values of the path's parameters, by name. */
      readonly params: ReadonlyMap<string, string>;
    }
  /** What stands before every path is not shown. */
  | { readonly is: "gap"; readonly gap: ItemId }
  | { readonly is: "unknown path" }
  | { readonly is: "unknown method"; readonly allow: readonly string[] }
  /** OPTIONS of a known path for which the document states none (RFC 9110 9.3.7). */
  | { readonly is: "options"; readonly allow: readonly string[] };

interface EndpointInfo {
  readonly id: ItemId;
  readonly method: string;
  /** Whether a step of it may write: if so it must run on the writing session. */
  readonly writes: boolean;
}

/**
 * What became of an item that a work has come to: a step went on or ended the work, a rule or a
 * condition held or failed, a field was shown, a transition was taken.
 */
export type Came =
  | "went on"
  | "ended"
  | "held"
  | "failed"
  | "shown"
  | "taken"
  /** A transition is taken, or none is, of a row in this state. */
  | `in ${string}`
  /** A page has as many as it may have, and its list ends with it. */
  | "full";

/** Told each item that a work comes to. */
export type Trace = (item: ItemId, came: Came) => void;

/**
 * What a host does not know of the rows of its session: others have made or changed them, or texts
 * in them. What it gives is met as a gap.
 */
export interface HostDoubts {
  /** Nothing of the rows of the session is in doubt now. */
  readonly isSure: boolean;
  /**
   * Whether there may be rows besides those of the session; `alike`: the fields and values that
   * all rows have that are looked for, as far as that can be told. `isOne`: one row alone, or
   * whether there is any, is looked for; else all of them.
   */
  more(resource: string, alike: Alike, isOne: boolean): ItemId | undefined;
  /** Whether the row's value at a place is not known. */
  value(row: Row, place: number): ItemId | undefined;
  /** Whether the row may be there no more. */
  there(row: Row): ItemId | undefined;
  /** Whether it is not known what the text is in truth, nor what is found inside of it. */
  text(text: string): ItemId | undefined;
}

/** Names of fields with values that rows have. */
export type Alike = readonly (readonly [field: string, value: Value])[];

export interface ProgramOptions {
  /** What the host does not know of rows. Default: it knows them all. */
  readonly doubts?: HostDoubts | undefined;
  /** Told what each work comes to. Default: nobody is. */
  readonly trace?: Trace | undefined;
  /** Places of items, for gap answers. */
  readonly origins?: Readonly<
    Record<ItemId, { readonly file: string; readonly line: number; readonly column: number }>
  >;
  /** Iterations that one evaluation may make; default 1,000,000. */
  readonly workMax?: number;
  /** Names of fields in the order in which they are shown. Default: as they are kept. */
  readonly shownOrder?: (resource: string) => readonly string[] | undefined;
  /** Numbers the queries of all programs that share a session. Default: the program's own. */
  readonly queries?: { next: number };
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
      /** What the document states besides, in its order. */
      readonly headers?: readonly (readonly [name: string, value: string])[];
    };

/** What webhooks state; the session's transaction is the caller's. */
export interface Deliveries {
  attempt(message: Message, session: Session, ambient: Ambient): Attempt;
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

/** Who asked for a stream, judged again while it is open. */
export interface Listening {
  readonly stream: string;
  readonly path: Members;
  readonly presented: Invocation["presented"];
  readonly address: string;
  /** What this gave of the rows before. */
  readonly rows?: Listener["rows"] | undefined;
}

/** Who listens, and the rows that the path names, by their names. */
export interface Listener {
  /** Null: nobody known. */
  readonly caller: Row | null;
  readonly rows: ReadonlyMap<string, Row>;
  /** One of the rows is deleted: they are as they were, and nothing more will happen to it. */
  readonly isOver: boolean;
}

/** What callers see of streams. */
export interface Streams {
  /** Whom the credentials show now; undefined: no one who may listen. */
  listener(listening: Listening, session: Session, ambient: Ambient): Listener | undefined;
  /**
   * `row`: what the event is about, as it was then. `caller` null: nobody known. `path`: the
   * parameters with which the stream was opened.
   */
  sees(
    stream: string,
    happened: {
      readonly event: string;
      readonly row: Row;
      readonly caller: Row | null;
      readonly path: ReadonlyMap<string, string>;
      readonly rows: Listener["rows"];
    },
    session: Session,
    ambient: Ambient,
  ): boolean;
}

/** A compiled plan. It holds no state: every method is a function of its arguments. */
export interface StartOptions {
  /** Rows that the operator gives, by resource. */
  readonly given?: ReadonlyMap<string, readonly Members[]> | undefined;
  /** Resources whose rows are still to come. Default: all. */
  readonly unfilled?: ReadonlySet<string>;
}

/** Takes further rows of a resource, one by one. Both throw `StartRowFault`. */
export interface Adding {
  add(row: Members): void;
  /** To be called behind the last row. */
  end(): void;
}

/** Rows of a resource as an operator gives them. */
export interface Printed {
  /** One JSON object for each row. */
  readonly lines: Iterable<string>;
  /** Fields that are not in them: secrets, and those that are not shown. */
  readonly hidden: readonly Field[];
}

/** Gives the value of the field by which clients name a row. */
export type KeyOf = (resource: string, key: number) => Value;

/** Tells of rows that another document has let in whether they fit this one. */
export interface KeptJudges {
  /** Whether a value of a field is one by its type, and by a rule of the field. */
  value(resource: string, field: string, rule?: ItemId): (value: Value, keyOf: KeyOf) => boolean;
  /** Whether a row holds, by an invariant or a rule that may look at other rows. */
  row(session: Session, resource: string, item: ItemId): (row: Row) => boolean;
}

/** What a migration takes of the programs of its two documents. */
export interface KeptValues {
  /** The value of code over `it`, a row that a store of this plan keeps. */
  evaluate(code: Code): (session: Session, row: Row) => Value;
  /** The form in which a field of this plan keeps a value. */
  stored(resource: string, field: string): (session: Session, value: Value) => Value;
}

export interface Program {
  readonly endpoints: readonly EndpointInfo[];
  /** `rawPath`: the path as sent, without the query. HEAD finds GET; literals win. */
  match(method: string, rawPath: string): Match;
  /** Runs a request inside the session's transaction, in a savepoint of its own. Never throws. */
  execute(invocation: Invocation, session: Session, ambient: Ambient): Outcome;
  /** The answer to a failure outside any endpoint's steps (unknown path, fault inside ...). */
  fail(failure: Failure, session: Session, ambient: Ambient): Outcome;
  /** The host's own answer, with the headers that the document states for every answer. */
  headed(answer: HostAnswer, session: Session, ambient: Ambient): Outcome;
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
  /**
   * To be called when a store is opened again: what met a gap when it fell due, or at the start, is
   * tried again.
   */
  retry(session: Session, ambient: Ambient, given?: ReadonlyMap<string, readonly Members[]>): void;
  /** Judges rows of a store that another document has written. */
  kept(ambient: Ambient): KeptJudges & KeptValues;
  /** Inserts the rows stated for the start into a new store, and those given. */
  start(session: Session, ambient: Ambient, options?: StartOptions): void;
  /** Takes rows besides those of the start; one that meets a gap is refused. */
  adding(session: Session, ambient: Ambient, resource: string): Adding;
  /** The rows of a resource, as they may be given to another store. */
  print(session: Session, ambient: Ambient, resource: string): Printed;
}
