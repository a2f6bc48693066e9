/** What may be any in the events of a request: found by runs that choose otherwise. */
import { Chooser, type Emitted, type Response } from "../../run/index.ts";
import { type Loose, TIGHT } from "../judge/compare.ts";
import type { Judge } from "../judge/judge.ts";
import { looseOf } from "../judge/loose.ts";
import { digest } from "../world/hooks.ts";
import type { Request } from "../world/message.ts";
import type { Reading } from "../world/reading.ts";
import type { Turn } from "../world/turned.ts";
import type { Ran } from "../world/world.ts";

/** What the events of a request may be, before it is sent. */
export interface Foreseen {
  readonly ran: Ran;
  /** What is free in the messages of each event, and in its data; undefined: all of it. */
  readonly loose: readonly EventLoose[] | undefined;
}

interface EventLoose {
  readonly data: Loose;
  readonly message: Loose;
}

const VARIANTS = 4;
const BACKWARDS: Turn = { rank: () => 0 };

/** Whether both are of the same events in the same order. */
export function isAlike(one: readonly Emitted[], other: readonly Emitted[]): boolean {
  const names = (all: readonly Emitted[]): string => all.map(({ event }) => event).join();
  return names(one) === names(other);
}

/** Foresees the events of a request that is sent now; nothing is changed. */
export function foreseen(judge: Judge, request: Request, ours: bigint): Foreseen {
  const ran = judge.foresee(request, ours);
  if (ran.events.length === 0) return { ran, loose: [] };
  const now = judge.timeAt(ours);
  const others = Array.from({ length: VARIANTS }, (_, i) => {
    const chooser = new Chooser(String(i), (text) => digest("sha256", text));
    const turn = i % 2 === 0 ? {} : { turn: BACKWARDS };
    return eventsOf(judge, request, { now, chooser, made: ran.made, ...turn });
  });
  if (others.some((one) => !isAlike(one, ran.events))) return { ran, loose: undefined };
  const loose = ran.events.map((_, i): EventLoose => {
    const all = [ran.events, ...others].map((events) => events[i] as Emitted);
    const [first] = all.map(({ messages = [] }) => messages.length);
    // Which receivers come first is free: their messages are compared one by one where they match.
    const count = Math.min(...all.map(({ messages = [] }) => messages.length));
    const messages = count === first ? messageLoose(all, count) : TIGHT;
    return { data: looseOf(all.map(({ data }) => response(data ?? "null"))), message: messages };
  });
  return { ran, loose };
}

/** What differs in the messages for one receiver, taken together for all. */
function messageLoose(all: readonly Emitted[], count: number): Loose {
  const values = new Set<string>();
  const orders = new Set<string>();
  const [first] = all;
  for (let i = 0; i < count; i++) {
    const mine = first?.messages?.[i];
    const same = all.flatMap(({ messages = [] }) =>
      messages.filter((one) => one.receiver === mine?.receiver && one.webhook === mine.webhook),
    );
    const loose = looseOf(same.map(({ body }) => response(body)));
    for (const one of loose.values) values.add(one);
    for (const one of loose.orders) orders.add(one);
  }
  return { values, orders };
}

function eventsOf({ world }: Judge, request: Request, reading: Reading): readonly Emitted[] {
  world.begin();
  reading.chooser?.begin("request");
  const { events } = world.run(request, reading);
  world.undo();
  return events;
}

function response(body: string): Response {
  return { status: 0, headers: [], body };
}
