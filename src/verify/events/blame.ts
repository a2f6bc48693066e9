/** Which items a wrong message breaks. */
import { freeNames } from "../../expr/index.ts";
import { type ItemId, isStated, type Plan, type Step, statedOf } from "../../plan/index.ts";
import type { Difference } from "../judge/compare.ts";
import type { Arrival } from "./arrival.ts";
import type { Message } from "./ledger.ts";

/** Steps that emit an event, wherever they stand. */
function emitting(node: unknown, event: string, found: ItemId[] = []): readonly ItemId[] {
  if (Array.isArray(node)) for (const one of node) emitting(one, event, found);
  else if (typeof node === "object" && node !== null) {
    const step = node as Partial<Step>;
    if (step.kind === "emit" && step.event === event && step.id !== undefined) found.push(step.id);
    for (const one of Object.values(node)) emitting(one, event, found);
  }
  return found;
}

/** The event, where it is sent, and the steps that emit it. */
export function emitItems(plan: Plan, name: string): readonly ItemId[] {
  const event = plan.events.find((one) => one.name === name);
  if (event === undefined) return [];
  const { endpoints, machines, routines, prologue } = plan;
  const steps = emitting([endpoints, machines, routines, prologue], name);
  return [event.id, ...(isStated(event.sentTo) ? [event.sentTo.id] : []), ...steps];
}

/** What a body with these differences breaks: the data of the event, or members of the shape. */
export function dataItems(
  plan: Plan,
  { webhook, event: name }: Message,
  differences: readonly Difference[],
): readonly ItemId[] {
  const event = plan.events.find((one) => one.name === name);
  const shape = plan.shapes.find((one) => one.name === statedOf(webhook.sends)?.shape);
  const found = differences.flatMap(({ where }) => {
    const [member, ...inner] = where;
    const field = shape?.fields.find((one) => one.name === member);
    const { value } = field ?? {};
    const isData = isStated(value) && freeNames(value.value.code).has("data");
    const data = isData && isStated(event?.data) ? [event.data.id] : [];
    const name = inner.findLast((one) => typeof one === "string");
    const resource = plan.resources.find((one) => one.name === event?.about);
    const shown = isData ? resource?.fields.find((one) => one.name === name) : undefined;
    return [...data, ...(shown === undefined ? [] : [shown.id]), ...(field ? [field.id] : [])];
  });
  const sends = isStated(webhook.sends) ? [webhook.sends.id] : [];
  return [...new Set(found.length === 0 ? [...(event ? [event.id] : []), ...sends] : found)];
}

/** Whether the body tells of another event than the message does. */
export function tellsOther({ events }: Plan, { event, body }: Message, arrival: Arrival): boolean {
  const said = (name: string): string => JSON.stringify(name);
  if (!body.includes(said(event)) || arrival.body.includes(said(event))) return false;
  return events.some(({ name }) => name !== event && arrival.body.includes(said(name)));
}
