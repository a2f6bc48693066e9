/** Who may listen to a stream by the model, and which events they see. */
import { type Plan, statedOf } from "../../plan/index.ts";
import type { Emitted, Listener, Row, Value } from "../../run/index.ts";
import type { Judge } from "../judge/judge.ts";
import { nowMicros } from "../talk/client.ts";
import { presentedBy } from "../world/hooks.ts";
import { headersOf, type Request } from "../world/message.ts";
import { World } from "../world/world.ts";

/** A stream as a request has opened it. */
export interface Opening {
  readonly stream: string;
  readonly request: Request;
  readonly path: ReadonlyMap<string, string>;
}

/** An event as it happened in the model. */
export type Happened = Pick<Emitted, "event" | "resource" | "key" | "values">;

/** Names of the events that each stream sends. */
export function sentTo({ streams, events }: Plan): ReadonlyMap<string, ReadonlySet<string>> {
  const names = (stream: string): readonly string[] =>
    events.flatMap(({ name, sentTo }) =>
      (statedOf(sentTo) ?? []).some((one) => one.to === "stream" && one.name === stream)
        ? [name]
        : [],
    );
  return new Map(streams.map(({ name }) => [name, new Set(names(name))]));
}

/** Asks the model: on the rows as they are now, nothing of which is changed. */
export class Listening {
  readonly #judge: Judge;
  /** Of its own, so that nothing of this stands in what requests came to. */
  readonly #world: World;

  constructor(judge: Judge) {
    this.#judge = judge;
    const { plan, settings } = judge.world;
    this.#world = new World(plan, { settings, beside: judge.world });
  }

  /** The stream that the request asks for; undefined: none. */
  openingOf(request: Request): Opening | undefined {
    const { plan, program } = this.#world;
    const match = program.match(request.method, request.target.split("?")[0] ?? "");
    if (match.is !== "endpoint") return undefined;
    const id = plan.endpoints[match.endpoint]?.id;
    const stream = plan.streams.find((one) => one.id === id)?.name;
    return stream === undefined ? undefined : { stream, request, path: match.params };
  }

  /** Whom the request shows at a time; undefined: no one who may listen. */
  listener(
    { stream, request, path }: Opening,
    rows?: Listener["rows"],
    now = this.#judge.timeAt(nowMicros()),
  ): Listener | undefined {
    const world = this.#world;
    const query = request.target.split("?").slice(1).join("?");
    const presented = presentedBy(world.plan, { headers: headersOf(request), query }, world, now);
    const listening = { stream, path, presented, address: "here", rows };
    return this.#apart(() =>
      world.program.streams.listener(listening, world.session, world.ambient({ now })),
    );
  }

  /** Whether the listener gets the event. */
  sees({ stream, path }: Opening, { caller, rows }: Listener, happened: Happened): boolean {
    const world = this.#world;
    const now = this.#judge.timeAt(nowMicros());
    const { event, resource, key, values = [] } = happened;
    const row: Row = { resource, key, values: values.map((one) => this.#shown(one)) };
    const all = { event, row, caller, path, rows };
    return this.#apart(() =>
      world.program.streams.sees(stream, all, world.session, world.ambient({ now })),
    );
  }

  #shown(value: Value): Value {
    return typeof value === "string" ? this.#world.shown(value) : value;
  }

  #apart<T>(work: () => T): T {
    this.#world.begin();
    try {
      return work();
    } finally {
      this.#world.undo();
    }
  }
}
