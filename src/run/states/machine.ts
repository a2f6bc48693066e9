/** Fires transitions: From and guard, the new state, the steps that follow, what it triggers. */
import type { Transition } from "../../plan/index.ts";
import type { Ending } from "../ending.ts";
import { Frame, Unit } from "../frame.ts";
import type { Kit, MachineActions, Run } from "../kit.ts";
import type { ResourceInfo } from "../model.ts";
import type { Row } from "../ports.ts";
import { compileExpression } from "../query/expression.ts";
import type { Evaluated } from "../query/special.ts";
import type { Work } from "../work.ts";

interface Move {
  readonly transition: Transition;
  readonly unit: Unit;
  readonly it: number;
  readonly when: Evaluated | undefined;
  readonly then: Run;
  /** Transitions that this one triggers on the same row. */
  readonly triggers: readonly string[];
  /** Not served yet: it triggers transitions of rows of another resource. */
  readonly elsewhere: string | undefined;
}

interface Compiled {
  readonly info: ResourceInfo;
  readonly moves: readonly Move[];
  readonly refuse: (frame: Frame, it?: Row) => Ending;
  readonly unit: Unit;
}

function compileMove(kit: Kit, info: ResourceInfo, transition: Transition): Move {
  const unit = new Unit(kit.model);
  const it = unit.slot("it");
  const triggered = kit.model.plan.machines.flatMap((machine) => machine.transitions
    .filter((one) => one.on.is === "transition" && one.on.transition === transition.name &&
      one.on.resource === info.name)
    .map((one) => ({ resource: machine.resource, name: one.name, id: one.id })));
  const when = transition.when === undefined ? undefined
    : compileExpression(unit, transition.when);
  const scope = { kit, unit, endpoint: undefined, lists: new Map() };
  return {
    transition, unit, it, when,
    then: kit.steps(scope, transition.then),
    triggers: triggered.filter((one) => one.resource === info.name).map((one) => one.name),
    elsewhere: triggered.find((one) => one.resource !== info.name)?.id,
  };
}

function compileMachine(kit: Kit, info: ResourceInfo): Compiled | undefined {
  if (info.machine === undefined) return undefined;
  const unit = new Unit(kit.model);
  unit.slot("it");
  return {
    info, unit,
    moves: info.machine.transitions.map((one) => compileMove(kit, info, one)),
    refuse: kit.refusal(unit, info.machine.anyOther),
  };
}

function frameOf(move: Move, work: Work, row: Row): Frame {
  const frame = new Frame(move.unit, work);
  frame.set(move.it, row);
  return frame;
}

/** Moves of these names that the row's state and the guards allow. */
function possible(compiled: Compiled, work: Work, row: Row, names: readonly string[]):
  readonly Move[] {
  const state = row.values[compiled.info.state ?? -1] as string;
  return compiled.moves.filter((move) => names.includes(move.transition.name) &&
    move.transition.from.includes(state) &&
    (move.when === undefined || move.when(frameOf(move, work, row)) === true));
}

const MOVES_MAX = 100;

function fire(kit: Kit, compiled: Compiled, work: Work, first: { row: Row; names: readonly string[] }):
  Ending | "refused" | undefined {
  const { info } = compiled;
  const { row } = first;
  const waiting = [first.names];
  for (let i = 0; i < waiting.length; i++) {
    if (i >= MOVES_MAX) return { is: "fault", message: "transitions trigger one another for ever" };
    const moves = possible(compiled, work, row, waiting[i] ?? []);
    const [move] = moves;
    // A transition triggered by another is taken where it can be; the first one must be.
    if (move === undefined) {
      if (i === 0) return "refused";
      continue;
    }
    if (moves.length > 1) {
      return { is: "fault", message: `${move.transition.id}: more than one transition is open` };
    }
    if (move.elsewhere !== undefined) return { is: "unsupported", item: move.elsewhere };
    const state = new Map([[info.state ?? -1, move.transition.to]]);
    const ending = kit.rows.change(work, row, state) ?? move.then(frameOf(move, work, row));
    if (ending !== undefined) return ending;
    if (move.triggers.length > 0) waiting.push(...move.triggers.map((one) => [one]));
  }
  return undefined;
}

/** Compiles the machines, each when it is first needed. */
export function compileMachines(kit: Kit): MachineActions {
  const compiled = new Map<string, Compiled | undefined>();
  const of = (row: Row): Compiled => {
    if (!compiled.has(row.resource)) {
      compiled.set(row.resource, compileMachine(kit, kit.model.info(row.resource)));
    }
    const found = compiled.get(row.resource);
    if (found === undefined) throw new Error(`${row.resource} has no states`);
    return found;
  };
  return {
    fire: (work, row, names) => fire(kit, of(row), work, { row, names }),
    may: (work, row, name) => possible(of(row), work, row, [name]).length > 0,
    refusal: (work, row) => {
      const { unit, refuse } = of(row);
      const frame = new Frame(unit, work);
      frame.set(unit.slot("it"), row);
      return refuse(frame, row);
    },
  };
}
