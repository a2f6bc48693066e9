/** Finds the stated answer to a failure condition: at the endpoint first, then the service. */
import {
  type Endpoint,
  type ErrorDefinition,
  type FailureRow,
  isStated,
} from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { InputFailure, Response } from "../ports/index.ts";
import { errorResponse } from "./error.ts";

/** The row for a condition; undefined: the document is silent about it. */
export function failureRow(
  services: CompilerServices,
  endpoint: Endpoint | undefined,
  condition: InputFailure["condition"],
): FailureRow | undefined {
  const fits = (row: FailureRow) => row.condition === condition;
  return endpoint?.failures.find(fits) ?? services.model.plan.failures.find(fits);
}

/** What answers one occurrence of a condition. */
type Found =
  | {
      readonly row: FailureRow;
      readonly outcome: Extract<StepOutcome, { is: "error" }>;
      readonly field: string | null;
    }
  | { readonly outcome: StepOutcome }
  | "ignored";

/** The answer to one failure: an error with the name it is on, a gap, or nothing. */
function answerTo(
  services: CompilerServices,
  tx: Transaction,
  endpoint: Endpoint | undefined,
  failure: InputFailure,
): Found {
  const row = failureRow(services, endpoint, failure.condition);
  if (row === undefined) {
    return { outcome: { is: "gap", gap: `failures/${failure.condition}`, silent: true } };
  }
  services.model.options.trace?.(row.id, "failed");
  const { answer } = row;
  switch (answer.is) {
    case "gap":
      return { outcome: { is: "gap", gap: answer.gap } };
    case "ignored":
    case "as if none were sent":
      return "ignored";
    case "error": {
      const on = answer.on ?? null;
      return {
        row,
        field: answer.onItsName ? failure.field : on,
        outcome: { is: "error", error: answer.error, on, given: new Map(), keep: false },
      };
    }
    case "cannot happen":
      return { outcome: { is: "fault", message: `${row.id}: what cannot happen has happened` } };
    case "free": {
      const { name: error } = freeError(services, tx, failure.condition);
      tx.decide(row.id);
      return {
        row,
        field: failure.field,
        outcome: { is: "error", error, on: failure.field, given: new Map(), keep: false },
      };
    }
  }
}

/** Any error conforms; without a seed, the first whose status is of the class of the condition. */
function freeError(
  services: CompilerServices,
  { ambient: { chooser } }: Transaction,
  condition: InputFailure["condition"],
): ErrorDefinition {
  const all = [...services.model.errors.values()].filter((one) => isStated(one.status));
  const least = condition === "fault inside" || condition === "time passed" ? 500 : 400;
  const fits = ({ status }: ErrorDefinition): boolean =>
    isStated(status) && status.value >= least && status.value < least + 100;
  const found = chooser ? all[chooser.pick(all.length)] : (all.find(fits) ?? all[0]);
  if (found !== undefined) return found;
  throw new Stop({ is: "gap", gap: `failures/${condition}`, silent: true });
}

/** A rule's own answer to a failure (`holds ... else`). */
function ownAnswer(
  services: CompilerServices,
  tx: Transaction,
  failure: InputFailure,
): StepOutcome | undefined {
  if (failure.refusal === undefined) return undefined;
  const scope = new Scope(services.model);
  const refuse = services.refusal(scope, failure.refusal);
  return refuse(new Activation(scope, tx));
}

/** What failures of inputs get, or the outcome where no error answers. Undefined: all ignored. */
export function failuresResponse(
  services: CompilerServices,
  tx: Transaction,
  given: {
    readonly endpoint: Endpoint | undefined;
    readonly failures: readonly InputFailure[];
    readonly headers?: readonly (readonly [string, string])[];
  },
): Response | StepOutcome | undefined {
  const { endpoint, headers = [] } = given;
  const reported = services.model.plan.failuresReported;
  const details: { field: string | null; row: FailureRow }[] = [];
  let first:
    | { outcome: Extract<StepOutcome, { is: "error" }>; row: FailureRow; field: string | null }
    | undefined;
  for (const failure of given.failures) {
    if (failure.condition !== "refused") (tx.conditions ??= []).push(failure.condition);
    const own = ownAnswer(services, tx, failure);
    if (own !== undefined) {
      // Whether it belongs to those that are reported is not known.
      if (own.is === "gap") return own;
      if (first !== undefined) continue;
      if (own.is !== "error") return own;
      return errorResponse(services, tx, {
        outcome: own,
        field: own.on ?? failure.field,
        failures: details,
        headers,
      });
    }
    const found = answerTo(services, tx, endpoint, failure);
    if (found === "ignored") continue;
    if (!("row" in found)) return found.outcome;
    if (first === undefined) {
      first = found;
      if (given.failures.length > 1 && reported.is === "gap") {
        return { is: "gap", gap: reported.gap };
      }
    }
    const { answer } = found.row;
    if (answer.is === "error" && answer.onItsName && failure.field !== null) {
      details.push({ field: failure.field, row: found.row });
    }
    if (!isStated(reported) || reported.value === "first") break;
  }
  if (first === undefined) return undefined;
  return errorResponse(services, tx, {
    outcome: first.outcome,
    field: first.field,
    row: first.row,
    failures: details,
    headers,
  });
}
