/** Runs compiled steps in a savepoint and makes the outcome of how they ended. */

import type { Endpoint } from "../../plan/index.ts";
import { challenges } from "../answers/challenge.ts";
import { errorResponse } from "../answers/error.ts";
import { failuresResponse } from "../answers/failure.ts";
import { gapMet, gapResponse, noCodeResponse, unsupportedResponse } from "../answers/gap.ts";
import type { CompilerServices, Run } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import { undoneGap } from "../effects/answered-call.ts";
import { EvaluationFault, GapFault } from "../evaluate/index.ts";
import {
  type Effects,
  isStoreFault,
  type Late,
  type Outcome,
  type Response,
} from "../ports/index.ts";

export interface Executor {
  readonly kit: CompilerServices;
  /** Judges the invariants of everything that was touched. */
  readonly judge: (work: Transaction) => StepOutcome | undefined;
}

export interface Execution {
  readonly work: Transaction;
  readonly endpoint: Endpoint | undefined;
  /** Whether it may write: then it runs in a savepoint of its own. */
  readonly writes: boolean;
}

/** Runs steps; what is thrown on the way becomes an ending. */
export function guarded(run: () => StepOutcome | undefined): StepOutcome | undefined {
  try {
    return run();
  } catch (thrown) {
    if (thrown instanceof Stop) return thrown.ending;
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
  const { kit } = executor;
  const { work, endpoint } = execution;
  const failures = [{ condition: "fault inside" as const, field: null, in: "request" as const }];
  const effects = { fault: message };
  let found: Response | StepOutcome | undefined;
  const ending =
    guarded(() => {
      found = failuresResponse(kit, work, { endpoint, failures });
      return undefined;
    }) ?? (found !== undefined && "is" in found ? found : undefined);
  if (ending === undefined && found !== undefined && !("is" in found)) {
    return { response: found, commit: false, effects };
  }
  const gap = gapMet(kit.model, ending?.is === "gap" ? ending.gap : "failures/fault inside");
  return { response: gapResponse(gap), commit: false, effects: { ...effects, gap } };
}

/** The ending of a request whose time to answer has passed. */
export function refusedAs(
  kit: CompilerServices,
  work: Transaction,
  refusal: Exclude<Late, string>,
): StepOutcome {
  const unit = new Scope(kit.model);
  const ending = kit.refusal(unit, refusal)(new Activation(unit, work));
  // What took too long may be tried again at once.
  return ending.is === "error" && refusal.retryAfter ? { ...ending, retryAfter: "0" } : ending;
}

function lateness({ work }: Execution, kit: CompilerServices): StepOutcome | undefined {
  const late = work.ambient.hooks.late?.();
  if (late === undefined || late !== "time passed") return late && refusedAs(kit, work, late);
  return { is: "failures", failures: [{ condition: late, field: null, in: "request" }] };
}

/** Makes the answer of an ending; may give another ending met while writing it. */
function answer(
  executor: Executor,
  execution: Execution,
  ending: StepOutcome,
): Answered | StepOutcome {
  const { kit } = executor;
  const { work, endpoint } = execution;
  if (ending.is !== "response") work.answeredBy = undefined;
  switch (ending.is) {
    case "response": {
      const broken = work.touched.size === 0 ? undefined : executor.judge(work);
      if (broken !== undefined) return broken;
      const response = ending.write();
      return lateness(execution, kit) ?? { response, commit: true };
    }
    case "error": {
      const broken = ending.keep && work.touched.size > 0 ? executor.judge(work) : undefined;
      if (broken !== undefined) return broken;
      return {
        commit: ending.keep,
        response: errorResponse(kit, work, { ending, field: ending.on, failures: [], headers: [] }),
      };
    }
    case "failures": {
      const found = failuresResponse(kit, work, { endpoint, failures: ending.failures });
      if (found === undefined) return { is: "fault", message: "failures that are all ignored" };
      return "is" in found ? found : { response: found, commit: false };
    }
    case "gap": {
      const gap = gapMet(kit.model, ending.gap);
      return { response: gapResponse(gap), commit: false, effects: { gap } };
    }
    case "unasked":
      return {
        response: unsupportedResponse(ending.asking.step),
        commit: false,
        effects: { asking: ending.asking },
      };
    case "no code":
      return {
        response: noCodeResponse(ending.name),
        commit: false,
        effects: { unsupported: ending.call },
      };
    case "unsupported":
      return {
        response: unsupportedResponse(ending.item),
        commit: false,
        effects: { unsupported: ending.item },
      };
    case "fault":
      return faultAnswer(executor, execution, ending.message);
  }
}

const REWRITES_MAX = 4;

/** Answers an ending, and those met while answering, at most a few times. */
function settle(executor: Executor, execution: Execution, first: StepOutcome): Answered {
  let ending: StepOutcome = first;
  for (let i = 0; i < REWRITES_MAX; i++) {
    let made: Answered | StepOutcome | undefined;
    const met = guarded(() => {
      made = answer(executor, execution, ending);
      return undefined;
    });
    const found: Answered | StepOutcome | undefined = met ?? made;
    if (found !== undefined && !("is" in found)) return found;
    if (found !== undefined) ending = found;
  }
  return faultAnswer(executor, execution, "answers that lead to one another");
}

/** A refused work whose calls would have to be undone meets the gap of how, where that is one. */
function undoing(executor: Executor, execution: Execution, answered: Answered): Answered {
  const isOver = answered.effects?.asking === undefined;
  if (answered.commit || !isOver || execution.work.called.length === 0) return answered;
  const gap = undoneGap(executor.kit.model, execution.work);
  return gap === undefined ? answered : settle(executor, execution, gap);
}

function effectsOf(work: Transaction, answered: Answered): Effects {
  const kept = answered.commit;
  return {
    events: kept ? work.events : [],
    timersChanged: kept && work.timersChanged,
    freedoms: [...work.freedoms],
    called: kept ? work.called.map((one) => one.key) : [],
    ...answered.effects,
  };
}

/** Adds what HTTP demands of an answer with this status (RFC 9110 section 11.6.1). */
function finished(kit: CompilerServices, response: Response): Response {
  if (response.status !== 401) return response;
  const added = challenges(kit.model.plan).map((one) => ["WWW-Authenticate", one] as const);
  return { ...response, headers: [...response.headers, ...added] };
}

/** Runs steps in the frame to an outcome; the savepoint is kept or undone accordingly. */
export function execute(
  executor: Executor,
  execution: Execution,
  frame: Activation,
  run: Run,
): Outcome {
  const { work, writes } = execution;
  const { session } = work;
  if (writes) session.savepoint();
  const ending = guarded(() => run(frame)) ?? {
    is: "fault" as const,
    message: "the steps end without an answer",
  };
  const answered = undoing(executor, execution, settle(executor, execution, ending));
  if (writes) {
    if (answered.commit) {
      work.flush();
      session.release();
    } else session.rollback();
  }
  const { caller, answeredBy } = work;
  return {
    response: finished(executor.kit, answered.response),
    commit: answered.commit,
    effects: effectsOf(work, answered),
    ...(answeredBy === undefined ? {} : { error: answeredBy }),
    ...(caller === null ? {} : { caller: { resource: caller.resource, key: caller.key } }),
  };
}
