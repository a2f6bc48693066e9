/** Wires the parts of the compiler together; each part is compiled when it is first needed. */
import type { Endpoint, Refusal } from "../../plan/index.ts";
import { failureRow } from "../answers/failure.ts";
import { compileActor, compileCallerCheck } from "../checks/caller.ts";
import { compileBindings, compileInputsCheck } from "../checks/inputs.ts";
import { compileTagCheck } from "../checks/tag.ts";
import { compileRefusal } from "../compile/refusal.ts";
import type {
  CompilerServices,
  MachineActions,
  Parts,
  RowActions,
  Run,
  ShapeWriter,
} from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { Model } from "../context/model.ts";
import type { Transaction } from "../context/transaction.ts";
import { compileCall } from "../effects/call.ts";
import { compileQuotas, type Quotas } from "../limits/quotas.ts";
import type { CheckContext, Response } from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { compileRowActions } from "../rows/actions.ts";
import { compileInvariants } from "../rows/invariants.ts";
import { compileParts } from "../rows/parts.ts";
import { compileShape } from "../show/shape.ts";
import { structureColumn } from "../show/types.ts";
import { compileMachines } from "../states/machine.ts";
import { compileSteps } from "../steps/index.ts";

/** Gives each name its value, made once. */
function once<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    let found = made.get(name);
    if (found === undefined) {
      found = make(name);
      made.set(name, found);
    }
    return found;
  };
}

function hookRun(
  kit: CompilerServices,
  unit: Scope,
  ask: (context: CheckContext) => Refusal | Response | undefined,
): Run {
  return ({ work }) => {
    const { invocation, session, caller, ambient } = work;
    if (invocation === undefined) return undefined;
    const answer = ask({ invocation, session, caller, ambient });
    if (answer === undefined) return undefined;
    if (!("is" in answer)) return { is: "response", write: () => answer };
    return kit.refusal(unit, answer)(new Activation(unit, work));
  };
}

function limitsCheck(kit: CompilerServices, unit: Scope): Run {
  const first = kit.model.plan.limits[0];
  if (first === undefined) return () => undefined;
  const run = hookRun(kit, unit, (context) => context.ambient.hooks.limits?.(context));
  return (frame) =>
    frame.work.ambient.hooks.limits === undefined
      ? { is: "unsupported", item: first.id }
      : run(frame);
}

function idempotencyCheck(kit: CompilerServices, unit: Scope, endpoint: Endpoint | undefined): Run {
  const key = endpoint?.idempotency;
  if (key === undefined) return () => undefined;
  const run = hookRun(kit, unit, (context) => context.ambient.hooks.idempotency?.(context));
  return (frame) =>
    frame.work.ambient.hooks.idempotency === undefined
      ? { is: "unsupported", item: key.id }
      : run(frame);
}

/** The kit, and the limits that it judges. */
export class Services implements CompilerServices {
  readonly model: Model;
  readonly parts: Parts;
  readonly rows: RowActions;
  readonly machines: MachineActions;
  readonly shape: (name: string) => ShapeWriter;
  readonly holds: (actor: string) => (work: Transaction) => boolean;
  readonly routine: CompilerServices["routine"];
  readonly call: CompilerServices["call"];
  #quotas: Quotas | undefined;
  #invariants: ReturnType<typeof compileInvariants> | undefined;
  readonly #callers: (endpoint: Endpoint | undefined) => Run;

  constructor(model: Model) {
    this.model = model;
    this.parts = compileParts(model);
    this.rows = compileRowActions(this);
    model.literals.make = (work, part, given) => this.parts.make(work as Transaction, part, given);
    this.machines = compileMachines(this);
    this.shape = once((name) => compileShape(this, name));
    this.holds = once((name) => {
      const actor = model.plan.actors.find((one) => one.name === name);
      return actor === undefined ? () => false : compileActor(this, actor);
    });
    this.call = once((name) => {
      const call = model.plan.calls.find((one) => one.name === name);
      if (call === undefined) throw new Error(`the plan has no call ${name}`);
      return compileCall(this, call);
    });
    this.routine = once((name) => {
      const routine = model.routines.get(name);
      if (routine === undefined) throw new Error(`the plan has no steps ${name}`);
      const unit = new Scope(model);
      for (const one of routine.given) unit.slot(one.name);
      const scope = { kit: this, unit, endpoint: undefined, lists: new Map() };
      return { unit, run: this.steps(scope, routine.steps) };
    });
    this.#callers = compileCallerCheck(this);
  }

  check: CompilerServices["check"] = (what, unit, endpoint) => {
    switch (what) {
      case "caller": {
        const run = this.#callers(endpoint);
        return (frame) => {
          if (frame.work.callerChecked) return undefined;
          frame.work.callerChecked = true;
          return run(frame);
        };
      }
      case "inputs":
        return endpoint === undefined ? () => undefined : compileInputsCheck(this, endpoint);
      case "paths":
        return endpoint === undefined ? () => undefined : compileBindings(this, unit, endpoint);
      case "limits":
        return limitsCheck(this, unit);
      case "idempotency key":
        return idempotencyCheck(this, unit, endpoint);
    }
  };

  moved: CompilerServices["moved"] = (work, row, transition) => {
    this.quotas.moved(work, row, transition);
  };

  judge: CompilerServices["judge"] = (work, touched) => {
    this.#invariants ??= compileInvariants(this);
    const among = [...touched];
    return this.#invariants(work, among) ?? this.quotas.judge(work, among);
  };

  get quotas(): Quotas {
    this.#quotas ??= compileQuotas(this);
    return this.#quotas;
  }

  checkTag: CompilerServices["checkTag"] = (unit, of) => compileTagCheck(this, unit, of);

  steps: CompilerServices["steps"] = (scope, steps) => compileSteps(scope, steps);

  refusal: CompilerServices["refusal"] = (unit, refusal, keep) =>
    compileRefusal(unit, refusal, keep);

  asIfNone: CompilerServices["asIfNone"] = (endpoint) => {
    const row = failureRow(this, endpoint, "bad credentials where optional");
    return row?.answer.is === "ignored" || row?.answer.is === "as if none were sent";
  };

  event: CompilerServices["event"] = (event) => {
    if (event.data.is !== "stated") throw new Error(`the data of ${event.name} is not stated`);
    const { shape, of } = event.data.value;
    const unit = new Scope(this.model);
    const it = unit.slot("it");
    const value = compileExpression(unit, of);
    const column = structureColumn(this, shape);
    return (work, row) => {
      const frame = new Activation(unit, work);
      frame.set(it, row);
      const shown = value(frame);
      work.telling = true;
      try {
        return column(work, [shown])[0] ?? "null";
      } finally {
        work.telling = false;
      }
    };
  };
}

/** The compiler's parts over one plan. */
export function kitOf(model: Model): Services {
  return new Services(model);
}
