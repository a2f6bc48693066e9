/** What the compiled pieces of schemas share: one judgement of one value. */
import type { Marks } from "./marks.ts";
import type { Tree } from "./tree.ts";

/** Whether a value holds; what it looked at goes to the marks, where somebody asks for them. */
export type Run = (value: Tree, call: Call, marks: Marks | undefined) => boolean;

/** What is known of one value behind a reference. */
export interface Known {
  readonly holds: boolean;
  readonly marks: Marks | undefined;
}

/**
 * One judgement. A schema behind a reference judges each value once: without that, schemas that
 * offer one another in several ways would take time exponential in the levels of a value.
 */
export interface Call {
  depth: number;
  /** More schemas stood within each other than are followed. */
  tooDeep: boolean;
  /** A schema that is not shown was needed. */
  gap?: string;
  readonly known: Map<Run, Map<Tree, Known>>;
}

/** Schemas that may be at work within one another. */
export const DEPTH_MAX = 1_000;

/** How the pieces of a schema are compiled. */
export interface Compiler {
  schema(node: Tree): Run;
  reference(text: string): Run;
}

/** Takes every value. */
export const always: Run = () => true;
/** Takes no value. */
export const never: Run = () => false;
