/** Records events in the transaction of their cause; tells which could not be delivered yet. */
import type { Event, ItemId, Plan } from "../plan/index.ts";
import type { Effects, Session } from "../run/index.ts";

type Emitted = Effects["events"][number];

interface Told {
  readonly id: ItemId;
  /** Resources whose rows receive it by a webhook; undefined: that is not shown. */
  readonly receivers: readonly (string | undefined)[];
}

function toldOf(plan: Plan, event: Event): Told {
  const sent = event.sentTo.is === "stated" ? event.sentTo.value : [];
  const receivers = sent.flatMap(({ to, name }) => {
    const webhook = to === "webhook" ? plan.webhooks.find((one) => one.name === name) : undefined;
    if (webhook === undefined) return [];
    return [webhook.receivers.is === "stated" ? webhook.receivers.value.resource : undefined];
  });
  return { id: event.id, receivers };
}

/** The events of a plan. An event is recorded if and only if its cause is committed. */
export class Outbox {
  private readonly told: ReadonlyMap<string, Told>;

  constructor(plan: Plan) {
    this.told = new Map(plan.events.map((event) => [event.name, toldOf(plan, event)]));
  }

  /** Whether requests can emit anything at all. */
  get any(): boolean {
    return this.told.size > 0;
  }

  /** The event that some webhook would have to deliver: delivery is not served yet. */
  undelivered(events: readonly Emitted[], session: Session): ItemId | undefined {
    for (const { event } of events) {
      const told = this.told.get(event);
      const waits = told?.receivers.some(
        (resource) => resource === undefined || session.all(resource).length > 0,
      );
      if (told !== undefined && waits === true) return told.id;
    }
    return undefined;
  }

  /** Records what happened, in order. */
  record(events: readonly Emitted[], session: Session): void {
    for (const { event, at, resource, key, data } of events) {
      const about = `{"resource":${JSON.stringify(resource)},"key":${key}`;
      session.recordEvent(event, at, `${about},"data":${data ?? "null"}}`);
    }
  }
}
