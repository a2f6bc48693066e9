/** Finds the stated answer to a failure condition: at the endpoint first, then the service. */
import type { Endpoint, ErrorDefinition, FailureRow } from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { InputFailure, Response } from "../ports/index.ts";
import { errorResponse } from "./error.ts";

/** The row for a condition; undefined: the document is silent about it. */
export function failureRow(
  kit: CompilerServices,
  endpoint: Endpoint | undefined,
  condition: InputFailure["condition"],
): FailureRow | undefined {
  const fits = (row: FailureRow) => row.condition === condition;
  return endpoint?.failures.find(fits) ?? kit.model.plan.failures.find(fits);
}

/** What answers one occurrence of a condition. */
export type Found =
  | {
      readonly row: FailureRow;
      readonly ending: Extract<StepOutcome, { is: "error" }>;
      readonly field: string | null;
    }
  | { readonly ending: StepOutcome }
  | "ignored";

/** The answer to one failure: an error with the name it is on, a gap, or nothing. */
export function answerTo(
  kit: CompilerServices,
  work: Transaction,
  endpoint: Endpoint | undefined,
  failure: InputFailure,
): Found {
  const row = failureRow(kit, endpoint, failure.condition);
  if (row === undefined) {
    return { ending: { is: "gap", gap: `failures/${failure.condition}`, silent: true } };
  }
  const { answer } = row;
  switch (answer.is) {
    case "gap":
      return { ending: { is: "gap", gap: answer.gap } };
    case "ignored":
    case "as if none were sent":
      return "ignored";
    case "error": {
      const on = answer.on ?? null;
      return {
        row,
        field: answer.onItsName ? failure.field : on,
        ending: { is: "error", error: answer.error, on, given: new Map(), keep: false },
      };
    }
    case "cannot happen":
      return { ending: { is: "fault", message: `${row.id}: what cannot happen has happened` } };
    case "free": {
      const { name: error } = freeError(kit, work, failure.condition);
      work.decide(row.id);
      return {
        row,
        field: failure.field,
        ending: { is: "error", error, on: failure.field, given: new Map(), keep: false },
      };
    }
  }
}

/** Any error conforms; unshaken, the first whose status is of the class of the condition. */
function freeError(
  kit: CompilerServices,
  { ambient: { chooser } }: Transaction,
  condition: InputFailure["condition"],
): ErrorDefinition {
  const all = [...kit.model.errors.values()].filter((one) => one.status.is === "stated");
  const least = condition === "fault inside" || condition === "time passed" ? 500 : 400;
  const fits = ({ status }: ErrorDefinition): boolean =>
    status.is === "stated" && status.value >= least && status.value < least + 100;
  const found = chooser ? all[chooser.pick(all.length)] : (all.find(fits) ?? all[0]);
  if (found !== undefined) return found;
  throw new Stop({ is: "gap", gap: `failures/${condition}`, silent: true });
}

/** A rule's own answer to a failure (`holds ... else`). */
function ownAnswer(
  kit: CompilerServices,
  work: Transaction,
  failure: InputFailure,
): StepOutcome | undefined {
  if (failure.refusal === undefined) return undefined;
  const unit = new Scope(kit.model);
  const refuse = kit.refusal(unit, failure.refusal);
  return refuse(new Activation(unit, work));
}

/** The response to failures of inputs; an ending where no error answers. Undefined: all ignored. */
export function failuresResponse(
  kit: CompilerServices,
  work: Transaction,
  given: {
    readonly endpoint: Endpoint | undefined;
    readonly failures: readonly InputFailure[];
    readonly headers?: readonly (readonly [string, string])[];
  },
): Response | StepOutcome | undefined {
  const { endpoint, headers = [] } = given;
  const reported = kit.model.plan.failuresReported;
  const details: { field: string | null; row: FailureRow }[] = [];
  let first:
    | { ending: Extract<StepOutcome, { is: "error" }>; row: FailureRow; field: string | null }
    | undefined;
  for (const failure of given.failures) {
    const own = ownAnswer(kit, work, failure);
    if (own !== undefined) {
      if (first !== undefined) continue;
      if (own.is !== "error") return own;
      return errorResponse(kit, work, {
        ending: own,
        field: own.on ?? failure.field,
        failures: details,
        headers,
      });
    }
    const found = answerTo(kit, work, endpoint, failure);
    if (found === "ignored") continue;
    if (!("row" in found)) return found.ending;
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
    if (reported.is !== "stated" || reported.value === "first") break;
  }
  if (first === undefined) return undefined;
  return errorResponse(kit, work, {
    ending: first.ending,
    field: first.field,
    row: first.row,
    failures: details,
    headers,
  });
}
