/** Requests tried in the model of a service that has just started. */
import type { Plan } from "../../plan/index.ts";
import type { Members } from "../../run/index.ts";
import type { Session } from "../session.ts";
import { isMarked } from "../world/texts.ts";
import { type Ran, World } from "../world/world.ts";
import { type NamedRequest, shows } from "./named.ts";
import { filled } from "./names.ts";

export interface Start {
  readonly plan: Plan;
  readonly tag: string;
  readonly settings?: Members | undefined;
  readonly given?: ReadonlyMap<string, readonly Members[]> | undefined;
  /** Microseconds since 1970. */
  readonly now: bigint;
}

/** A model of the service as it was when it had just started, with what is known of that by now. */
export function startedBeside(session: Session, { plan, settings, given, now }: Start): World {
  const started = new World(plan, { settings });
  started.start(now, given);
  const { world } = session.judge;
  const shown = session.madeAtStart.map((mark) => world.shown(mark));
  const known = started.texts.made.map((mark, i): [string, string] => [mark, shown[i] ?? mark]);
  started.learn(new Map(known.filter(([, text]) => !isMarked(text))));
  return started;
}

const SECOND = 1_000_000n;
const BETWEEN = 1_000n;

/** A model that begins anew for each trial. */
export class Rehearsal {
  readonly #world: World;
  readonly #start: Start;
  readonly #madeAtStart: readonly string[];
  readonly #fresh: ReadonlyMap<string, string>;

  constructor(start: Start, fresh: ReadonlyMap<string, string>) {
    this.#start = start;
    this.#fresh = fresh;
    this.#world = new World(start.plan, { settings: start.settings });
    this.#world.start(start.now, start.given);
    this.#madeAtStart = this.#world.texts.made;
  }

  /** What the last of the requests comes to; undefined: one has what nothing before it makes. */
  last(requests: readonly NamedRequest[]): Ran | undefined {
    const world = this.#world;
    const { tag } = this.#start;
    const made = new Map<string, string>([["tag", tag], ...this.#fresh]);
    let now = this.#start.now + SECOND;
    const unseen = new Map(this.#madeAtStart.map((mark, i) => [`0.${i}`, mark]));
    let last: Ran | undefined;
    world.begin();
    try {
      for (const { number, request, wait } of requests) {
        const sent = filled(request, (name) => made.get(name));
        if (sent === undefined) return undefined;
        now += BETWEEN + wait;
        world.begin();
        last = world.run(sent, { now });
        world.keep();
        for (const [i, text] of last.made.entries()) made.set(`${number}.${i}`, text);
        for (const [name, mark] of unseen) {
          if (shows(last.outcome.response, mark)) made.set(name, mark);
        }
      }
    } finally {
      world.undo();
    }
    return last;
  }
}
