/** Runs compiled steps in a savepoint and makes the outcome of how they ended. */

import type { Endpoint } from "../../plan/index.ts";
import { challengeGap, challenges } from "../answers/challenge.ts";
import { errorResponse } from "../answers/error.ts";
import { failuresResponse } from "../answers/failure.ts";
import { gapMet, gapResponse, noCodeResponse, unsupportedResponse } from "../answers/gap.ts";
import { withHeaders } from "../answers/headers.ts";
import type { CompilerServices, Run } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import { undoneGap } from "../effects/answered-call.ts";
import { EvaluationFault, GapFault } from "../evaluate/index.ts";
import {
  type Effects,
  type HostAnswer,
  isStoreFault,
  type Late,
  type Outcome,
  type Response,
} from "../ports/index.ts";

export interface Executor {
  readonly services: CompilerServices;
  /** Judges the invariants of everything that was touched. */
  readonly judge: (tx: Transaction) => StepOutcome | undefined;
}

interface Execution {
  readonly tx: Transaction;
  readonly endpoint: Endpoint | undefined;
  /** Whether it may write: then it runs in a savepoint of its own. */
  readonly writes: boolean;
}

/** Runs steps; what is thrown on the way becomes their outcome. */
export function guarded(run: () => StepOutcome | undefined): StepOutcome | undefined {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof Stop) return thrown.outcome;
    if (thrown instanceof GapFault) return { is: "gap", gap: thrown.gap };
    if (thrown instanceof EvaluationFault) {
      return { is: "fault", message: `${thrown.code}: ${thrown.message}` };
    }
    // It ends the whole batch, not this request alone.
    if (isStoreFault(thrown)) throw thrown;
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    return { is: "fault", message: text };
  }
}

interface Answered {
  readonly response: Response;
  readonly commit: boolean;
  readonly effects?: Partial<Effects>;
}

/** The answer to a fault: the error stated for `fault inside`, else the gap of that condition. */
function faultAnswer(executor: Executor, execution: Execution, message: string): Answered {
  const { services } = executor;
  const { tx, endpoint } = execution;
  const failures = [{ condition: "fault inside" as const, field: null, in: "request" as const }];
  const effects = { fault: message };
  let found: Response | StepOutcome | undefined;
  const outcome =
    guarded(() => {
      found = failuresResponse(services, tx, { endpoint, failures });
      return undefined;
    }) ?? (found !== undefined && "is" in found ? found : undefined);
  if (outcome === undefined && found !== undefined && !("is" in found)) {
    return { response: found, commit: false, effects };
  }
  const gap = gapMet(services.model, outcome?.is === "gap" ? outcome.gap : "failures/fault inside");
  return { response: gapResponse(gap), commit: false, effects: { ...effects, gap } };
}

/** The outcome of a request whose time to answer has passed. */
export function refusedAs(
  services: CompilerServices,
  tx: Transaction,
  refusal: Exclude<Late, string>,
): StepOutcome {
  const scope = new Scope(services.model);
  const outcome = services.refusal(scope, refusal)(new Activation(scope, tx));
  // What took too long may be tried again at once.
  return outcome.is === "error" && refusal.retryAfter ? { ...outcome, retryAfter: "0" } : outcome;
}

function lateness({ tx }: Execution, services: CompilerServices): StepOutcome | undefined {
  const late = tx.ambient.hooks.late?.();
  if (late === undefined || late !== "time passed") return late && refusedAs(services, tx, late);
  return { is: "failures", failures: [{ condition: late, field: null, in: "request" }] };
}

/** Makes the answer of an outcome; may give another that was met while writing it. */
function answer(
  executor: Executor,
  execution: Execution,
  outcome: StepOutcome,
): Answered | StepOutcome {
  const { services } = executor;
  const { tx, endpoint } = execution;
  if (outcome.is !== "response") tx.answeredBy = undefined;
  switch (outcome.is) {
    case "response": {
      const broken = tx.touched.size === 0 ? undefined : executor.judge(tx);
      if (broken !== undefined) return broken;
      const response = outcome.write();
      return lateness(execution, services) ?? { response, commit: true };
    }
    case "error": {
      const broken = outcome.keep && tx.touched.size > 0 ? executor.judge(tx) : undefined;
      if (broken !== undefined) return broken;
      return {
        commit: outcome.keep,
        response: errorResponse(services, tx, {
          outcome,
          field: outcome.on,
          failures: [],
          headers: [],
        }),
      };
    }
    case "failures": {
      const found = failuresResponse(services, tx, { endpoint, failures: outcome.failures });
      if (found === undefined) return { is: "fault", message: "failures that are all ignored" };
      return "is" in found ? found : { response: found, commit: false };
    }
    case "gap": {
      const gap = gapMet(services.model, outcome.gap);
      return { response: gapResponse(gap), commit: false, effects: { gap } };
    }
    case "unasked":
      return {
        response: unsupportedResponse(outcome.asking.step),
        commit: false,
        effects: { asking: outcome.asking },
      };
    case "no code":
      return {
        response: noCodeResponse(outcome.name),
        commit: false,
        effects: { unsupported: outcome.call },
      };
    case "unsupported":
      return {
        response: unsupportedResponse(outcome.item),
        commit: false,
        effects: { unsupported: outcome.item },
      };
    case "fault":
      return faultAnswer(executor, execution, outcome.message);
  }
}

