/** What a webhook states about an attempt and about what follows it, over the receiver's row. */
import { durationOf, type ItemId, type Step, type Webhook } from "../../plan/index.ts";
import { gapMet } from "../answers/gap.ts";
import type { CompilerServices, Run } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import { Transaction } from "../context/transaction.ts";
import { unmet } from "../effects/answered-call.ts";
import type {
  Ambient,
  Attempt,
  Deliveries,
  Effects,
  Receiver,
  Row,
  Session,
  Value,
} from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { contentTypeOf } from "../show/headers.ts";
import { type Executor, guarded } from "./execute.ts";
import { attempt as inSavepoint } from "./timed.ts";

interface Compiled {
  readonly webhook: Webhook;
  readonly resource: string;
  readonly unit: Scope;
  readonly slot: number;
  readonly address: (frame: Activation) => Value;
  readonly secret: ((frame: Activation) => Value) | undefined;
  readonly onStatus: ReadonlyMap<number, Run>;
  readonly afterLast: Run | ItemId | undefined;
}

function compileSteps(kit: CompilerServices, unit: Scope, steps: readonly Step[]): Run {
  return kit.steps({ kit, unit, endpoint: undefined, lists: new Map() }, steps);
}

function compileWebhook(kit: CompilerServices, webhook: Webhook): Compiled | undefined {
  const { receivers, address, signature, afterLast, onStatus } = webhook;
  if (receivers.is !== "stated" || address.is !== "stated") return undefined;
  const unit = new Scope(kit.model);
  const slot = unit.slot("receiver");
  return {
    webhook,
    unit,
    slot,
    resource: receivers.value.resource,
    address: compileExpression(unit, address.value),
    secret: signature.is === "stated" ? compileExpression(unit, signature.value.secret) : undefined,
    onStatus: new Map(onStatus.map((one) => [one.status, compileSteps(kit, unit, one.then)])),
    afterLast:
      afterLast.is === "stated"
        ? compileSteps(kit, unit, afterLast.value)
        : afterLast.is === "gap"
          ? afterLast.gap
          : undefined,
  };
}

interface Settling {
  readonly executor: Executor;
  readonly session: Session;
  readonly ambient: Ambient;
}

function frameOf(compiled: Compiled, work: Transaction, row: Row): Activation {
  const frame = new Activation(compiled.unit, work);
  frame.set(compiled.slot, row);
  return frame;
}

/** What the next attempt is: read when it is made, for the receiver may have changed. */
function attemptOf(
  kit: CompilerServices,
  compiled: Compiled,
  work: Transaction,
  row: Row,
): Attempt {
  const { webhook, secret } = compiled;
  const { sends, delivered } = webhook;
  if (sends.is !== "stated" || delivered.is !== "stated") return { is: "gone" };
  let made: Attempt = { is: "gone" };
  const ending = guarded(() => {
    const frame = frameOf(compiled, work, row);
    const { contentType } = kit.shape(sends.value.shape);
    const key = secret?.(frame);
    made = {
      is: "request",
      method: sends.value.method,
      address: String(compiled.address(frame)),
      contentType: contentTypeOf(kit, contentType),
      withinMicros: durationOf(delivered.value.within),
      ...(typeof key === "string" ? { secret: key } : {}),
    };
    return undefined;
  });
  return ending === undefined ? made : { is: "blocked", effects: failed(kit, ending) };
}

function failed(kit: CompilerServices, ending: StepOutcome | "refused"): Effects {
  const { model } = kit;
  const none = { events: [], timersChanged: false, freedoms: [] };
  if (ending === "refused") return none;
  if (ending.is === "gap") {
    return { ...none, gap: gapMet(model, ending.gap) };
  }
  if (ending.is === "unsupported") return { ...none, unsupported: ending.item };
  const met = unmet(kit, ending);
  if (met !== undefined) return { ...none, ...met };
  if (ending.is === "error") {
    return { ...none, fault: `a delivery's steps refuse: ${ending.error}` };
  }
  return { ...none, fault: ending.is === "fault" ? ending.message : "a delivery made an answer" };
}

function runSteps(
  { executor, session, ambient }: Settling,
  compiled: Compiled,
  row: Row,
  run: Run,
): Effects {
  const work = new Transaction({ model: executor.kit.model, session, ambient });
  const mine = work.identify(row);
  const ending = inSavepoint(executor, work, () => run(frameOf(compiled, work, mine)));
  if (ending !== undefined) return failed(executor.kit, ending);
  return {
    events: work.events,
    timersChanged: true,
    freedoms: [...work.freedoms],
    called: work.called.map((one) => one.key),
  };
}

/** Compiles the webhooks of a plan, each when it is first needed. */
export function compileDeliveries(executor: Executor): Deliveries {
  const { kit } = executor;
  const known = new Map<string, Compiled | undefined>();
  const of = ({ webhook: name }: Receiver): Compiled | undefined => {
    if (!known.has(name)) {
      const webhook = kit.model.plan.webhooks.find((one) => one.name === name);
      known.set(name, webhook && compileWebhook(kit, webhook));
    }
    return known.get(name);
  };
  return {
    attempt: (receiver, session, ambient) => {
      const compiled = of(receiver);
      if (compiled === undefined) return { is: "gone" };
      const work = new Transaction({ model: kit.model, session, ambient });
      const row = work.get(compiled.resource, receiver.receiver);
      return row === undefined ? { is: "gone" } : attemptOf(kit, compiled, work, row);
    },
    answered: (receiver, status, session, ambient) => {
      const compiled = of(receiver);
      const run = compiled?.onStatus.get(status);
      const row = compiled && session.get(compiled.resource, receiver.receiver);
      if (compiled === undefined || run === undefined) return undefined;
      if (row === undefined) return failed(kit, "refused");
      return runSteps({ executor, session, ambient }, compiled, row, run);
    },
    givenUp: (receiver, session, ambient) => {
      const compiled = of(receiver);
      const run = compiled?.afterLast;
      const row = compiled && session.get(compiled.resource, receiver.receiver);
      if (typeof run === "string") return failed(kit, { is: "gap", gap: run });
      if (compiled === undefined || run === undefined || row === undefined) {
        return failed(kit, "refused");
      }
      return runSteps({ executor, session, ambient }, compiled, row, run);
    },
  };
}
