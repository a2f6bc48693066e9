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
    const { sent, ran } = this.#rehearsed(requests);
    return sent.length === requests.length ? ran : undefined;
  }

  /** Those of which all that they hold is made before. */
  fillable(requests: readonly NamedRequest[]): readonly NamedRequest[] {
    return this.#rehearsed(requests).sent;
  }

  #rehearsed(requests: readonly NamedRequest[]): ReturnType<typeof rehearsed> {
    const { tag, now } = this.#start;
    const unseen = new Map(this.#madeAtStart.map((mark, i) => [`0.${i}`, mark]));
    const known = new Map<string, string>([["tag", tag], ...this.#fresh]);
    return rehearsed(requests, { world: this.#world, now: now + SECOND, known, unseen });
  }
}

/**
 * Those of the requests of which all that they hold is made before, and what the last of these
 * comes to, in a model in which nothing is changed.
 */
export function rehearsed(
  requests: readonly NamedRequest[],
  at: {
    readonly world: World;
    readonly now: bigint;
    /** What stands in the place of names. */
    readonly known: ReadonlyMap<string, string>;
    /** Names of texts that are known when an answer has shown them. */
    readonly unseen: ReadonlyMap<string, string>;
  },
): { readonly sent: readonly NamedRequest[]; readonly ran: Ran | undefined } {
  const { world } = at;
  const sent: NamedRequest[] = [];
  const known = new Map(at.known);
  let { now } = at;
  let last: Ran | undefined;
  world.begin();
  try {
    for (const named of requests) {
      const { number, wait } = named;
      const request = filled(named.request, (name) => known.get(name));
      if (request === undefined) continue;
      sent.push(named);
      now += BETWEEN + wait;
      world.begin();
      last = world.run(request, { now });
      world.keep();
      for (const [i, text] of last.made.entries()) known.set(`${number}.${i}`, text);
      for (const [name, mark] of at.unseen) {
        if (shows(last.outcome.response, mark)) known.set(name, mark);
      }
    }
  } finally {
    world.undo();
  }
  return { sent, ran: last };
}
