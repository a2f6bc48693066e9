/** The lines of the log: text for people, or one JSON object a line for other programs. */
import type { Told } from "../http/told.ts";
import type { Note } from "../jobs/job.ts";

/** `notes`: what the service has to say of itself alone; else also each answer. */
export type LogKind = "notes" | "text" | "json";

/** What writes the log of a service. */
export interface Log {
  /** Something that the log may say; `of` is the request that it comes from. */
  note(note: Note, of?: { readonly id: string | undefined }): void;
  /** An answer was given; undefined: the log says nothing of answers. */
  readonly answered: ((told: Told) => void) | undefined;
}

/** The log that is asked for; without anybody who takes its lines it says nothing. */
export function logOf(asked: {
  readonly log?: ((line: string) => void) | undefined;
  readonly logAs?: LogKind | undefined;
}): Log {
  const { log, logAs = "notes" } = asked;
  return log === undefined ? { note: () => {}, answered: undefined } : makeLog(logAs, log);
}

/** A log of that kind, which gives its lines, without their ends, to `write`. */
function makeLog(kind: LogKind, write: (line: string) => void): Log {
  switch (kind) {
    case "notes":
      return { note: textOf(write), answered: undefined };
    case "text":
      return {
        note: textOf(write),
        answered: ({ method, path, status, tookMs }) =>
          write(`${method} ${path} ${status} ${tookMs.toFixed(1)} ms`),
      };
    case "json":
      return {
        note: (note, of) => {
          // The line of the request says which gap it met.
          if (note.gap === undefined || of === undefined) write(noteLine(note, of?.id));
        },
        answered: (told) => write(requestLine(told)),
      };
  }
}

const textOf =
  (write: (line: string) => void) =>
  ({ what, text }: Note): void =>
    write(`${what}: ${text}`);

/** The line of an event of the service, such as its start. */
export function eventLine(event: string, members: Readonly<Record<string, unknown>>): string {
  return line("info", event, members);
}

type Level = "info" | "warn" | "error";

const LEVELS = {
  gap: "warn",
  unsupported: "warn",
  fault: "error",
  changed: "info",
  busy: "warn",
  clock: "warn",
  store: "warn",
  explained: "info",
} as const satisfies Readonly<Record<Note["what"], Level>>;

function noteLine({ what, text, gap }: Note, id: string | undefined): string {
  const about = gap === undefined ? { text } : { gap: gap.id, place: gap.place };
  return line(LEVELS[what], what, { id, ...about });
}

/** The endpoint stands for the path, which may hold what is secret. */
function requestLine({ method, endpoint, status, tookMs, address, id, gap }: Told): string {
  const isFault = status >= 500 && gap === undefined;
  const level = isFault ? "error" : gap === undefined ? "info" : "warn";
  return line(level, "request", {
    id,
    method,
    endpoint: endpoint ?? null,
    status,
    ...(gap === undefined ? {} : { gap: gap.id, place: gap.place }),
    ms: Math.round(tookMs * 1000) / 1000,
    address,
  });
}

function line(level: Level, event: string, members: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ time: new Date().toISOString(), level, event, ...members });
}
