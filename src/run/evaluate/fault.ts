/** The outcome of an evaluation that has no value; the reader of the message is an operator. */

type FaultCode =
  /** Past 38 digits, years 0001 to 9999, the longest duration, or not a finite number. */
  | "overflow"
  | "division-by-zero"
  /** A text that is no integer, timestamp, duration or date. */
  | "conversion"
  /** A position outside a list, a key that a map lacks, an empty list where an item is needed. */
  | "index"
  /** A member that is absent or null where the document could not exclude it. */
  | "absent"
  /** A reference to a row that is gone. */
  | "missing-row"
  /** More iterations than the bound. */
  | "too-much-work"
  /** A text longer than the bound. */
  | "too-large"
  /** What the host did not supply: password hashing, tokens, a zone. */
  | "unavailable"
  /** What the document does not show. */
  | "gap";

/** Thrown by an evaluation. `message` tells what happened, without values of the data. */
export class EvaluationFault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string) {
    super(message);
    this.name = "EvaluationFault";
    this.code = code;
  }
}

/** Thrown where a value depends on a gap. */
export class GapFault extends EvaluationFault {
  readonly gap: string;

  constructor(gap: string) {
    super("gap", `the document does not show ${gap}`);
    this.gap = gap;
  }
}

/** The fault itself where the other side of `&&` or `||` may still decide; else it is thrown on. */
export function absorbable(error: unknown): EvaluationFault {
  if (error instanceof EvaluationFault && error.code !== "too-much-work") return error;
  throw error;
}
