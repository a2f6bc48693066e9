/** Compares the messages of a file, and what receivers saw, with the events that caused them. */
import Database from "better-sqlite3";
import type { Arrival, Hook, Received } from "./hooks.ts";
import { EVENT_OF, HOOKS } from "./hooks.ts";

/** What the file holds of one hook. */
interface Held {
  readonly key: number;
  readonly failures: number;
  readonly refusals: number;
}

export interface Outgoing {
  readonly hooks: ReadonlyMap<string, Held>;
  /** Number in the outbox by `event tag`. */
  readonly causes: ReadonlyMap<string, number>;
  /** Messages that wait: the key of the receiver, and their bodies. */
  readonly waiting: readonly { readonly receiver: number; readonly body: string }[];
}

/** Reads the file at one moment. */
export function readOutgoing(file: string): Outgoing {
  const db = new Database(file, { readonly: true });
  try {
    db.exec("BEGIN");
    const hooks = db
      .prepare(`SELECT f_name AS name, _key AS key, f_failures AS failures,
      f_refusals AS refusals FROM "r_Hook"`)
      .all() as (Held & { name: string })[];
    const causes = db
      .prepare(`SELECT number, event || ' ' || json_extract(content, '$.data.tag')
      AS cause FROM outbox`)
      .all() as { number: number; cause: string }[];
    return {
      hooks: new Map(hooks.map((one) => [one.name, one])),
      causes: new Map(causes.map(({ cause, number }) => [cause, number])),
      waiting: db.prepare("SELECT receiver, body FROM messages").all() as Outgoing["waiting"],
    };
  } finally {
    db.close();
  }
}

/** Messages that wait in the file. */
export function waitingMessages(file: string): number {
  return readOutgoing(file).waiting.length;
}

const causeOf = ({ event, tag }: Arrival): string => `${event} ${tag}`;

/** Messages that came though nothing committed has caused them. `received` before the file. */
export function withoutCause({ causes }: Outgoing, { arrivals, odd }: Received): string[] {
  const wrong = new Set(
    arrivals
      .filter((one) => !causes.has(causeOf(one)) || !isFor(one))
      .map((one) => `a message without a cause came to ${one.hook}: ${causeOf(one)}`),
  );
  return [...wrong, ...odd.map((text) => `a message that is not as stated: ${text}`)];
}

function isFor({ hook, event, tag }: Arrival): boolean {
  const to = HOOKS.find((one) => one.name === hook);
  return to !== undefined && EVENT_OF[to.way] === event && tag.endsWith(to.ending);
}

interface Fate {
  /** Messages that the hook was to get, in the order of their causes. */
  readonly causes: readonly string[];
  readonly waiting: ReadonlySet<string>;
  readonly arrivals: readonly Arrival[];
}

/** `received` after the file was read, so that what does not wait any more has been seen. */
export function undelivered(outgoing: Outgoing, received: Received, kills: number): string[] {
  const byHook = new Map<string, Arrival[]>(HOOKS.map(({ name }) => [name, []]));
  for (const one of received.arrivals) byHook.get(one.hook)?.push(one);
  return HOOKS.flatMap((hook) => {
    const held = outgoing.hooks.get(hook.name);
    if (held === undefined) return [`the hook ${hook.name} is lost`];
    const bodies = outgoing.waiting
      .filter((one) => one.receiver === held.key)
      .map(({ body }) => JSON.parse(body) as { type: string; data: { tag: string } });
    const names = bodies.map(({ type, data }) => `${type} ${data.tag}`);
    const causes = [...outgoing.causes.keys()].filter(
      (cause) => cause.startsWith(`${EVENT_OF[hook.way]} `) && cause.endsWith(hook.ending),
    );
    const fate = { causes, waiting: new Set(names), arrivals: byHook.get(hook.name) ?? [] };
    const doubled =
      names.length === fate.waiting.size ? [] : [`messages for ${hook.name} wait twice`];
    const lostMax = (kills + 1) * UNDER_WAY_MAX + held.failures;
    const lost =
      hook.way === "once"
        ? atMostOnce(hook, fate, lostMax)
        : atLeastOnce(hook, fate, { held, taken: received.taken });
    return [
      ...doubled,
      ...strange(hook, fate),
      ...misnamed(hook, fate.arrivals),
      ...lost,
      ...(hook.way === "ordered" ? disordered(hook, fate.arrivals, outgoing) : []),
    ];
  });
}

