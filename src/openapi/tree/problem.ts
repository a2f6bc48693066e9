/** What keeps a file from being read, with its place. */
import type { ProblemCode } from "./codes.ts";
import type { Place } from "./node.ts";

/** One thing that is wrong with a file: what, where, and what to do about it. */
export interface Problem {
  readonly code: ProblemCode;
  readonly message: string;
  readonly hint?: string;
  readonly place: Place;
}

/** Ends the reading of a file at the first problem that leaves its meaning open. */
export class Unreadable extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}
