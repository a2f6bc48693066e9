/** Judges what came over streams when all has come that will. */
import { type ItemId, isStated, type Stream } from "../../plan/index.ts";
import { emitItems } from "../events/blame.ts";
import type { EventBreak, EventSink } from "../events/found.ts";
import type { Difference } from "../judge/compare.ts";
import { nowMicros } from "../talk/client.ts";
import type { Frame } from "./frames.ts";
import type { Entry, Subscription } from "./subscription.ts";
import { lastsFor, type StreamWatch } from "./watch.ts";

/** What names an event that can be resumed behind. */
const NAME = /^[A-Za-z0-9_-]{22}$/;
/** What the end of a stream may be early or late, besides a share of its time. */
const APART = 1_500_000n;

/** One stream that was open, and all that is known besides. */
interface Closing {
  readonly watch: StreamWatch;
  readonly sink: EventSink;
  readonly patience: bigint;
  readonly stream: Stream;
  readonly one: Subscription;
  /** What is expected and came. */
  readonly came: ReadonlySet<Entry>;
  /** Something was wrong. */
  isFaulty: boolean;
}

/** Tells the sink all that the streams show. `patienceMs`: what was waited since. */
export function judgeStreams(watch: StreamWatch, sink: EventSink, patienceMs: number): void {
  const all = watch.subscriptions.flatMap((one): Closing[] => {
    const stream = watch.statedOf(one.opened.opening.stream);
    if (stream === undefined) return [];
    watch.matching.again(one);
    const came = new Set(one.matched.filter((entry) => entry !== undefined));
    const patience = BigInt(patienceMs) * 1_000n;
    return [{ watch, sink, patience, stream, one, came, isFaulty: false }];
  });
  for (const closing of all) {
    judgeStrays(closing);
    judgeMissing(closing);
    judgeOrder(closing);
    judgeNames(closing);
    judgeEnd(closing);
    judgeHeld(closing);
  }
  for (const own of Map.groupBy(all, ({ stream }) => stream).values()) judgeEarly(own);
}

function broken(closing: Closing, found: Omit<EventBreak, "differences"> & Partial<EventBreak>) {
  closing.isFaulty = true;
  closing.sink.broken({ differences: [], ...found });
}

const itemOf = (answer: object, otherwise: ItemId): ItemId =>
  "id" in answer ? String(answer.id) : otherwise;
const said = ({ event, cause, isTimed }: Entry): string =>
  isTimed ? event : `${event} by request ${cause}`;
const pathOf = ({ one }: Closing): string => one.opened.opening.request.target;

/** Frames that are no event which is to be sent. */
function judgeStrays(closing: Closing): void {
  const { one, watch } = closing;
  for (const [i, frame] of one.frames.entries()) {
    if (one.matched[i] !== undefined) continue;
    if (watch.doubt !== undefined && frame.at >= watch.doubt) return;
    judgeStray(closing, frame);
  }
}

function judgeStray(closing: Closing, frame: Frame): void {
  const { one, watch, came } = closing;
  const { log, matching } = watch;
  const same = (among: Iterable<Entry>): Entry | undefined =>
    matching.sameData(
      [...among].filter(({ event }) => event === frame.event),
      frame,
    );
  const twice = same(came);
  if (twice !== undefined) {
    broken(closing, {
      fault: "twice",
      text: `${said(twice)} came over ${pathOf(closing)} again`,
      items: [closing.stream.id],
      number: twice.cause,
    });
    return;
  }
  const kept = same([...one.expected].flatMap(([entry, how]) => (how === "not" ? [entry] : [])));
  if (kept !== undefined) judgeKept(closing, kept);
  else {
    const older = same(log.slice(0, one.opened.place));
    if (older !== undefined) judgeOlder(closing, older);
    else judgeUnknown(closing, frame);
  }
}

/** An event that the listener is not to get. */
function judgeKept(closing: Closing, entry: Entry): void {
  const { one, stream } = closing;
  const { over } = one;
  const isOver = over !== undefined && entry.place >= over.place;
  const why = isOver
    ? `though ${OVER[over.why]} by request ${over.number}`
    : "to somebody who does not see it";
  broken(closing, {
    fault: "sent to others",
    text: `${said(entry)} came over ${pathOf(closing)}, ${why}`,
    items: isOver && over.items.length > 0 ? over.items : [itemOf(stream.sees, stream.id)],
    number: entry.cause,
  });
}