function strange({ name }: Hook, { causes, waiting }: Fate): string[] {
  const known = new Set(causes);
  return [...waiting]
    .filter((one) => !known.has(one))
    .map((one) => `a message without a cause waits for ${name}: ${one}`);
}

/** Every attempt of one message has its name, and no other message has it. */
function misnamed({ name }: Hook, arrivals: readonly Arrival[]): string[] {
  const byCause = new Map<string, string>();
  const byId = new Map<string, string>();
  return arrivals.flatMap((one) => {
    const cause = causeOf(one);
    const [id, other] = [byCause.get(cause) ?? one.id, byId.get(one.id) ?? cause];
    byCause.set(cause, id);
    byId.set(one.id, other);
    return id === one.id && other === cause
      ? []
      : [`${name}: ${cause} came as ${one.id}, ${id} of ${other}`];
  });
}

/** What does not wait was taken, or counted as given up or as refused. */
function atLeastOnce(
  { name, mood }: Hook,
  { causes, waiting, arrivals }: Fate,
  { held, taken }: { readonly held: Held; readonly taken: ReadonlySet<string> },
): string[] {
  const delivered = new Set(arrivals.filter((one) => taken.has(`${name} ${one.id}`)).map(causeOf));
  const settled = causes.filter((cause) => !waiting.has(cause));
  const missing = settled.filter((cause) => !delivered.has(cause));
  const ended = held.failures + held.refusals;
  const faults = [];
  if (missing.length > ended) {
    faults.push(
      `lost: ${missing.length} messages for ${name} were never taken, ` +
        `${ended} were given up: ${missing.slice(0, 5).join(", ")}`,
    );
  }
  if (ended > settled.length) {
    faults.push(`${name}: ${ended} messages given up of ${settled.length}`);
  }
  const attempted = new Set(arrivals.map(causeOf));
  const never = mood === "away" ? [] : settled.filter((cause) => !attempted.has(cause));
  if (never.length > 0) faults.push(`lost: ${never.length} messages never came to ${name}`);
  if (mood === "well" && ended > 0) {
    faults.push(`${name}: ${ended} messages given up though they were taken at once`);
  }
  return faults;
}

/** Attempts under way to one receiver, now and at each kill: what had not arrived is lost. */
const UNDER_WAY_MAX = 4;

function atMostOnce(
  { name, mood }: Hook,
  { causes, waiting, arrivals }: Fate,
  lostMax: number,
): string[] {
  const seen = new Set<string>();
  const faults = arrivals.flatMap((one) => {
    const isTwice = seen.has(one.id);
    seen.add(one.id);
    return isTwice ? [`${name}: ${causeOf(one)} came twice`] : [];
  });
  const came = new Set(arrivals.map(causeOf));
  const lost = causes.filter((cause) => !waiting.has(cause) && !came.has(cause));
  if (mood !== "away" && lost.length > lostMax) {
    faults.push(`lost: ${lost.length} messages never came to ${name}`);
  }
  return faults;
}

function disordered({ name }: Hook, arrivals: readonly Arrival[], { causes }: Outgoing): string[] {
  let last = 0;
  return arrivals.flatMap((one) => {
    const number = causes.get(causeOf(one)) ?? Number.MAX_SAFE_INTEGER;
    const isEarlier = number < last;
    last = Math.max(last, number);
    return isEarlier ? [`${name}: ${causeOf(one)} came after a later one`] : [];
  });
}
