/** What a run of verification is given, and what comes of it. */
import type { ReceiverTold } from "./events/arrival.ts";
import type { RaceCounts } from "./races/told.ts";
import type { Session, SessionOptions } from "./session.ts";
import type { NotShrunk, Shrunk } from "./shrink/shrink.ts";

/** Seconds and requests are bounds of the search; showing breaks again has its own. */
export interface VerifyOptions extends Omit<SessionOptions, "now"> {
  readonly seed: number;
  readonly requestsMax: number;
  readonly secondsMax: number;
  /** Requests that may be made to show breaks again in fewer requests. */
  readonly shrinkMax: number;
  /** Requests that may be made at the same time as others, and for that. Default: none. */
  readonly racesMax?: number;
  /** Broken answers after which it ends: the model and the service are too far apart to go on. */
  readonly breaksMax: number;
  /** Milliseconds that are waited for what is to happen by itself. Default: 5 s. */
  readonly patienceMs?: number;
  /** Of the way from the service to the receiver of its messages. */
  readonly receiver?: ReceiverTold | undefined;
  /** Told after each request. */
  readonly progress?: (session: Session) => void;
  /** Told before each break that is shown again in fewer requests: how many are done. */
  readonly shrinking?: (done: number, of: number) => void;
  /** Ends it as soon as it can be ended; what was found up to then is the result. */
  readonly signal?: AbortSignal;
}

/** What a run came to. */
export interface Verified {
  readonly session: Session;
  readonly shrunk: readonly (Shrunk | NotShrunk)[];
  readonly seconds: number;
  /** Undefined: no requests were made at the same time. */
  readonly races?: RaceCounts;
  /** Which bound ended it; or nothing new was found, no answer came, it was told to. */
  readonly ended:
    | "nothing new"
    | "requests"
    | "seconds"
    | "broken answers"
    | "no answer"
    | "stopped";
  readonly fault?: string;
}
