/** Reads what a stream sends to one caller, out of the events that were recorded. */
import { deserialize, serialize } from "node:v8";
import { durationOf, isStated, type Plan, type Stream } from "../../plan/index.ts";
import type { Ambient, Program, Recorded, Row, Session, Value } from "../../run/index.ts";
import type { Credentials } from "../credentials/index.ts";
import type { Opening } from "../jobs/job.ts";
import { EventNames } from "./names.ts";
import { Standing } from "./standing.ts";

/** Events looked at in one go, and the text after which a portion ends. */
const EVENTS_MAX = 20;
const TEXT_MAX = 65_536;

/** Some of a stream, in the form of `text/event-stream` (WHATWG HTML section 9.2). */
export interface Portion {
  readonly text: string;
  /** Number of the event that was looked at last. */
  readonly after: number;
  /** Whether there may be more at once. */
  readonly more: boolean;
  /** Whoever has opened it may not listen any more. */
  readonly gone: boolean;
  /** When the credentials end with which it was opened. */
  readonly until?: bigint | undefined;
}

/** When the service ends a stream, and how often something is sent there. */
export interface StreamTerms {
  readonly endsAt: bigint | undefined;
  readonly beat: bigint | undefined;
}

/** What is recorded of an event: JSON text; the row as it was then, where a stream needs it. */
export function contentOf(event: {
  readonly resource: string;
  readonly key: number;
  readonly data: string | null;
  readonly values?: readonly Value[];
}): string {
  const { resource, key, data, values } = event;
  const row = values === undefined ? "" : `,"row":"${serialize(values).toString("base64")}"`;
  const about = `{"resource":${JSON.stringify(resource)},"key":${key}${row}`;
  return `${about}${DATA}${data ?? "null"}}`;
}

const DATA = ',"data":';

/** The data as it was written, without losing a digit, and the row that the event is about. */
function readContent(content: string): { readonly data: string; readonly row: Row } {
  const at = content.indexOf(DATA);
  const about = JSON.parse(`${content.slice(0, at)}}`) as {
    resource: string;
    key: number;
    row?: string;
  };
  const { resource, key, row } = about;
  const values = row === undefined ? [] : (deserialize(Buffer.from(row, "base64")) as Value[]);
  return { data: content.slice(at + DATA.length, -1), row: { resource, key, values } };
}

/** The content with its row as `heirs` gives it; undefined: it gives none. */
export function retold(content: string, heirs: (row: Row) => Row | undefined): string | undefined {
  const { data, row } = readContent(content);
  const made = heirs(row);
  if (made === row) return content;
  if (made === undefined) return undefined;
  const { resource, key, values } = made;
  return contentOf({ resource, key, data, ...(values.length === 0 ? {} : { values }) });
}

interface ReaderParts {
  readonly program: Program;
  readonly credentials: Credentials;
}

/** The streams of a plan. */
export class StreamReader {
  private readonly streams: ReadonlyMap<string, Stream>;
  /** Names of the events that each stream sends. */
  private readonly sent: ReadonlyMap<string, ReadonlySet<string>>;
  private readonly program: Program;
  private readonly names: EventNames;
  private readonly standing: Standing;

  /** `secret`: of the store, by which events are named. */
  constructor(plan: Plan, parts: ReaderParts, secret: Uint8Array) {
    const { program } = parts;
    this.program = program;
    this.standing = new Standing(parts);
    this.names = new EventNames(secret);
    this.streams = new Map(plan.streams.map((one) => [one.name, one]));
    this.sent = new Map(
      plan.streams.map(({ name }) => [
        name,
        new Set(
          plan.events.flatMap((event) =>
            isStated(event.sentTo) &&
            event.sentTo.value.some((one) => one.to === "stream" && one.name === name)
              ? [event.name]
              : [],
          ),
        ),
      ]),
    );
  }

