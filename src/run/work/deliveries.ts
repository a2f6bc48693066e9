/** What a webhook states about an attempt and about what follows it, over the receiver's row. */
import {
  afterLastItem,
  answerItem,
  durationOf,
  gapOf,
  type ItemId,
  isStated,
  type Step,
  type Webhook,
} from "../../plan/index.ts";
import { gapMet } from "../answers/gap.ts";
import type { CompilerServices, Run } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { mark } from "../context/row-marks.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import { Transaction } from "../context/transaction.ts";
import { unmet } from "../effects/answered-call.ts";
import type {
  Ambient,
  Attempt,
  Deliveries,
  Effects,
  Message,
  Receiver,
  Row,
  Session,
  Value,
} from "../ports/index.ts";
import { compileExpression } from "../query/expression.ts";
import { contentTypeOf } from "../show/headers.ts";
import { type Executor, guarded } from "./execute.ts";
import { compileHeaders, type Headers, MessageSlots } from "./signing.ts";
import { attempt as inSavepoint } from "./timed.ts";

interface Compiled {
  readonly webhook: Webhook;
  readonly resource: string;
  readonly scope: Scope;
  readonly slot: number;
  readonly address: (activation: Activation) => Value;
  readonly secret: ((activation: Activation) => Value) | undefined;
  readonly headers: (activation: Activation) => Headers;
  readonly message: MessageSlots;
  readonly onStatus: ReadonlyMap<number, Run>;
  readonly afterLast: Run | ItemId | undefined;
}

function compileSteps(services: CompilerServices, scope: Scope, steps: readonly Step[]): Run {
  return services.steps({ services, scope, endpoint: undefined, lists: new Map() }, steps);
}

function compileWebhook(services: CompilerServices, webhook: Webhook): Compiled | undefined {
  const { receivers, address, signature, afterLast, onStatus } = webhook;
  if (!isStated(receivers) || !isStated(address)) return undefined;
  const scope = new Scope(services.model);
  const slot = scope.slot("receiver");
  const message = new MessageSlots(scope);
  return {
    webhook,
    scope,
    slot,
    resource: receivers.value.resource,
    address: compileExpression(scope, address.value),
    secret:
      isStated(signature) && signature.value.form !== "HMAC"
        ? compileExpression(scope, signature.value.secret)
        : undefined,
    headers: compileHeaders(scope, webhook),
    message,
    onStatus: new Map(onStatus.map((one) => [one.status, compileSteps(services, scope, one.then)])),
    afterLast: isStated(afterLast)
      ? compileSteps(services, scope, afterLast.value)
      : gapOf(afterLast),
  };
}

interface Settling {
  readonly executor: Executor;
  readonly session: Session;
  readonly ambient: Ambient;
}

function activationOf(compiled: Compiled, tx: Transaction, row: Row): Activation {
  return new Activation(compiled.scope, tx).set(compiled.slot, row);
}

/** What the next attempt is: read when it is made, for the receiver may have changed. */
function attemptOf(
  services: CompilerServices,
  compiled: Compiled,
  tx: Transaction,
  { row, message }: { readonly row: Row; readonly message: Message },
): Attempt {
  const { webhook, secret } = compiled;
  const { sends, delivered } = webhook;
  if (!isStated(sends) || !isStated(delivered)) return { is: "gone" };
  let made: Attempt = { is: "gone" };
  const outcome = guarded(() => {
    const activation = activationOf(compiled, tx, row);
    compiled.message.fill(activation, message);
    const { contentType } = services.shape(sends.value.shape);
    const key = secret?.(activation);
    made = {
      is: "request",
      method: sends.value.method,
      address: String(compiled.address(activation)),
      contentType: contentTypeOf(services, contentType),
      withinMicros: durationOf(delivered.value.within),
      ...(typeof key === "string" ? { secret: key } : {}),
      ...(webhook.headers === undefined ? {} : { headers: compiled.headers(activation) }),
    };
    return undefined;
  });
  return outcome === undefined ? made : { is: "blocked", effects: failed(services, outcome) };
}

