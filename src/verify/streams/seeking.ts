/** Looks in the model for requests that show something of streams that are open. */

import type { Stream } from "../../plan/index.ts";
import { type Exploring, isForeseen, isUnsendable, makingOf } from "../generate/explore.ts";
import { requestTo } from "../generate/requests.ts";
import type { Request } from "../world/message.ts";
import type { Ran } from "../world/world.ts";
import type { Entry, Subscription } from "./subscription.ts";
import type { StreamWatch } from "./watch.ts";

/** Requests that are tried for one thing. */
const TRIES = 1_500;
/** Milliseconds that are spent on one thing. */
const SPENT_MS = 200;
/** The share that is asked with the credentials of who listens, and about the rows of its path. */
const OWN = 0.7;

/** Told what a request comes to, while the model is as it would be then. */
export type Goal = (ran: Ran) => boolean;

/** A request that comes to the goal, as far as the model knows; undefined: none was found. */
export function sought(
  exploring: Exploring,
  among: readonly Subscription[],
  goal: Goal,
): Request | undefined {
  const { judge, random, clock } = exploring;
  const { world } = judge;
  const until = performance.now() + SPENT_MS;
  for (let i = 0; i < TRIES && among.length > 0 && performance.now() < until; i++) {
    const request = requestOf(exploring, random.pick(among));
    if (request === undefined || isUnsendable(request, new Set())) continue;
    world.begin();
    const ran = world.run(request, { now: judge.timeAt(clock()) });
    const isFound = ran.outcome.commit && isForeseen(ran, request) && goal(ran);
    world.undo();
    if (isFound) return request;
  }
  return undefined;
}

function requestOf(exploring: Exploring, { opened, listener }: Subscription): Request | undefined {
  const { random, judge } = exploring;
  const { plan } = judge.world;
  const endpoint = random.pick(plan.endpoints.filter(({ method }) => method !== "GET"));
  if (endpoint === undefined) return undefined;
  const rows = [...listener.rows.values(), ...(listener.caller ? [listener.caller] : [])];
  const focus = rows.length > 0 && random.chance(OWN) ? random.pick(rows) : undefined;
  const made = requestTo({ ...makingOf(exploring), wrong: 0, focus }, endpoint);
  if (!random.chance(OWN)) return made;
  const names = new Set(opened.opening.request.headers.map(([name]) => name.toLowerCase()));
  names.delete("last-event-id");
  const own = opened.opening.request.headers.filter(([name]) => names.has(name.toLowerCase()));
  return {
    ...made,
    headers: [...made.headers.filter(([name]) => !names.has(name.toLowerCase())), ...own],
  };
}

const isLive = ({ isOpen, over }: Subscription): boolean => isOpen && over === undefined;

function ofStream({ subscriptions }: StreamWatch, { name }: Stream): readonly Subscription[] {
  return subscriptions.filter(({ opened }) => opened.opening.stream === name);
}

const mustsOf = ({ expected }: Subscription): readonly Entry[] =>
  [...expected].flatMap(([entry, how]) => (how === "must" ? [entry] : []));

/** So many events of one listener show what is sent again, and in which order. */
const SEVERAL = 3;

/** What is sought on streams that are open: each event and several; those that end them. */
export function shownGoals(watch: StreamWatch): {
  readonly usual: readonly Goal[];
  readonly ending: readonly Goal[];
} {
  const { plan, listening } = watch;
  const all = plan.streams.map((stream) => {
    const own = (): readonly Subscription[] => ofStream(watch, stream);
    const isEnd = (name: string): boolean => stream.endsBehind?.includes(name) === true;
    const names = plan.events.flatMap(({ name }) => (watch.sends(stream.name, name) ? [name] : []));
    const shows = ({ events }: Ran, among: readonly Subscription[], wanted: readonly string[]) =>
      events.some(
        (one) =>
          wanted.includes(one.event) &&
          among.some((each) => listening.sees(each.opened.opening, each.listener, one)),
      );
    const each =
      (name: string): Goal =>
      (ran) =>
        own().every((one) => mustsOf(one).every(({ event }) => event !== name)) &&
        shows(ran, own().filter(isLive), [name]);
    const usual = names.filter((name) => !isEnd(name));
    const several: Goal = (ran) => {
      const live = own().filter(isLive);
      const most = Math.max(0, ...live.map((one) => mustsOf(one).length));
      const fullest = live.filter((one) => mustsOf(one).length === most);
      return most < SEVERAL && shows(ran, fullest, usual);
    };
    const more = Array.from({ length: SEVERAL }, () => several);
    return { usual: [...usual.map(each), ...more], ending: names.filter(isEnd).map(each) };
  });
  return {
    usual: all.flatMap(({ usual }) => usual),
    ending: all.flatMap(({ ending }) => ending),
  };
}

/** Listeners that are lost, while they listen. */
export function lostGoals(watch: StreamWatch): readonly Goal[] {
  const { plan, listening } = watch;
  return plan.streams.flatMap((stream) =>
    (["the row", "the caller"] as const).map((why): Goal => {
      return () => {
        const own = ofStream(watch, stream);
        if (own.some(({ over }) => over?.why === why)) return false;
        return own.filter(isLive).some(({ opened, listener }) => {
          const now = listening.listener(opened.opening, listener.rows);
          return why === "the row" ? now?.isOver === true : now === undefined;
        });
      };
    }),
  );
}