  /** Whether a stream that was opened is stated still, with the parameters of its path. */
  states({ stream, path }: Opening): boolean {
    const stated = this.streams.get(stream)?.path;
    if (stated === undefined || !isStated(stated)) return false;
    const names = [...stated.value.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
    const given = path.map(([name]) => name);
    return names.toSorted().join() === given.toSorted().join();
  }

  /** What holds of a stream that is opened now. */
  terms(name: string, now: bigint): StreamTerms {
    const { ends, heartbeat } = this.streams.get(name) ?? {};
    const time = isStated(ends) ? durationOf(ends.value) : undefined;
    const beat = isStated(heartbeat) ? durationOf(heartbeat.value) : undefined;
    return { endsAt: time === undefined ? undefined : now + time, beat };
  }

  private endsBehind(name: string, event: string): boolean {
    return this.streams.get(name)?.endsBehind?.includes(event) === true;
  }

  /** Whether the event that a client names was the last of its stream. */
  isOver({ stream, lastEventId = "" }: Opening, session: Session): boolean {
    const stated = this.streams.get(stream);
    if (stated?.endsBehind === undefined || !isStated(stated.resume)) return false;
    const number = this.names.numberOf(stream, lastEventId);
    if (number === undefined) return false;
    const [last] = session.events.after(number - 1, 1);
    return last?.number === number && this.endsBehind(stream, last.event);
  }

  /** The number behind which a stream begins: what the client names, as far back as it is kept. */
  begin({ stream, lastEventId }: Opening, session: Session): number {
    const last = session.events.last();
    const resume = this.streams.get(stream)?.resume;
    if (!isStated(resume) || lastEventId === undefined) return last;
    // A name that was never given is none: the stream begins now.
    return Math.min(this.names.numberOf(stream, lastEventId) ?? last, last);
  }

  /** What follows a number, as the caller sees it; a promise: to be read when it is kept. */
  read(
    opening: Opening,
    after: number,
    session: Session,
    ambient: Ambient,
  ): Portion | Promise<void> {
    const { stream } = opening;
    const path = new Map(opening.path);
    const listener = this.standing.judge(opening, session, ambient);
    if (listener instanceof Promise) return listener;
    if (listener === undefined) return { text: "", after, more: false, gone: true };
    const { caller, until, rows, isOver } = listener;
    const events = session.events.after(after, EVENTS_MAX);
    const from = this.keptFrom(stream, ambient.now);
    let text = "";
    let seen = after;
    for (const one of events) {
      if (text.length >= TEXT_MAX) return { text, after: seen, more: true, gone: false, until };
      seen = one.number;
      if (one.at < from || this.sent.get(stream)?.has(one.event) !== true) continue;
      const shown = this.shown(stream, one, { caller, path, rows, session, ambient });
      text += shown;
      if (shown !== "" && this.endsBehind(stream, one.event)) {
        return { text, after: seen, more: false, gone: true, until };
      }
    }
    const more = events.length === EVENTS_MAX;
    return { text, after: seen, more, gone: isOver && !more, until };
  }

  private keptFrom(name: string, now: bigint): bigint {
    const resume = this.streams.get(name)?.resume;
    const micros = isStated(resume) ? durationOf(resume.value.kept) : undefined;
    return micros === undefined ? 0n : now - micros;
  }

  private shown(
    stream: string,
    { number, event, content }: Recorded,
    to: {
      readonly caller: Row | null;
      readonly path: ReadonlyMap<string, string>;
      readonly rows: ReadonlyMap<string, Row>;
      readonly session: Session;
      readonly ambient: Ambient;
    },
  ): string {
    const { data, row } = readContent(content);
    const { caller, path, rows, session, ambient } = to;
    const happened = { event, row, caller, path, rows };
    const isSeen = this.program.streams.sees(stream, happened, session, ambient);
    return isSeen
      ? `id: ${this.names.nameOf(stream, number)}\nevent: ${event}\ndata: ${data}\n\n`
      : "";
  }
}
