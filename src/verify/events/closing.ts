/** Judges the messages of a run when all has come that will. */
import {
  durationOf,
  type ItemId,
  isStated,
  type Plan,
  statedOf,
  touchesOf,
  type Webhook,
} from "../../plan/index.ts";
import type { Arrival } from "./arrival.ts";
import { dataItems, emitItems, tellsOther } from "./blame.ts";
import type { EventSink, Exchange } from "./found.ts";
import type { Ledger, Message } from "./ledger.ts";
import type { Timed } from "./timed.ts";

interface Closing {
  readonly plan: Plan;
  readonly ledger: Ledger;
  readonly sink: EventSink;
  readonly exchanges: readonly Exchange[];
  /** Arrivals that something else was found wrong with. */
  readonly faulty: Set<Arrival>;
  /** From here on nobody knows what the service has in mind: an answer was wrong. */
  readonly doubt: bigint | undefined;
  /** Whether the service is known to reach the receiver. */
  readonly isReached: boolean;
  readonly patienceMs: number;
  readonly timed: Timed;
}

/** Tells the sink all that the messages show. */
export function judgeAll(closing: Closing): void {
  judgeData(closing);
  for (const one of closing.ledger.strays) judgeStray(closing, one);
  if (closing.isReached) for (const one of closing.ledger.missing()) judgeMissing(closing, one);
  for (const one of closing.ledger.messages) {
    judgeRepeated(closing, one);
    judgeHeld(closing, one);
  }
  judgeOrder(closing);
}

/** Arrivals that are nearly a message that did not come are that message, with other data. */
function judgeData({ plan, ledger, sink, faulty }: Closing): void {
  ledger.strays = ledger.strays.filter((arrival) => {
    if (ledger.again(arrival) !== undefined) return true;
    const [message, differences = []] = ledger.nearest(arrival) ?? [];
    if (message === undefined || tellsOther(plan, message, arrival)) return true;
    message.differences = differences;
    message.arrivals.push(arrival);
    faulty.add(arrival);
    sink.broken({
      fault: "wrong data",
      text: `${said(message)} came to ${arrival.target} with other content than is stated`,
      items: dataItems(plan, message, differences),
      number: message.cause,
      differences,
    });
    return false;
  });
}

/**
 * Whether it may be of what fell due by itself, for a receiver that was made or changed about then:
 * who is there when it comes about gets it.
 */
function mayBeTimed({ plan, exchanges, timed }: Closing, arrival: Arrival, event: string): boolean {
  const from = timed.before(arrival.at, event);
  if (from === undefined) return false;
  const about = plan.webhooks.flatMap(({ receivers }) => statedOf(receivers)?.resource ?? []);
  return exchanges.some(({ answer, judgement: { ran } }) => {
    const isThen = answer.sent <= arrival.at && answer.received >= from;
    if (!isThen || ran.endpoint === undefined || answer.status >= 400) return false;
    const touched = touchesOf(plan, ran.endpoint);
    return about.some((resource) => touched.has(resource));
  });
}

function judgeStray(closing: Closing, arrival: Arrival): void {
  const { plan, ledger, sink, doubt, exchanges } = closing;
  if (doubt !== undefined && arrival.at >= doubt) return;
  const named = plan.events.find(({ name }) => arrival.body.includes(JSON.stringify(name)));
  if (named !== undefined && mayBeTimed(closing, arrival, named.name)) return;
  const same = ledger.again(arrival);
  // A message that was wrong already is wrong again.
  if (same?.differences !== undefined) return;
  if (same !== undefined) {
    sink.broken({
      fault: "twice",
      text: `${said(same)} came to ${arrival.target} again, as another message`,
      items: [...guaranteeOf(same.webhook), ...emitItems(plan, same.event).slice(0, 1)],
      number: same.cause,
      differences: [],
    });
    return;
  }
  if (ledger.mayBe(arrival)) return;
  const before = exchanges.findLast(({ answer }) => answer.sent <= arrival.at);
  const isRefused = (before?.answer.status ?? 0) >= 400;
  const sentBy = ({ name }: Webhook): boolean =>
    named === undefined || statedOf(named.sentTo)?.some((one) => one.name === name) === true;
  const receivers = plan.webhooks
    .filter(sentBy)
    .flatMap(({ receivers: one }) => (isStated(one) ? [one.id] : []));
  const what = named === undefined ? "a message" : `a message of ${named.name}`;
  const why = isRefused ? "though the request before it was refused" : "which nothing states";
  sink.broken({
    fault: isRefused ? "sent for a refused request" : "not expected",
    text: `${what} came to ${arrival.target}, ${why}`,
    items: [...(named === undefined ? [] : [named.id]), ...receivers],
    number: before?.number ?? 0,
    differences: [],
  });
}

