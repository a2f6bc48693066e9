/** Wires the parts of the compiler together; each part is compiled when it is first needed. */
import {
  type AnswerHeader,
  type Endpoint,
  type Idempotency,
  type ItemId,
  isStated,
  type Refusal,
} from "../../plan/index.ts";
import { failureRow } from "../answers/failure.ts";
import { withHeaders } from "../answers/headers.ts";
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
import type { CheckContext, Response, Value } from "../ports/index.ts";
import { compileExpression, sightOf } from "../query/expression.ts";
import { compileRule } from "../read/expression.ts";
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
  services: CompilerServices,
  scope: Scope,
  ask: (context: CheckContext) => Refusal | Response | undefined,
  amounts?: ReadonlyMap<ItemId, (tx: Transaction) => Value>,
): Run {
  return ({ tx }) => {
    const { invocation, session, caller, ambient } = tx;
    if (invocation === undefined) return undefined;
    const amount = amounts && ((limit: ItemId) => amounts.get(limit)?.(tx));
    const context = { invocation, session, caller, ambient, ...(amount ? { amount } : {}) };
    const answer = ask(context);
    if (answer === undefined) return undefined;
    if (!("is" in answer)) return { is: "response", write: () => answer };
    return services.refusal(scope, answer)(new Activation(scope, tx));
  };
}

/** Amounts of rates that depend on rows: on the caller's own as `it`, or on others. */
function amountsOf(services: CompilerServices): ReadonlyMap<ItemId, (tx: Transaction) => Value> {
  const found = new Map<ItemId, (tx: Transaction) => Value>();
  for (const { id, counts, amount } of services.model.plan.limits) {
    if (counts.is !== "requests" || !isStated(amount)) continue;
    if (compileRule(amount.value.value.code) !== undefined) continue;
    const scope = new Scope(services.model);
    const it = scope.slot("it");
    const value = compileExpression(scope, amount.value.value);
    found.set(id, (tx) => {
      const activation = new Activation(scope, tx);
      activation.set(it, tx.caller);
      return value(activation);
    });
  }
  return found;
}

function limitsCheck(services: CompilerServices, scope: Scope): Run {
  const first = services.model.plan.limits[0];
  if (first === undefined) return () => undefined;
  const run = hookRun(
    services,
    scope,
    (context) => context.ambient.hooks.limits?.(context),
    amountsOf(services),
  );
  return (activation) =>
    activation.tx.ambient.hooks.limits === undefined
      ? { is: "unsupported", item: first.id }
      : run(activation);
}

/** The header of an answer that is sent again. */
function markOf({ id, mark }: Idempotency): readonly AnswerHeader[] | undefined {
  if (mark === undefined) return undefined;
  return [{ id, name: mark.name, value: { is: "stated", id, value: mark.value } }];
}

function idempotencyCheck(
  services: CompilerServices,
  scope: Scope,
  endpoint: Endpoint | undefined,
): Run {
  const key = endpoint?.idempotency;
  if (key === undefined) return () => undefined;
  const run = hookRun(services, scope, (context) => context.ambient.hooks.idempotency?.(context));
  const mark = markOf(key);
  return (activation) => {
    if (activation.tx.ambient.hooks.idempotency === undefined) {
      return { is: "unsupported", item: key.id };
    }
    const outcome = run(activation);
    if (mark === undefined || outcome?.is !== "response") return outcome;
    const { write } = outcome;
    return { ...outcome, write: () => withHeaders(services, activation.tx, mark, write()) };
  };
}

/** The services, and the limits that it judges. */
class Services implements CompilerServices {
  readonly model: Model;
  readonly parts: Parts;
  readonly rows: RowActions;
  readonly machines: MachineActions;
  readonly shape: (name: string) => ShapeWriter;
  readonly holds: (actor: string) => (tx: Transaction) => boolean;
  readonly routine: CompilerServices["routine"];
  readonly call: CompilerServices["call"];
  #quotas: Quotas | undefined;
  #invariants: ReturnType<typeof compileInvariants> | undefined;
  readonly #callers: (endpoint: Endpoint | undefined) => Run;

  constructor(model: Model) {
    this.model = model;
    this.parts = compileParts(model);
    this.rows = compileRowActions(this);
    model.sight.sees = sightOf(model) as typeof model.sight.sees;
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
      const scope = new Scope(model);
      for (const one of routine.given) scope.slot(one.name);
      const context = { services: this, scope, endpoint: undefined, lists: new Map() };
      return { scope, run: this.steps(context, routine.steps) };
    });
    this.#callers = compileCallerCheck(this);
  }

  check: CompilerServices["check"] = (what, scope, endpoint) => {
    switch (what) {
      case "caller": {
        const run = this.#callers(endpoint);
        return (activation) => {
          if (activation.tx.callerChecked) return undefined;
          activation.tx.callerChecked = true;
          return run(activation);
        };
      }
      case "inputs":
        return endpoint === undefined ? () => undefined : compileInputsCheck(this, endpoint);
      case "paths":
        return endpoint === undefined ? () => undefined : compileBindings(this, scope, endpoint);
      case "limits":
        return limitsCheck(this, scope);
      case "idempotency key":
        return idempotencyCheck(this, scope, endpoint);
    }
  };

  moved: CompilerServices["moved"] = (tx, row, transition) => {
    this.quotas.moved(tx, row, transition);
  };

  judge: CompilerServices["judge"] = (tx, touched) => {
    this.#invariants ??= compileInvariants(this);
    const among = [...touched];
    return this.#invariants(tx, among) ?? this.quotas.judge(tx, among);
  };

  get quotas(): Quotas {
    this.#quotas ??= compileQuotas(this);
    return this.#quotas;
  }

  checkTag: CompilerServices["checkTag"] = (scope, of) => compileTagCheck(this, scope, of);

  message: CompilerServices["message"] = (shape, about) => compileShape(this, shape, about);

  steps: CompilerServices["steps"] = (context, steps) => compileSteps(context, steps);

  refusal: CompilerServices["refusal"] = (scope, refusal, keep) =>
    compileRefusal(scope, refusal, { keep, trace: this.model.options.trace });

  asIfNone: CompilerServices["asIfNone"] = (endpoint) => {
    const row = failureRow(this, endpoint, "bad credentials where optional");
    return row?.answer.is === "ignored" || row?.answer.is === "as if none were sent";
  };

  event: CompilerServices["event"] = (event) => {
    if (!isStated(event.data)) throw new Error(`the data of ${event.name} is not stated`);
    const { shape, of } = event.data.value;
    const scope = new Scope(this.model);
    const it = scope.slot("it");
    const value = compileExpression(scope, of);
    const column = structureColumn(this, shape);
    return (tx, row) => {
      const activation = new Activation(scope, tx).set(it, row);
      const shown = value(activation);
      tx.telling = true;
      try {
        return column(tx, [shown])[0] ?? "null";
      } finally {
        tx.telling = false;
      }
    };
  };
}

/** The compiler's parts over one plan. */
export function servicesOf(model: Model): Services {
  return new Services(model);
}