const OVER = {
  "the caller": "whoever listens may not listen any more",
  "the row": "the row of its path is gone",
  "the event": "the stream had ended",
  "the time": "whoever listens may not listen any more",
} as const;

/** An event that happened before the stream was opened, or before what it was resumed behind. */
function judgeOlder(closing: Closing, entry: Entry): void {
  const { resumed } = closing.one.opened;
  const from = resumed === undefined ? "it was opened" : "the event that it was resumed behind";
  broken(closing, {
    fault: "sent again",
    text: `${said(entry)} came over ${pathOf(closing)}, though it happened before ${from}`,
    items: [itemOf(closing.stream.resume, closing.stream.id)],
    number: closing.one.opened.number,
  });
}

function judgeUnknown(closing: Closing, frame: Frame): void {
  const { one, watch, came } = closing;
  const { plan, matching, exchanges } = watch;
  const left = [...one.expected].filter(([entry]) => !came.has(entry) && !one.altered.has(entry));
  // What is not known in all may be what came.
  if (left.some(([{ isSure, event }]) => !isSure && event === frame.event)) return;
  const open = left.flatMap(([entry, how]) => (how === "must" ? [entry] : []));
  const named = matching.sameData(open, frame);
  const [near, differences] = matching.nearest(open, frame) ?? [named, NAMED];
  if (near !== undefined) {
    one.altered.set(near, differences);
    const event = plan.events.find(({ name }) => name === near.event);
    const data = isStated(event?.data) ? [event.data.id] : [];
    broken(closing, {
      fault: "wrong data",
      text: `${said(near)} came over ${pathOf(closing)} otherwise than is stated`,
      items: [...(near === named || event === undefined ? [] : data), ...(event ? [event.id] : [])],
      number: near.cause,
      differences,
    });
    return;
  }
  const before = exchanges.findLast(({ answer }) => answer.sent <= frame.at);
  const isRefused = (before?.answer.status ?? 0) >= 400;
  const event = plan.events.find(({ name }) => name === frame.event);
  const why = isRefused ? "though the request before it was refused" : "which nothing states";
  broken(closing, {
    fault: isRefused ? "sent for a refused request" : "not expected",
    text: `${frame.event} came over ${pathOf(closing)}, ${why}`,
    items: [...(event === undefined ? [] : [event.id]), closing.stream.id],
    number: before?.number ?? 0,
  });
}

const NAMED: readonly Difference[] = [];

function judgeMissing(closing: Closing): void {
  const { one, watch, came, patience, stream } = closing;
  // What comes behind the end of a connection nobody sees.
  if (one.closed !== undefined) return;
  const { resumed } = one.opened;
  for (const [entry, how] of one.expected) {
    if (how !== "must" || came.has(entry) || one.altered.has(entry)) continue;
    const isOld = resumed !== undefined && entry.place < one.opened.place;
    const why = `did not come over ${pathOf(closing)} within ${patience / 1_000n} ms`;
    broken(closing, {
      fault: isOld ? "not sent again" : "missing",
      text: `${said(entry)} ${why}${isOld ? `, resumed behind ${resumed.id}` : ""}`,
      items: isOld
        ? [itemOf(stream.resume, stream.id)]
        : [...emitItems(watch.plan, entry.event), itemOf(stream.sees, stream.id)],
      number: isOld ? one.opened.number : entry.cause,
    });
  }
}

/** Events are sent in the order in which they happened. */
function judgeOrder(closing: Closing): void {
  const { one, stream } = closing;
  let last: Entry | undefined;
  for (const entry of one.matched) {
    if (entry === undefined || one.expected.get(entry) !== "must" || entry.isTimed) continue;
    if (last !== undefined && last.place > entry.place && last.cause !== entry.cause) {
      broken(closing, {
        fault: "out of order",
        text: `${said(entry)} came over ${pathOf(closing)} behind ${said(last)}`,
        items: [stream.id],
        number: entry.cause,
      });
    } else last = entry;
  }
}

