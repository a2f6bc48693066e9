/** What the parts of the compiler use of one another; types alone, so that no cycle arises. */
import type { Call, Endpoint, Event, Refusal, Step, Transition } from "../../plan/index.ts";
import type { Frame, Unit } from "../context/activation.ts";
import type { Model } from "../context/model.ts";
import type { Ending } from "../context/step-outcome.ts";
import type { Touched, Work } from "../context/transaction.ts";
import type { CallAnswer, GivenRow, Members, Row, Value } from "../ports/index.ts";
import type { Finder } from "../query/finder.ts";

/** A compiled step: undefined to go on. */
export type Run = (frame: Frame) => Ending | undefined;

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

/** Writing rows with all that their fields and promises state. */
export interface RowActions {
  create(work: Work, resource: string, given: Given): Row;
  change(work: Work, row: Row, changes: Changes): Ending | undefined;
  /** The same by members that a client gave. */
  changeFrom(work: Work, row: Row, sent: Sent): Ending | undefined;
  /** Deletes a row, with those that are deleted with it. */
  delete(work: Work, row: Row): Ending | undefined;
  /** The same by a step, which may not delete what is never changed or deleted. */
  deleteByStep(work: Work, row: Row): Ending | undefined;
}

/** Writes values as JSON text. */
export type Write = (work: Work, values: readonly Value[]) => readonly string[];

/** A shape, view or resource as writers of many things at once. */
export interface ShapeWriter {
  readonly contentType: string | undefined;
  /** For a view or resource: writes rows. */
  rows(work: Work, rows: readonly Row[]): readonly string[];
  /** For a shape: writes it with values for its Given names. */
  given(work: Work, given: Members): string;
}

export interface MachineActions {
  /** Fires the one of the transitions that can be taken; a refusal otherwise. */
  fire(work: Work, row: Row, names: readonly string[]): Ending | "refused" | undefined;
  /** Fires what a call's answer causes on a row that it was given; "refused": nothing. */
  answered(
    work: Work,
    row: Row,
    answer: { readonly call: string; readonly said: Members },
  ): Ending | "refused" | undefined;
  /** Whether the transition could be taken now. */
  may(work: Work, row: Row, name: string): boolean;
  /** The answer of the machine to any other transition. */
  refusal(work: Work, row: Row): Ending;
}

/** A call, compiled. */
export interface CallDoor {
  readonly call: Call;
  /** JSON text of what it is given, and the rows in it. */
  give(work: Work, given: Members): { readonly text: string; readonly rows: readonly GivenRow[] };
  /** What an answer says; a fault where it is not as stated or breaks a promise. */
  said(work: Work, given: Members, answer: CallAnswer): Members | Extract<Ending, { is: "fault" }>;
  /** What the request gets when no answer comes in time. */
  late(work: Work): Ending;
  /** What it was given, from its text and the rows in it. */
  given(work: Work, text: string, rows: readonly GivenRow[]): Members;
}

export interface Kit {
  readonly model: Model;
  call(name: string): CallDoor;
  readonly rows: RowActions;
  readonly machines: MachineActions;
  /** The first broken promise, or passed limit on rows, of rows that were touched. */
  judge(work: Work, touched: Iterable<Touched>): Ending | undefined;
  /** Notes that a row has taken a transition, for limits on what is moved. */
  moved(work: Work, row: Row, transition: Transition): void;
  shape(name: string): ShapeWriter;
  /** The writer of an event's stated data, for the row that it is about. */
  event(event: Event): (work: Work, row: Row) => string;
  /** Whether credentials that are bad count as none sent, at the endpoint. */
  asIfNone(endpoint: Endpoint | undefined): boolean;
  /** Whether the caller of a work is an actor of this name. */
  holds(actor: string): (work: Work) => boolean;
  /** The failure condition's answer at an endpoint. */
  check(
    what: "caller" | "inputs" | "paths" | "limits" | "idempotency key",
    unit: Unit,
    endpoint: Endpoint | undefined,
  ): Run;
  checkTag(unit: Unit, of: string): Run;
  steps(scope: StepScope, steps: readonly Step[]): Run;
  routine(name: string): { readonly unit: Unit; readonly run: Run };
  refusal(unit: Unit, refusal: Refusal, keep?: boolean): (frame: Frame, it?: Row) => Ending;
}

/** Where steps stand. */
export interface StepScope {
  readonly kit: Kit;
  readonly unit: Unit;
  readonly endpoint: Endpoint | undefined;
  /** Finders of lists that steps before have named. */
  readonly lists: Map<string, Finder>;
}
