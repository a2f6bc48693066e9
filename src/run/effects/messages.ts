/** Makes the messages of an event, in the transaction of its cause: who receives what. */
import { freeNames, rename } from "../../expr/index.ts";
import { type Event, type ItemId, isStated, statedOf, type Webhook } from "../../plan/index.ts";
import { makeId } from "../chance/random.ts";
import type { CompilerServices, ShapeWriter } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Addressed, Emitted, Row, Value } from "../ports/index.ts";
import { findRows } from "../query/expression.ts";
import { parseJson } from "../wire/parse.ts";

/** The messages of one webhook for a row that an event is about. */
type Make = (tx: Transaction, happening: Happening) => readonly Addressed[];

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

/** Whether a value of the shape names one of these. */
function names({ model }: CompilerServices, shape: string, ...wanted: readonly string[]): boolean {
  const fields = model.shapes.get(shape)?.fields ?? [];
  return fields.some(
    ({ value }) =>
      isStated(value) && [...freeNames(value.value.code)].some((one) => wanted.includes(one)),
  );
}

/** Whether a shape says the same to all receivers: nothing of it names one of them, or is free. */
function isSameForAll(services: CompilerServices, name: string): boolean {
  const fields = services.model.shapes.get(name)?.fields;
  const isSettled = fields?.every(({ value }) => value.is === "none" || isStated(value)) === true;
  return isSettled && !names(services, name, "delivery", "receiver");
}

/** What is sent of one event, to whomever: it has one name. */
class Happening {
  readonly row: Row;
  readonly data: Value;
  #id: string | undefined;

  constructor(row: Row, data: Value) {
    this.row = row;
    this.data = data;
  }

  /** Made when something first asks for it. */
  id(tx: Transaction): string {
    this.#id ??= `evt_${idOf(tx)}`;
    return this.#id;
  }
}

/** An id that nothing else has. */
function idOf({ ambient }: Transaction): string {
  return ambient.make?.("id") ?? makeId(ambient);
}

/** The body of a message: nobody asks for it, so that nothing is shown to a caller alone. */
function written(
  tx: Transaction,
  shape: ShapeWriter,
  given: Readonly<Record<string, Value>>,
): string {
  const before = tx.telling;
  tx.telling = true;
  try {
    return shape.given(tx, new Map(Object.entries(given)));
  } finally {
    tx.telling = before;
  }
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
  const shape = services.message(sends.value.shape, event.about);
  const isForAll = isSameForAll(services, sends.value.shape);
  const isNamed = names(services, sends.value.shape, "event_id");
  return (tx, happening) => {
    const { row, data } = happening;
    const activation = new Activation(scope, tx);
    // Who receives does not depend on what the caller may see.
    activation.set(1, true);
    activation.set(about, row);
    activation.set(name, event.name);
    let body: string | undefined;
    return finder.rows(activation).map((receiver) => {
      const { now } = tx.ambient;
      const message = `msg_${idOf(tx)}`;
      if (body === undefined || !isForAll) {
        const id = isNamed ? { event_id: happening.id(tx) } : {};
        const told = { event: event.name, data, sent: now, delivery: message, ...id };
        body = written(tx, shape, { ...told, it: row, receiver });
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
    const happening = new Happening(row, value);
    return { messages: makes.flatMap((make) => make(tx, happening)), blocked };
  };
}
