/** `Check the caller.`: finds the row behind what was presented, and whether it may come in. */
import {
  type Actor,
  type Endpoint,
  type FailureCondition,
  gapOf,
  isStated,
  itemOf,
  type Scheme,
} from "../../plan/index.ts";
import type { CompilerServices, Run } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Presented, Row } from "../ports/index.ts";
import { compileExpression, findRows } from "../query/expression.ts";
import { compileUnfound } from "./unfound.ts";

type Holds = (tx: Transaction) => boolean;

/** Whether the caller of a work is the actor; an actor that holds always needs no caller. */
export function compileActor(services: CompilerServices, actor: Actor): Holds {
  const { holds } = actor;
  if (holds.is === "always") return () => true;
  if (holds.is === "gap") {
    const outcome: StepOutcome = { is: "gap", gap: holds.gap };
    return () => {
      throw new Stop(outcome);
    };
  }
  if (!isStated(holds)) return () => false;
  const scope = new Scope(services.model);
  scope.slot("caller");
  const condition = compileExpression(scope, holds.value);
  const { trace } = services.model.options;
  return (tx) => {
    const isOne = tx.caller !== null && condition(new Activation(scope, tx)) === true;
    trace?.(actor.id, isOne ? "held" : "failed");
    return isOne;
  };
}

/** Finds the row that a scheme's credentials pin. `open`: credentials may be left out. */
type Find = (tx: Transaction, presented: Presented, open: boolean) => Row | StepOutcome;

function compileScheme(services: CompilerServices, scheme: Scheme): Find {
  const { caller } = scheme;
  if (!isStated(caller)) {
    const gap = gapOf(caller) ?? scheme.id;
    return () => ({ is: "gap", gap, silent: caller.is !== "gap" });
  }
  const scope = new Scope(services.model);
  const { resource, where, otherwise } = caller.value;
  const names = ["credential", "claims", "username", "password"] as const;
  const slots = names.map((name) => scope.slot(name));
  const finder = findRows(scope, resource, [where.code]);
  const refuse = services.refusal(scope, otherwise);
  const unfound = compileUnfound(services.model, resource, where);
  return (tx, presented, open) => {
    const activation = new Activation(scope, tx).seeingAll();
    const values =
      presented.is === "opaque"
        ? [presented.credential]
        : presented.is === "token"
          ? [undefined, presented.claims]
          : presented.is === "basic"
            ? [undefined, undefined, presented.username, presented.password]
            : [];
    slots.forEach((slot, i) => {
      activation.set(slot, values[i]);
    });
    const row = finder.sole(activation);
    services.model.options.trace?.(scheme.id, row === undefined ? "failed" : "held");
    if (row === undefined) unfound(tx);
    return row ?? (open ? fail("bad credentials") : refuse(activation));
  };
}

function isStepOutcome(found: Row | null | StepOutcome): found is StepOutcome {
  return found !== null && "is" in found;
}

function fail(condition: FailureCondition): StepOutcome {
  return { is: "failures", failures: [{ condition, field: null, in: "request" }] };
}

/** Compiles the check for the endpoints of a plan; schemes and actors are compiled once. */
export function compileCallerCheck(
  services: CompilerServices,
): (endpoint: Endpoint | undefined) => Run {
  const schemes = services.model.plan.schemes.map((one) => compileScheme(services, one));
  return (endpoint) => {
    const who = endpoint?.who;
    if (who === undefined || who.is === "none") return () => undefined;
    if (!isStated(who)) {
      const gap = itemOf(who) ?? endpoint?.id ?? "";
      return () => ({ is: "gap", gap, silent: who.is !== "gap" });
    }
    const actors = who.value.map((name) =>
      services.model.plan.actors.find((one) => one.name === name),
    );
    const gaps = actors.flatMap((one) => (one?.holds.is === "gap" ? [one.holds.gap] : []));
    const unread = services.model.plan.schemes.flatMap(({ sent }) => gapOf(sent) ?? []);
    const open = actors.some((one) => one?.holds.is === "always");
    // Where everybody may ask, nobody is asked who they are.
    if (actors.every((one) => one?.holds.is === "always")) return () => undefined;
    // Whether anybody is asked who they are is not known: only who presents nothing is sure of it.
    const isUndecided = actors.every(
      (one) => one?.holds.is === "always" || one?.holds.is === "gap",
    );
    const holds = actors
      .filter((one) => one !== undefined && one.holds.is !== "gap")
      .map((one) => services.holds(one?.name ?? ""));
    return (activation) => {
      const { tx } = activation;
      const found = identify(schemes, tx, open, services.asIfNone(endpoint));
      const [undecided] = gaps;
      const isDoubtful = isUndecided ? found !== null : isStepOutcome(found) && found.is !== "gap";
      if (undecided !== undefined && isDoubtful) return { is: "gap", gap: undecided };
      if (isStepOutcome(found)) return found;
      tx.caller = found;
      activation.set(activation.scope.slot("caller"), found);
      // Who presents nothing that is read may present what is not shown where to look for.
      const [sent] = unread;
      if (found === null && sent !== undefined) return { is: "gap", gap: sent };
      if (found === null && open) return undefined;
      // Who nobody knows may be an actor of whom it is not shown when it holds.
      const unknown = found === null ? gaps[0] : undefined;
      if (unknown !== undefined) return { is: "gap", gap: unknown };
      if (found === null) return fail("no credentials");
      if (holds.some((one) => one(tx))) return undefined;
      return gaps[0] === undefined ? fail("not permitted") : { is: "gap", gap: gaps[0] };
    };
  };
}

function identify(
  schemes: readonly Find[],
  tx: Transaction,
  open: boolean,
  asIfNone: boolean,
): Row | null | StepOutcome {
  const presented = tx.invocation?.presented ?? [];
  const at = presented.findIndex((one) => one.is !== "none");
  const one = presented[at];
  const find = schemes[at];
  if (one === undefined || find === undefined) return null;
  if (one.is === "gap" || one.is === "unsupported") return one;
  if (one.is === "unavailable") return { is: "fault", message: one.message };
  const found = one.is === "bad" ? fail("bad credentials") : find(tx, one, open);
  if (!open || !isStepOutcome(found) || found.is !== "failures") return found;
  if (!asIfNone) return fail("bad credentials where optional");
  (tx.conditions ??= []).push("bad credentials where optional");
  return null;
}
