/** Fires transitions: From and guard, the new state, the steps that follow, what it triggers. */
import { nameOf } from "../../expr/index.ts";
import { gapOf, type Transition } from "../../plan/index.ts";
import type { CompilerServices, MachineActions, Run } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { fieldIs } from "../context/field-type.ts";
import type { ResourceInfo } from "../context/model.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import { RUN_BOUNDS } from "../evaluate/bounds.ts";
import type { Came, Row } from "../ports/index.ts";
import { compileExpression, findRows } from "../query/expression.ts";
import type { Evaluated } from "../query/specialize.ts";

interface Trigger {
  readonly name: string;
  related(activation: Activation, row: Row): readonly Row[];
}

interface Move {
  readonly transition: Transition;
  readonly scope: Scope;
  readonly it: number;
  readonly when: Evaluated | undefined;
  readonly then: Run;
  /** Transitions that this one triggers, on rows that refer to this one or that it refers to. */
  readonly triggers: readonly Trigger[];
}

interface Compiled {
  readonly info: ResourceInfo;
  readonly moves: readonly Move[];
  readonly refuse: (activation: Activation, it?: Row) => StepOutcome;
  readonly scope: Scope;
}

/** Rows of a resource that refer to a row, or that it refers to; of its own resource: itself. */
function relatedRows(scope: Scope, info: ResourceInfo, resource: string): Trigger["related"] {
  if (resource === info.name) return (_, row) => [row];
  const it = scope.slot("it");
  const self = nameOf("#cause", { kind: "row", resource: info.name });
  const cause = scope.slot("#cause");
  const finders = info.referrers
    .filter((one) => one.info.name === resource)
    .map((one) => {
      const member = one.info.fieldNames[one.field] ?? "";
      return findRows(scope, resource, fieldIs(one.info, member, self));
    });
  const places = info.fields.flatMap((field, place) =>
    field.type.type.kind === "reference" && field.type.type.resource === resource ? [place] : [],
  );
  return (activation, row) => {
    activation.set(cause, row);
    activation.set(it, row);
    const found = new Set(finders.flatMap((one) => one.rows(activation)));
    for (const place of places) {
      const key = row.values[place];
      const other = typeof key === "number" ? activation.tx.get(resource, key) : undefined;
      if (other === undefined) continue;
      if (!activation.seesAll) activation.tx.see(other, `${info.name}.${info.fieldNames[place]}`);
      found.add(other);
    }
    return [...found].sort((a, b) => a.key - b.key);
  };
}

function compileMove(services: CompilerServices, info: ResourceInfo, transition: Transition): Move {
  const scope = new Scope(services.model);
  const it = scope.slot("it");
  const triggers = services.model.plan.machines.flatMap((machine) =>
    machine.transitions
      .filter(
        (one) =>
          one.on.is === "transition" &&
          one.on.transition === transition.name &&
          one.on.resource === info.name,
      )
      .map((one) => ({ name: one.name, related: relatedRows(scope, info, machine.resource) })),
  );
  const when =
    transition.when === undefined ? undefined : compileExpression(scope, transition.when);
  const context = { services, scope, endpoint: undefined, lists: new Map() };
  return {
    transition,
    scope,
    it,
    when,
    then: services.steps(context, transition.then),
    triggers,
  };
}

function compileMachine(services: CompilerServices, info: ResourceInfo): Compiled | undefined {
  if (info.machine === undefined) return undefined;
  const scope = new Scope(services.model);
  scope.slot("it");
  return {
    info,
    scope,
    moves: info.machine.transitions.map((one) => compileMove(services, info, one)),
    refuse: services.refusal(scope, info.machine.anyOther),
  };
}

function activationOf(move: Move, tx: Transaction, row: Row): Activation {
  return new Activation(move.scope, tx).set(move.it, row);
}

