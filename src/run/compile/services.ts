/** What the parts of the compiler use of one another; types alone, so that no cycle arises. */
import type { Answer, Call, Endpoint, Event, Refusal, Step, Transition } from "../../plan/index.ts";
import type { Activation, Scope } from "../context/activation.ts";
import type { Model } from "../context/model.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Touched, Transaction } from "../context/transaction.ts";
import type { CallAnswer, GivenRow, Members, Row, Value } from "../ports/index.ts";
import type { Finder } from "../query/finder.ts";

/** A compiled step: undefined to go on. */
export type Run = (activation: Activation) => StepOutcome | undefined;

/** Values by place of the field. */
export type Changes = ReadonlyMap<number, Value>;

export interface Given {
  /** Values assigned by a step, by place. */
  readonly assigned: Changes;
  /** Members that a client gave. */
  readonly from: Members | undefined;
}

/** What a client gave for a change. `givenOnly`: what is left out stays. */
export interface Sent {
  readonly from: Members;
  readonly givenOnly: boolean;
}

/** Writing rows with all that their fields and invariants state. */
export interface RowActions {
  create(tx: Transaction, resource: string, given: Given): Row;
  /**
   * The row that would be made, with the values at these places and what they are made of;
   * undefined where one of them is new each time.
   */
  draft(
    tx: Transaction,
    resource: string,
    given: Given,
    places: readonly number[],
  ): Row | undefined;
  change(tx: Transaction, row: Row, changes: Changes): StepOutcome | undefined;
  /** The same by members that a client gave. */
  changeFrom(tx: Transaction, row: Row, sent: Sent): StepOutcome | undefined;
  /** Deletes a row, with those that are deleted with it. */
  delete(tx: Transaction, row: Row): StepOutcome | undefined;
  /** The same by a step, which may not delete what is never changed or deleted. */
  deleteByStep(tx: Transaction, row: Row): StepOutcome | undefined;
}

/** A shape, view or resource as writers of many things at once. */
export interface ShapeWriter {
  readonly contentType: Answer<string> | undefined;
  /** For a view or resource: writes rows. */
  rows(tx: Transaction, rows: readonly Row[]): readonly string[];
  /** For a shape: writes it with values for its Given names. */
  given(tx: Transaction, given: Members): string;
}

/** What is done to the parts of one plan. */
export interface Parts {
  /** The part with what its table fills in; throws a `Stop` where a field gets no value. */
  make(tx: Transaction, part: string, given: Members): Members;
  /** What a change sets in a part beside the members that were given. */
  changed(tx: Transaction, part: string, before: Members, after: Map<string, unknown>): void;
}

export interface MachineActions {
  /** Fires the one of the transitions that can be taken; a refusal otherwise. */
  fire(tx: Transaction, row: Row, names: readonly string[]): StepOutcome | "refused" | undefined;
  /** Fires what a call's answer causes on a row that it was given; "refused": nothing. */
  answered(
    tx: Transaction,
    row: Row,
    answer: { readonly call: string; readonly said: Members },
  ): StepOutcome | "refused" | undefined;
  /** Whether the transition could be taken now. */
  may(tx: Transaction, row: Row, name: string): boolean;
  /** The answer of the machine to any other transition. */
  refusal(tx: Transaction, row: Row): StepOutcome;
}

/** A call, compiled. */
export interface CallDoor {
  readonly call: Call;
  /** JSON text of what it is given, and the rows in it. */
  give(
    tx: Transaction,
    given: Members,
  ): { readonly text: string; readonly rows: readonly GivenRow[] };
  /** What an answer says; a fault where it is not as stated or breaks an invariant. */
  said(
    tx: Transaction,
    given: Members,
    answer: CallAnswer,
  ): Members | Extract<StepOutcome, { is: "fault" }>;
  /** What the request gets when no answer comes in time. */
  late(tx: Transaction): StepOutcome;
  /** What it was given, from its text and the rows in it. */
  given(tx: Transaction, text: string, rows: readonly GivenRow[]): Members;
}

export interface CompilerServices {
  readonly model: Model;
  call(name: string): CallDoor;
  readonly rows: RowActions;
  readonly parts: Parts;
  readonly machines: MachineActions;
  /** The first broken invariant, or passed limit on rows, of rows that were touched. */
  judge(tx: Transaction, touched: Iterable<Touched>): StepOutcome | undefined;
  /** Notes that a row has taken a transition, for limits on what is moved. */
  moved(tx: Transaction, row: Row, transition: Transition): void;
  shape(name: string): ShapeWriter;
  /** The writer of a message's body, for events about rows of the resource. */
  message(shape: string, about: string): ShapeWriter;
  /** The writer of an event's stated data, for the row that it is about. */
  event(event: Event): (tx: Transaction, row: Row) => string;
  /** Whether credentials that are bad count as none sent, at the endpoint. */
  asIfNone(endpoint: Endpoint | undefined): boolean;
  /** Whether the caller of a work is an actor of this name. */
  holds(actor: string): (tx: Transaction) => boolean;
  /** The failure condition's answer at an endpoint. */
  check(
    what: "caller" | "inputs" | "paths" | "limits" | "idempotency key",
    scope: Scope,
    endpoint: Endpoint | undefined,
  ): Run;
  checkTag(scope: Scope, of: string): Run;
  steps(context: StepContext, steps: readonly Step[]): Run;
  routine(name: string): { readonly scope: Scope; readonly run: Run };
  refusal(
    scope: Scope,
    refusal: Refusal,
    keep?: boolean,
  ): (activation: Activation, it?: Row) => StepOutcome;
}

/** Where steps stand. */
export interface StepContext {
  readonly services: CompilerServices;
  readonly scope: Scope;
  readonly endpoint: Endpoint | undefined;
  /** Finders of lists that steps before have named. */
  readonly lists: Map<string, Finder>;
}
