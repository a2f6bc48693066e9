/** Compiles a plan to a program: everything resolved once, a request only runs closures. */
import { isStated, type Plan, statedOf, withClocks } from "../../plan/index.ts";
import { failuresResponse } from "../answers/failure.ts";
import { Activation, Scope } from "../context/activation.ts";
import { type Model, modelOf } from "../context/model.ts";
import { type StepOutcome, Stop } from "../context/step-outcome.ts";
import { Transaction } from "../context/transaction.ts";
import type {
  Ambient,
  Failure,
  Fired,
  FiringHost,
  HostAnswer,
  Invocation,
  Outcome,
  Program,
  ProgramOptions,
  Row,
  Session,
} from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { anyDue, compileTimers, dueAt, nextDue, type Timers } from "../states/timers.ts";
import { compileDeliveries } from "../work/deliveries.ts";
import { type Executor, execute, headed, refusedAs } from "../work/execute.ts";
import { answered } from "../work/long-calls.ts";
import { compileStreams } from "../work/streams.ts";
import { fireAll } from "../work/timed.ts";
import { adding } from "./adding.ts";
import { type CompiledEndpoint, compileEndpoint, endpointWrites } from "./endpoint.ts";
import { compileKept } from "./kept.ts";
import { print } from "./printed.ts";
import { compileRoutes } from "./routes.ts";
import { servicesOf } from "./services-of.ts";
import { retry, start } from "./start.ts";

/** Gives the text of a new token for a row, which is read as the work sees it. */
type Issue = (tx: Transaction) => (row: Row) => string | undefined;

/** Issues tokens by the first scheme that has tokens, in the order of the document. */
function issuer(model: Model): Issue | undefined {
  const scheme = model.plan.schemes.find(
    ({ credential }) => credential.is === "gap" || statedOf(credential)?.is === "jwt",
  );
  if (scheme === undefined) return undefined;
  const { credential, subject: whose } = scheme;
  if (credential.is === "gap") return () => () => stop({ is: "gap", gap: credential.gap });
  if (whose.is === "gap") return () => () => stop({ is: "gap", gap: whose.gap });
  const scope = new Scope(model);
  const it = scope.slot("it");
  const subject = isStated(whose) ? compileExpression(scope, whose.value) : undefined;
  return (tx) => (row) => {
    const { ambient } = tx;
    const activation = new Activation(scope, tx).set(it, row);
    const value = subject?.(activation);
    const issued = ambient.hooks.issue?.(
      scheme,
      value === undefined ? undefined : String(value),
      ambient,
    );
    return typeof issued === "object" ? stop(issued) : issued;
  };
}

function stop(outcome: StepOutcome): never {
  throw new Stop(outcome);
}

/** The compiled parts of a program, made when they are first asked for. */
class Compiled {
  readonly plan: Plan;
  readonly model: Model;
  readonly executor: Executor;
  readonly issue: Issue | undefined;
  readonly #endpoints: (CompiledEndpoint | undefined)[] = [];
  readonly writes: readonly boolean[];
  readonly #blank: Scope;
  #timers: Timers | undefined;

  constructor(stated: Plan, options: ProgramOptions) {
    const plan = withClocks(stated);
    this.plan = plan;
    this.model = modelOf(plan, options);
    const services = servicesOf(this.model);
    this.executor = { services, judge: (tx) => services.judge(tx, tx.touched.values()) };
    this.issue = issuer(this.model);
    this.writes = plan.endpoints.map((one) => endpointWrites(plan, one));
    this.#blank = new Scope(this.model);
  }

  endpoint(index: number): CompiledEndpoint {
    const known = this.#endpoints[index];
    if (known !== undefined) return known;
    const endpoint = this.plan.endpoints[index];
    if (endpoint === undefined) throw new Error(`the plan has no endpoint ${index}`);
    const made = compileEndpoint(this.executor.services, endpoint);
    this.#endpoints[index] = made;
    return made;
  }

  get timers(): Timers {
    this.#timers ??= compileTimers(this.executor.services);
    return this.#timers;
  }

  execute(invocation: Invocation, session: Session, ambient: Ambient): Outcome {
    const { endpoint, scope, run } = this.endpoint(invocation.endpoint);
    const tx = new Transaction({ model: this.model, session, ambient, invocation });
    tx.issueToken = this.issue?.(tx);
    const writes = this.writes[invocation.endpoint] === true;
    return execute(this.executor, { tx, endpoint, writes }, new Activation(scope, tx), run);
  }

  fail(failure: Failure, session: Session, ambient: Ambient): Outcome {
    const { condition, allow, refusal } = failure;
    const endpoint = this.plan.endpoints[failure.endpoint ?? -1];
    const headers = allow === undefined ? [] : [["Allow", allow.join(", ")] as const];
    const { asked } = failure;
    const tx = new Transaction({ model: this.model, session, ambient, asked });
    const execution = { tx, endpoint, writes: false };
    return execute(this.executor, execution, new Activation(this.#blank, tx), () => {
      if (refusal !== undefined) return refusedAs(this.executor.services, tx, refusal);
      const failures = [{ condition, field: null, in: "request" as const }];
      const found = failuresResponse(this.executor.services, tx, { endpoint, failures, headers });
      if (found === undefined) return { is: "gap", gap: `failures/${condition}`, silent: true };
      return "is" in found ? found : { is: "response", write: () => found };
    });
  }

  headed({ endpoint, asked, ...answer }: HostAnswer, session: Session, ambient: Ambient): Outcome {
    const tx = new Transaction({ model: this.model, session, ambient, asked });
    const about = this.plan.endpoints[endpoint ?? -1];
    return headed(this.executor, { tx, endpoint: about, writes: false }, answer);
  }

  fireDue(
    session: Session,
    ambient: Ambient,
    countMax: number,
    host?: FiringHost,
  ): readonly Fired[] {
    const clock = { now: ambient.now, countMax, chooser: ambient.chooser, host };
    const due = dueAt(this.executor.services, this.timers, session, clock);
    return fireAll({ executor: this.executor, session, ambient }, due, host);
  }
}

/** Compiles a plan. Endpoints are compiled when they are first called. */
export function compile(plan: Plan, options: ProgramOptions = {}): Program {
  const compiled = new Compiled(plan, options);
  const {
    executor: { services },
  } = compiled;
  return {
    endpoints: plan.endpoints.map(({ id, method }, i) => ({
      id,
      method,
      writes: compiled.writes[i] === true,
    })),
    match: compileRoutes(plan),
    execute: (invocation, session, ambient) => compiled.execute(invocation, session, ambient),
    fail: (failure, session, ambient) => compiled.fail(failure, session, ambient),
    headed: (answer, session, ambient) => compiled.headed(answer, session, ambient),
    anyDue: (session, now) => anyDue(services, compiled.timers, session, now),
    nextDue: (session, after = -(2n ** 62n)) => nextDue(services, compiled.timers, session, after),
    fireDue: (session, ambient, countMax, host) =>
      compiled.fireDue(session, ambient, countMax, host),
    answered: (answer, session, ambient) =>
      answered(compiled.executor, answer, { session, ambient }),
    deliveries: compileDeliveries(compiled.executor),
    streams: compileStreams(services),
    retry: (session, ambient, given) => retry(services, session, ambient, given),
    adding: (session, ambient, resource) => adding(services, session, ambient, resource),
    print: (session, ambient, resource) => print(services, session, ambient, resource),
    kept: (ambient) => compileKept(services, ambient),
    start: (session, ambient, options) => start(services, session, ambient, options),
  };
}
