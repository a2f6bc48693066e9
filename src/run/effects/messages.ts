/** Makes the messages of an event, in the transaction of its cause: who receives what. */
import { rename } from "../../expr/index.ts";
import type { Event, ItemId, Webhook } from "../../plan/index.ts";
import { makeId } from "../chance/random.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Emitted, Row, Value } from "../ports/index.ts";
import { findRows } from "../query/expression.ts";
import { parseJson } from "../wire/parse.ts";

type Addressed = NonNullable<Emitted["messages"]>[number];

/** The messages of one webhook for a row that an event is about. */
type Make = (work: Transaction, row: Row, data: Value) => readonly Addressed[];

/** Questions of a webhook on which every delivery depends. */
function gapOf(webhook: Webhook): ItemId | undefined {
  const { receivers, address, sends, signature, delivered, attempts } = webhook;
  for (const answer of [receivers, address, sends, signature, delivered, attempts]) {
    if (answer.is === "gap") return answer.gap;
  }
  return undefined;
}

function compileWebhook(kit: CompilerServices, webhook: Webhook, event: Event): Make | undefined {
  const { receivers, sends } = webhook;
  if (receivers.is !== "stated" || sends.is !== "stated") return undefined;
  const unit = new Scope(kit.model);
  const [about, name] = [unit.slot("#about"), unit.slot("event")];
  const { resource, byAbout } = receivers.value;
  const where = byAbout?.[event.about] ?? receivers.value.where;
  const condition = rename(rename(where.code, "it", "#about"), "receiver", "it");
  const finder = findRows(unit, resource, [condition]);
  const shape = kit.shape(sends.value.shape);
  return (work, row, data) => {
    const frame = new Activation(unit, work);
    // Who receives does not depend on what the caller may see.
    frame.set(1, true);
    frame.set(about, row);
    frame.set(name, event.name);
    return finder.rows(frame).map((receiver) => {
      const { now } = work.ambient;
      const message = `msg_${makeId(work.ambient)}`;
      const given = { event: event.name, data, sent: now, delivery: message };
      const body = shape.given(work, new Map(Object.entries(given)));
      return { webhook: webhook.name, receiver: receiver.key, name: message, body };
    });
  };
}

/** What an event sends, with the gaps that keep some of it from being sent. */
export type EventMessages = (
  work: Transaction,
  row: Row,
  data: string | null,
) => Pick<Emitted, "messages" | "blocked">;

/** Compiles what an event sends by webhooks; undefined where it sends nothing. */
export function compileMessages(kit: CompilerServices, event: Event): EventMessages | undefined {
  const sent = event.sentTo.is === "stated" ? event.sentTo.value : [];
  const webhooks = sent.flatMap(({ to, name }) =>
    to === "webhook" ? kit.model.plan.webhooks.filter((one) => one.name === name) : [],
  );
  if (webhooks.length === 0) return undefined;
  const blocked = webhooks.flatMap((one) => gapOf(one) ?? []);
  const makes = webhooks
    .filter((one) => gapOf(one) === undefined)
    .flatMap((one) => compileWebhook(kit, one, event) ?? []);
  return (work, row, data) => {
    const parsed = data === null ? undefined : parseJson(data);
    const value = parsed?.ok ? (parsed.value as Value) : null;
    return { messages: makes.flatMap((make) => make(work, row, value)), blocked };
  };
}