const REWRITES_MAX = 4;

/** Answers an outcome, and those met while answering, at most a few times. */
function settle(executor: Executor, execution: Execution, first: StepOutcome): Answered {
  let outcome: StepOutcome = first;
  for (let i = 0; i < REWRITES_MAX; i++) {
    let made: Answered | StepOutcome | undefined;
    const met = guarded(() => {
      made = answer(executor, execution, outcome);
      return undefined;
    });
    const found: Answered | StepOutcome | undefined = met ?? made;
    if (found !== undefined && !("is" in found)) return found;
    if (found !== undefined) outcome = found;
  }
  return faultAnswer(executor, execution, "answers that lead to one another");
}

/** A 401 whose challenge is not shown meets the gap of that. */
function challenged(executor: Executor, execution: Execution, answered: Answered): Answered {
  if (answered.response.status !== 401) return answered;
  const gap = challengeGap(executor.services.model.plan);
  if (gap === undefined) return answered;
  const met = settle(executor, execution, { is: "gap", gap });
  return { ...met, effects: { ...answered.effects, ...met.effects } };
}

/** A refused work whose calls would have to be undone meets the gap of how, where that is one. */
function undoing(executor: Executor, execution: Execution, answered: Answered): Answered {
  const isOver = answered.effects?.asking === undefined;
  if (answered.commit || !isOver || execution.tx.called.length === 0) return answered;
  const gap = undoneGap(executor.services.model, execution.tx);
  return gap === undefined ? answered : settle(executor, execution, gap);
}

function effectsOf(tx: Transaction, answered: Answered): Effects {
  const kept = answered.commit;
  return {
    events: kept ? tx.events : [],
    timersChanged: kept && tx.timersChanged,
    freedoms: [...tx.freedoms],
    called: kept ? tx.called.map((one) => one.key) : [],
    ...answered.effects,
  };
}

/** The headers that every answer has; a gap or a fault in one of them is the answer. */
function stated(executor: Executor, execution: Execution, answered: Answered): Answered {
  const { services } = executor;
  const { tx, endpoint } = execution;
  const headers = endpoint === undefined ? services.model.plan.headers : endpoint.headers;
  if (headers === undefined || tx.asked === undefined) return answered;
  if (answered.effects?.asking !== undefined) return answered;
  let { response } = answered;
  const met = guarded(() => {
    const before = response.headers.length;
    response = withHeaders(services, tx, headers, response);
    const anew = response.headers.slice(before).map(([name]) => name);
    if (anew.length > 0) response = { ...response, anew };
    return undefined;
  });
  if (met === undefined) return { ...answered, response };
  const hasGap = answered.effects?.gap !== undefined;
  return hasGap ? answered : settle(executor, execution, met);
}

/** Adds what HTTP demands of an answer with this status (RFC 9110 section 11.6.1). */
function finished(services: CompilerServices, response: Response): Response {
  if (response.status !== 401) return response;
  const added = challenges(services.model.plan).map((one) => ["WWW-Authenticate", one] as const);
  return { ...response, headers: [...response.headers, ...added] };
}

/** Runs steps in the activation to an outcome; the savepoint is kept or undone accordingly. */
export function execute(
  executor: Executor,
  execution: Execution,
  activation: Activation,
  run: Run,
): Outcome {
  const { tx, writes } = execution;
  const { session } = tx;
  if (writes) session.savepoint();
  const outcome = guarded(() => run(activation)) ?? {
    is: "fault" as const,
    message: "the steps end without an answer",
  };
  const settled = challenged(executor, execution, settle(executor, execution, outcome));
  const answered = stated(executor, execution, undoing(executor, execution, settled));
  if (writes) {
    if (answered.commit) {
      tx.flush();
      session.release();
    } else session.rollback();
  }
  return outcomeOf(executor, execution, answered);
}

/** The outcome of an answer that the host has made, with the headers that every answer has. */
export function headed(
  executor: Executor,
  execution: Execution,
  { response, gap }: Pick<HostAnswer, "response" | "gap">,
): Outcome {
  const effects = gap === undefined ? {} : { gap: gapMet(executor.services.model, gap) };
  const answered = stated(executor, execution, { response, commit: false, effects });
  return outcomeOf(executor, execution, answered);
}

function outcomeOf(executor: Executor, { tx }: Execution, answered: Answered): Outcome {
  const { caller, answeredBy, conditions } = tx;
  return {
    response: finished(executor.services, answered.response),
    commit: answered.commit,
    effects: effectsOf(tx, answered),
    ...(answeredBy === undefined ? {} : { error: answeredBy }),
    ...(conditions === undefined ? {} : { conditions }),
    ...(caller === null ? {} : { caller: { resource: caller.resource, key: caller.key } }),
  };
}