/** Moves of these names that the row's state and the guards allow. */
function possible(
  compiled: Compiled,
  tx: Transaction,
  { row, names, only }: Waiting,
): readonly Move[] {
  const place = compiled.info.state ?? -1;
  tx.meet(row, place);
  const state = row.values[place] as string;
  return compiled.moves.filter((move) => {
    const { name, from, gap, on } = move.transition;
    if (!names.includes(name) || !from.includes(state)) return false;
    if (only?.(move.transition) === false) return false;
    const met = gap ?? gapOf(on);
    if (met !== undefined) throw new Stop({ is: "gap", gap: met });
    return move.when === undefined || move.when(activationOf(move, tx, row)) === true;
  });
}

/** Transitions that one may bring about, so that a circle of them ends. */
const MOVES_MAX = RUN_BOUNDS.moves.value;

interface Waiting {
  readonly row: Row;
  readonly names: readonly string[];
  /** Which rows of those names; none given: all. */
  readonly only?: (transition: Transition) => boolean;
}

const inState = ({ values }: Row, place: number | undefined): Came =>
  `in ${String(values[place ?? -1])}`;

/** Fires the first, and then what it triggers, in the order of the tables. */
function fire(
  services: CompilerServices,
  of: (row: Row) => Compiled,
  tx: Transaction,
  first: Waiting,
): StepOutcome | "refused" | undefined {
  const waiting = [first];
  for (let i = 0; i < waiting.length; i++) {
    if (i >= MOVES_MAX) return { is: "fault", message: "transitions trigger one another for ever" };
    const { row } = waiting[i] as Waiting;
    const compiled = of(row);
    const moves = possible(compiled, tx, waiting[i] as Waiting);
    const [move] = moves;
    // A transition triggered by another is taken where it can be; the first one must be.
    if (move === undefined) {
      if (i === 0) return "refused";
      continue;
    }
    if (moves.length > 1) {
      return { is: "fault", message: `${move.transition.id}: more than one transition is open` };
    }
    const state = new Map([[compiled.info.state ?? -1, move.transition.to]]);
    const activation = activationOf(move, tx, row);
    services.model.options.trace?.(move.transition.id, "taken");
    services.model.options.trace?.(move.transition.id, inState(row, compiled.info.state));
    const changed = services.rows.change(tx, row, state);
    if (changed !== undefined) return changed;
    services.moved(tx, row, move.transition);
    const outcome = move.then(activation);
    if (outcome !== undefined) return outcome;
    for (const { name, related } of move.triggers) {
      for (const other of related(activation, row)) waiting.push({ row: other, names: [name] });
    }
  }
  return undefined;
}

/** Compiles the machines, each when it is first needed. */
export function compileMachines(services: CompilerServices): MachineActions {
  const compiled = new Map<string, Compiled | undefined>();
  const of = (row: Row): Compiled => {
    if (!compiled.has(row.resource)) {
      compiled.set(row.resource, compileMachine(services, services.model.info(row.resource)));
    }
    const found = compiled.get(row.resource);
    if (found === undefined) throw new Error(`${row.resource} has no states`);
    return found;
  };
  return {
    fire: (tx, row, names) => fire(services, of, tx, { row, names }),
    may: (tx, row, name) => possible(of(row), tx, { row, names: [name] }).length > 0,
    answered: (tx, row, { call, said }) => {
      const word = said.get("word");
      const only = ({ on }: Transition): boolean =>
        on.is === "call" && on.call === call && on.word === word;
      const names = (services.model.info(row.resource).machine?.transitions ?? [])
        .filter(only)
        .map((one) => one.name);
      if (names.length === 0) return "refused";
      tx.said = said;
      const outcome = fire(services, of, tx, { row, names, only });
      tx.said = null;
      return outcome;
    },
    refusal: (tx, row) => {
      const { scope, refuse, info } = of(row);
      const { trace } = services.model.options;
      if (info.machine !== undefined && trace !== undefined) {
        trace(info.machine.id, "failed");
        trace(info.machine.id, inState(row, info.state));
      }
      const activation = new Activation(scope, tx).set(scope.slot("it"), row);
      return refuse(activation, row);
    },
  };
}
