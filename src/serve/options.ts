/** What a host may be told, with the bounds of its own and their defaults. */
import type { ProgramOptions } from "../run/index.ts";
import type { Functions } from "./calls/door.ts";
import type { Clock } from "./clock.ts";
import type { Thread } from "./thread-start.ts";

/**
 * Bounds that protect the host itself, apart from any limit that a document states. Whoever passes
 * one meets HTTP's own answer (408, 413, 431) or a closed connection, before the document is asked.
 */
export interface HostBounds {
  /** Bytes of a request's head; node answers 431. */
  readonly headerBytesMax: number;
  /** Bytes of a body, where the document states no greater size; answered 413. */
  readonly bodyBytesMax: number;
  /** Time for the head, and for the whole request, to arrive; node answers 408. */
  readonly headersTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** How long a connection may idle between requests. */
  readonly keepAliveTimeoutMs: number;
  /** How often the times above are looked at. */
  readonly checkIntervalMs: number;
  /** Requests that may wait for the writer before sockets are no longer read. */
  readonly waitingMax: number;
  /** Requests of one connection that may wait for their answers before it is closed. */
  readonly pipelinedMax: number;
  /** Bytes of answers that may wait for their clients before no further request is taken. */
  readonly unreadBytesMax: number;
  /** How long a client may take nothing of an answer that waits for it. */
  readonly unreadTimeoutMs: number;
  /** How long `stop` waits for what it began before it closes connections. */
  readonly stopTimeoutMs: number;
}

export const DEFAULT_BOUNDS: HostBounds = {
  headerBytesMax: 16_384,
  bodyBytesMax: 8_388_608,
  headersTimeoutMs: 15_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 30_000,
  checkIntervalMs: 2_000,
  waitingMax: 4_096,
  pipelinedMax: 256,
  unreadBytesMax: 268_435_456,
  unreadTimeoutMs: 30_000,
  stopTimeoutMs: 10_000,
};

export interface ServeOptions {
  /** Path of the SQLite file; it is made where there is none. Either this or `memory`. */
  readonly file?: string;
  /** A store that ends with the service; it is written in the same thread. */
  readonly memory?: boolean;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Places of items, or the JSON text of them, which takes less memory. */
  readonly origins?: ProgramOptions["origins"] | string;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Random bytes; only with `inline`. Default: the machine's. */
  readonly random?: (bytes: number) => Uint8Array;
  /** Lines about gaps, refused constructs and faults that requests met. Default: none. */
  readonly log?: (line: string) => void;
  /** A line for each request as well: method, path without query, status, milliseconds. */
  readonly accessLog?: boolean;
  /** Texts of the document's settings by name; they win over the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where `LACUNA_SETTING_<NAME>` is looked up. Default: the environment of the program. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** JSON text: for each resource that is given rows at the start, a list of objects. */
  readonly startRows?: string;
  /** Whether messages may be sent to addresses inside the host's own network. Default: no. */
  readonly allowPrivateReceivers?: boolean;
  /** Seed by which all that the document leaves free is chosen: to try clients with. */
  readonly shake?: string;
  /**
   * The code behind the calls: functions named as the calls, the path of an ES module that exports
   * them, or the address of a service that answers them. Default: none, and who calls is refused.
   */
  readonly code?: string | Functions;
  /** Whether stand-ins answer calls behind which no code is: for tests. Default: no. */
  readonly standIns?: boolean;
  /** Writes in the same thread: for tests and small machines. */
  readonly inline?: boolean;
  /** A thread that was started ahead with `startThread`, to write in. */
  readonly thread?: Thread;
  readonly bounds?: Partial<HostBounds>;
}

/** `jwt_key` is looked up as `LACUNA_SETTING_JWT_KEY`. */
export function environmentName(setting: string): string {
  return `LACUNA_SETTING_${setting.toUpperCase()}`;
}

/** Why a plan cannot be served as asked: one sentence for each reason. */
export class CannotServe extends Error {
  readonly reasons: readonly string[];
  /** `EADDRINUSE` where the address is in use, else `CANNOT_SERVE`. */
  readonly code: string;

  constructor(reasons: readonly string[], code = "CANNOT_SERVE") {
    super(reasons.join("\n"));
    this.name = "CannotServe";
    this.code = code;
    this.reasons = reasons;
  }
}
