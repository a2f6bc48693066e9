/** What a host may be told. */
import type { Server } from "node:http";
import type { Plan } from "../plan/index.ts";
import type { ProgramOptions } from "../run/index.ts";
import type { Functions } from "./calls/door.ts";
import type { HostBounds } from "./http/bounds.ts";
import type { Thread } from "./threads/thread-start.ts";
import type { Clock } from "./time/clock.ts";
import type { AdminAddress } from "./watch/admin.ts";
import type { LogKind } from "./watch/log.ts";

/** A document that is served beside a newer one. */
interface OlderDocument {
  readonly plan: Plan;
  /** What it is called where several are spoken of. Default: the file of its places. */
  readonly name?: string;
  /** Places of items, or the JSON text of them. */
  readonly origins?: ProgramOptions["origins"] | string;
}

export interface ServeOptions {
  /** Path of the SQLite file; it is made where there is none. Either this or `memory`. */
  readonly file?: string;
  /** A store that ends with the service; it is written in the same thread. */
  readonly memory?: boolean;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: a free one. */
  readonly port?: number;
  /** Gives connections or requests to the server itself, which does not listen then. */
  readonly connected?: (server: Server) => void;
  /** Places of items, or the JSON text of them, which takes less memory. */
  readonly origins?: ProgramOptions["origins"] | string;
  /** Documents of versions before this one, the oldest first, on the same store. Default: none. */
  readonly older?: readonly OlderDocument[];
  /** What this document is called beside them. Default: the file of its places. */
  readonly name?: string;
  /** Default: the machine's. */
  readonly clock?: Clock;
  /**
   * Whether what a request will ask of PostgreSQL is asked ahead, be it alone; only with `inline`.
   * Default: where several are written together.
   */
  readonly foreseesEach?: boolean;
  /** Random bytes; only with `inline`. Default: the machine's. */
  readonly random?: (bytes: number) => Uint8Array;
  /** Lines about gaps, refused constructs and faults that requests met. Default: none. */
  readonly log?: (line: string) => void;
  /** How the lines are written, and whether there is one for each answer too. Default: `notes`. */
  readonly logAs?: LogKind;
  /** How many lines were lost because nobody took them. Default: none is ever lost. */
  readonly linesLost?: () => number;
  /** Where the operator's port listens, and the version that it tells of. Default: none does. */
  readonly admin?: AdminAddress & { readonly version: string };
  /** Traces are written by OpenTelemetry's library, of this version. Default: none are. */
  readonly traces?: { readonly version: string };
  /** Addresses and networks of proxies that say whose a request is. Default: none. */
  readonly trustProxy?: readonly string[];
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
  /** Whether an endpoint that meets a gap answers with an example of the document. Default: no. */
  readonly examples?: boolean;
  /** Whether the log tells the round trips of each transaction to a database. Default: no. */
  readonly explains?: boolean;
  /**
   * The code behind the calls: functions named as the calls, the path of an ES module that exports
   * them, or the address of a service that answers them. Default: none, and who calls is refused.
   */
  readonly code?: string | Functions;
  /** Whether stand-ins answer calls behind which no code is: for tests. Default: no. */
  readonly standIns?: boolean;
  /** Threads for reads that go through many rows; default 1. None where `memory` or `inline`. */
  readonly threads?: number;
  /** Writes in the same thread: for tests and small machines. */
  readonly inline?: boolean;
  /** A thread that was started ahead with `startThread`, to write in. */
  readonly thread?: Thread;
  readonly bounds?: Partial<HostBounds>;
}