function judgeMissing({ plan, sink, patienceMs }: Closing, message: Message): void {
  const [target] = message.targets;
  sink.broken({
    fault: "missing",
    text: `${said(message)} did not come to ${target} within ${patienceMs} ms`,
    items: emitItems(plan, message.event),
    number: message.cause,
    differences: [],
  });
}

/** A message that came again though it had arrived. */
function judgeRepeated({ sink }: Closing, message: Message): void {
  const { webhook, arrivals } = message;
  const guarantee = statedOf(webhook.guarantee);
  if (guarantee === "at least once" || webhook.guarantee.is === "gap") return;
  const isOnce = guarantee === "at most once";
  const good = arrivals.findIndex((one) => isOnce || isTaken(webhook, one));
  const again = good < 0 ? undefined : arrivals[good + 1];
  if (again === undefined) return;
  sink.broken({
    fault: "twice",
    text: `${said(message)} came to ${again.target} again, though it had arrived`,
    items: [...guaranteeOf(webhook), ...(isStated(webhook.attempts) ? [webhook.attempts.id] : [])],
    number: message.cause,
    differences: [],
  });
}

/** Whether the attempt was answered well, and surely in time. */
function isTaken({ delivered }: Webhook, { status = 0, at, answeredAt }: Arrival): boolean {
  const within = durationOf(statedOf(delivered)?.within ?? "0 s");
  const isSoon = answeredAt !== undefined && 2n * (answeredAt - at) < within;
  return isSoon && status >= 200 && status < 300;
}

/** Messages to one receiver arrive in the order of their causes, where that is stated. */
function judgeOrder({ ledger, sink }: Closing): void {
  const judged = ledger.messages.filter(
    ({ webhook, arrivals, isTimed }) => isStated(webhook.order) && arrivals.length > 0 && !isTimed,
  );
  const groups = Map.groupBy(judged, ({ webhook, receiver }) => `${webhook.name} ${receiver}`);
  for (const all of groups.values()) {
    for (const [i, message] of all.entries()) {
      const before = all[i - 1];
      const { order } = message.webhook;
      if (before === undefined || !isStated(order)) continue;
      const [mine, theirs] = [message.arrivals[0]?.at ?? 0n, before.arrivals[0]?.at ?? 0n];
      if (mine > theirs) {
        sink.held([order.id], message.cause);
        continue;
      }
      sink.broken({
        fault: "out of order",
        text: `${said(message)} came to ${message.arrivals[0]?.target} before ${said(before)}`,
        items: [order.id],
        number: message.cause,
        differences: [],
      });
    }
  }
}

function judgeHeld({ plan, sink, faulty }: Closing, message: Message): void {
  const { webhook, arrivals, cause, event } = message;
  if (!arrivals.some((one) => !faulty.has(one))) return;
  const stated = plan.events.find(({ name }) => name === event);
  const answers = [webhook.receivers, webhook.address, webhook.sends, webhook.signature];
  const all = [...answers, webhook.guarantee, stated?.data, stated?.sentTo];
  const shape = plan.shapes.find(({ name }) => name === statedOf(webhook.sends)?.shape);
  const items: readonly ItemId[] = [
    webhook.id,
    ...(stated === undefined ? [] : [stated.id]),
    ...all.flatMap((one) => (isStated<NonNullable<typeof one>>(one) ? [one.id] : [])),
    ...(webhook.headers ?? []).map(({ id }) => id),
    ...(shape === undefined ? [] : [shape.id, ...shape.fields.map(({ id }) => id)]),
  ];
  sink.held(items, cause);
}

function guaranteeOf({ guarantee }: Webhook): readonly ItemId[] {
  return "id" in guarantee ? [guarantee.id] : [];
}

/** The message in words. */
export function said({ event, cause, isTimed }: Message): string {
  return isTimed ? `the message of ${event}` : `the message of ${event} by request ${cause}`;
}