/** Where a client can resume, each event has a name of its own. */
function judgeNames(closing: Closing): void {
  const { one, stream } = closing;
  if (!isStated(stream.resume)) return;
  const events = new Map<string, Entry>();
  for (const [i, frame] of one.frames.entries()) {
    const entry = one.matched[i];
    if (entry === undefined) continue;
    const { id = "" } = frame;
    const other = events.get(id);
    events.set(id, entry);
    if (NAME.test(id) && (other === undefined || other === entry)) continue;
    const isSame = other !== undefined && id !== "";
    const why = isSame
      ? `has the id of ${said(other)}`
      : `has ${id === "" ? "no id" : `the id ${id}`}`;
    broken(closing, {
      fault: "wrong id",
      text: `${said(entry)} over ${pathOf(closing)} ${why}`,
      items: [stream.resume.id],
      number: entry.cause,
    });
  }
}

/** A stream that is still open though it has ended. */
function judgeEnd(closing: Closing): void {
  const { one, stream, watch, patience, sink } = closing;
  const { over, closed } = one;
  const now = nowMicros();
  const lasts = lastsFor(stream);
  const slack = APART + (lasts ?? 0n) / 20n;
  const items = [itemOf(stream.ends, stream.id)];
  if (over !== undefined && over.why !== "the time") {
    if (closed !== undefined) sink.held(over.items, over.number);
    else if (watch.doubt === undefined && now - over.at >= patience) {
      broken(closing, {
        fault: "not ended",
        text: `${pathOf(closing)} is open, though ${OVER[over.why]} by request ${over.number}`,
        items: over.items.length > 0 ? over.items : items,
        number: over.number,
      });
    }
  }
  if (lasts === undefined || over !== undefined) return;
  if (closed === undefined && now > one.at + lasts + slack) {
    broken(closing, {
      fault: "not ended",
      text: `${pathOf(closing)} is open behind the time at which it is to end`,
      items,
      number: one.opened.number,
    });
  } else if (closed !== undefined && closed.at >= one.at + lasts - slack) {
    sink.held(items, one.opened.number);
  }
}

/** Streams that were closed though nothing ends them: once may be the network, or the host. */
function judgeEarly(all: readonly Closing[]): void {
  const early = all.filter(({ one, stream, watch }) => {
    const { closed, over, at, expected } = one;
    const lasts = lastsFor(stream);
    if (closed === undefined || !closed.isClean || over !== undefined) return false;
    if (lasts === undefined && stream.endsBehind === undefined) return false;
    if (watch.doubt !== undefined && closed.at >= watch.doubt) return false;
    const mayEnd = [...expected].some(
      ([{ event }, how]) => how !== "not" && stream.endsBehind?.includes(event) === true,
    );
    if (mayEnd) return false;
    return lasts === undefined || closed.at < at + lasts - APART - lasts / 20n;
  });
  const [first] = early;
  if (first === undefined || early.length < 2 || early.length < all.length / 2) return;
  broken(first, {
    fault: "ended early",
    text: `${pathOf(first)} was closed ${early.length} times before it is to end`,
    items: [itemOf(first.stream.ends, first.stream.id)],
    number: first.one.opened.number,
  });
}

function judgeHeld(closing: Closing): void {
  const { one, stream, came, sink, watch, isFaulty } = closing;
  const { resumed, number } = one.opened;
  const idsOf = (answer: object): readonly ItemId[] => ("id" in answer ? [String(answer.id)] : []);
  sink.held([stream.id, ...idsOf(stream.path)], number);
  if (came.size > 0) sink.held(idsOf(stream.sees), number);
  for (const entry of came) {
    const event = watch.plan.events.find(({ name }) => name === entry.event);
    if (event === undefined) continue;
    const { data, sentTo } = event;
    const items = [data, sentTo].flatMap((at) => (at && "id" in at ? [at.id] : []));
    sink.held([event.id, ...items], entry.cause);
  }
  const isResumed =
    resumed !== undefined && [...came].some(({ place }) => place < one.opened.place);
  if (isResumed && !isFaulty) sink.held([itemOf(stream.resume, stream.id)], number);
}
