/** Makes the messages of an event, in the transaction of its cause: who receives what. */
import { freeNames, rename } from "../../expr/index.ts";
import { type Event, type ItemId, isStated, statedOf, type Webhook } from "../../plan/index.ts";
import { makeId } from "../chance/random.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Addressed, Emitted, Row, Value } from "../ports/index.ts";
import { findRows } from "../query/expression.ts";
import { parseJson } from "../wire/parse.ts";

/** The messages of one webhook for a row that an event is about. */
type Make = (tx: Transaction, row: Row, data: Value) => readonly Addressed[];

/** Questions of a webhook on which every delivery depends. */
function gapOf(webhook: Webhook): ItemId | undefined {
  const { receivers, address, sends, signature, delivered, attempts, guarantee, order } = webhook;
  const headers = (webhook.headers ?? []).map(({ value }) => value);
  const asked = [receivers, address, sends, signature, ...headers, delivered, attempts, guarantee];
  for (const answer of asked) {
    if (answer.is === "gap") return answer.gap;
  }
  // Of a message that may arrive but once it is not kept whether it is under way.
  const isKept = statedOf(guarantee) !== "at most once";
  return order.is === "gap" && !isKept ? order.gap : undefined;
}

/** Whether a shape says the same to all receivers: nothing of it names the delivery, or is free. */
function isSameForAll({ model }: CompilerServices, name: string): boolean {
  const fields = model.shapes.get(name)?.fields;
  return (
    fields?.every(
      ({ value }) =>
        value.is === "none" || (isStated(value) && !freeNames(value.value.code).has("delivery")),
    ) === true
  );
}

function compileWebhook(
  services: CompilerServices,
  webhook: Webhook,
  event: Event,
): Make | undefined {
  const { receivers, sends, order } = webhook;
  const beside = order.is === "gap" ? { unordered: order.gap } : {};
  if (!isStated(receivers) || !isStated(sends)) return undefined;
  const scope = new Scope(services.model);
  const [about, name] = [scope.slot("#about"), scope.slot("event")];
  const { resource, byAbout } = receivers.value;
  const where = byAbout?.[event.about] ?? receivers.value.where;
  const condition = rename(rename(where.code, "it", "#about"), "receiver", "it");
  const finder = findRows(scope, resource, [condition]);
  const shape = services.shape(sends.value.shape);
  const isForAll = isSameForAll(services, sends.value.shape);
  return (tx, row, data) => {
    const activation = new Activation(scope, tx);
    // Who receives does not depend on what the caller may see.
    activation.set(1, true);
    activation.set(about, row);
    activation.set(name, event.name);
    let body: string | undefined;
    return finder.rows(activation).map((receiver) => {
      const { now } = tx.ambient;
      const message = `msg_${makeId(tx.ambient)}`;
      if (body === undefined || !isForAll) {
        const given = { event: event.name, data, sent: now, delivery: message };
        body = shape.given(tx, new Map(Object.entries(given)));
      }
      const to = { webhook: webhook.name, receiver: receiver.key };
      return { ...to, name: message, body, event: event.name, ...beside };
    });
  };
}

/** What an event sends, with the gaps that keep some of it from being sent. */
type EventMessages = (
  tx: Transaction,
  row: Row,
  data: string | null,
) => Pick<Emitted, "messages" | "blocked">;

/** Compiles what an event sends by webhooks; undefined where it sends nothing. */
export function compileMessages(
  services: CompilerServices,
  event: Event,
): EventMessages | undefined {
  const sent = statedOf(event.sentTo) ?? [];
  const webhooks = sent.flatMap(({ to, name }) =>
    to === "webhook" ? services.model.plan.webhooks.filter((one) => one.name === name) : [],
  );
  if (webhooks.length === 0) return undefined;
  const blocked = webhooks.flatMap((one) => gapOf(one) ?? []);
  const makes = webhooks
    .filter((one) => gapOf(one) === undefined)
    .flatMap((one) => compileWebhook(services, one, event) ?? []);
  return (tx, row, data) => {
    const parsed = data === null ? undefined : parseJson(data);
    const value = parsed?.ok ? (parsed.value as Value) : null;
    return { messages: makes.flatMap((make) => make(tx, row, value)), blocked };
  };
}
