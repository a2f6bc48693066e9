/** What compiled steps are, and running them one after another; the kinds are in other files. */
import type { Code } from "../../expr/index.ts";
import type { Expression, Refusal, Step } from "../../plan/index.ts";
import type { Ending } from "../ending.ts";
import type { Frame, Unit } from "../frame.ts";
import type { Finder } from "../query/finder.ts";
import type { Emitters, Renderers } from "../shapes/types.ts";
import type { Machines } from "../states/types.ts";

/** A compiled step: undefined to go on. */
export type Run = (frame: Frame) => Ending | undefined;

/** A compiled refusal, evaluated where it happens. */
export type Refuse = (frame: Frame) => Ending;

/** What compiling steps needs besides the plan. */
export interface StepContext {
  readonly unit: Unit;
  readonly renderers: Renderers;
  readonly emitters: Emitters;
  readonly machines: Machines;
  readonly rows: RowActions;
  readonly checks: Checks;
  /** Resource of each name that holds one row, and of each list, as far as steps tell it. */
  readonly lists: Map<string, Finder>;
  compile(steps: readonly Step[]): Run;
  routine(name: string): RoutineRun;
}

export interface RoutineRun {
  readonly unit: Unit;
  run: Run;
}

/** Creating, changing and deleting rows with all that their fields state. */
export interface RowActions {
  create(frame: Frame, resource: string, given: Given): import("../ports.ts").Row | Ending;
  change(frame: Frame, row: import("../ports.ts").Row, changes: Changes): Ending | undefined;
  delete(frame: Frame, row: import("../ports.ts").Row): Ending | undefined;
}

/** Values by place of the field. */
export type Changes = ReadonlyMap<number, import("../ports.ts").Value>;

export interface Given {
  /** Values assigned by the step, by place. */
  readonly assigned: Changes;
  /** Members that a client gave. */
  readonly from: ReadonlyMap<string, unknown> | undefined;
}

/** The checks of a prologue. */
export interface Checks {
  caller: Run;
  inputs: Run;
  paths: Run;
  limits: Run;
  idempotency: Run;
  tag(unit: Unit, of: string): Run;
}

export type Condition = Expression | Code;
export type { Refusal };

/** Runs steps until one ends. */
export function inOrder(runs: readonly Run[]): Run {
  const [only] = runs;
  if (runs.length === 1 && only !== undefined) return only;
  return (frame) => {
    for (const run of runs) {
      const ending = run(frame);
      if (ending !== undefined) return ending;
    }
    return undefined;
  };
}