function failed(services: CompilerServices, outcome: StepOutcome | "refused"): Effects {
  const { model } = services;
  const none = { events: [], timersChanged: false, freedoms: [] };
  if (outcome === "refused") return none;
  if (outcome.is === "gap") {
    return { ...none, gap: gapMet(model, outcome.gap) };
  }
  if (outcome.is === "unsupported") return { ...none, unsupported: outcome.item };
  const met = unmet(services, outcome);
  if (met !== undefined) return { ...none, ...met };
  if (outcome.is === "error") {
    return { ...none, fault: `a delivery's steps refuse: ${outcome.error}` };
  }
  return { ...none, fault: outcome.is === "fault" ? outcome.message : "a delivery made an answer" };
}

/** Marks the receiver, of which it is not known what was to be done to it, where that met a gap. */
function marking(
  { executor, session, ambient }: Settling,
  { row: { resource, key }, item }: { readonly row: Row; readonly item: ItemId },
  effects: Effects,
): Effects {
  const row = session.get(resource, key);
  if (effects.gap === undefined || row === undefined) return effects;
  const info = executor.services.model.info(resource);
  mark(session, { info, row, over: { item, at: ambient.now } }, effects.gap.id);
  return { ...effects, timersChanged: true };
}

function runSteps(
  settling: Settling,
  compiled: Compiled,
  { row, run, item }: { readonly row: Row; readonly run: Run; readonly item: ItemId },
): Effects {
  const { executor, session, ambient } = settling;
  const tx = new Transaction({ model: executor.services.model, session, ambient });
  const mine = tx.identify(row);
  const outcome = inSavepoint(executor, tx, () => run(activationOf(compiled, tx, mine)));
  if (outcome !== undefined) {
    return marking(settling, { row, item }, failed(executor.services, outcome));
  }
  return {
    events: tx.events,
    timersChanged: true,
    freedoms: [...tx.freedoms],
    called: tx.called.map((one) => one.key),
  };
}

/** Compiles the webhooks of a plan, each when it is first needed. */
export function compileDeliveries(executor: Executor): Deliveries {
  const { services } = executor;
  const known = new Map<string, Compiled | undefined>();
  const of = ({ webhook: name }: Receiver): Compiled | undefined => {
    if (!known.has(name)) {
      const webhook = services.model.plan.webhooks.find((one) => one.name === name);
      known.set(name, webhook && compileWebhook(services, webhook));
    }
    return known.get(name);
  };
  return {
    attempt: (message, session, ambient) => {
      const compiled = of(message);
      if (compiled === undefined) return { is: "gone" };
      const tx = new Transaction({ model: services.model, session, ambient });
      const row = tx.get(compiled.resource, message.receiver);
      return row === undefined
        ? { is: "gone" }
        : attemptOf(services, compiled, tx, { row, message });
    },
    answered: (receiver, status, session, ambient) => {
      const compiled = of(receiver);
      const run = compiled?.onStatus.get(status);
      const row = compiled && session.get(compiled.resource, receiver.receiver);
      if (compiled === undefined || run === undefined) return undefined;
      if (row === undefined) return failed(services, "refused");
      const item = answerItem(compiled.webhook, status);
      return runSteps({ executor, session, ambient }, compiled, { row, run, item });
    },
    givenUp: (receiver, session, ambient) => {
      const compiled = of(receiver);
      const run = compiled?.afterLast;
      const row = compiled && session.get(compiled.resource, receiver.receiver);
      if (compiled === undefined || run === undefined || row === undefined) {
        return failed(services, "refused");
      }
      const settling = { executor, session, ambient };
      const item = afterLastItem(compiled.webhook);
      if (typeof run !== "string") return runSteps(settling, compiled, { row, run, item });
      return marking(settling, { row, item }, failed(services, { is: "gap", gap: run }));
    },
  };
}
