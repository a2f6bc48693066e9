/** What the HTTP side asks of a service; it knows no engine, store or thread. */
import type { IncomingHttpHeaders } from "node:http";
import type { FailureCondition, HttpCondition, ItemId } from "../../plan/index.ts";
import type { Match } from "../../run/index.ts";
import type { FailureAbout } from "../engine/failure-about.ts";
import type { Job, Needs, Opening, Reply } from "../jobs/job.ts";
import type { Sink } from "../streams/hub.ts";
import type { CrossOrigin } from "./cors.ts";
import type { Target } from "./target.ts";

/** All that answers behind one address. */
export interface Front {
  /** Whoever answers the requests that begin now. */
  readonly current: Service;
  /** Whether no further request is to be begun at this moment. */
  readonly isTurning: boolean;
  /** Whether so many requests wait to be written that a further one is to be read later. */
  readonly full: boolean;
}

/** What of a request may name a version. */
interface Named {
  readonly target: Target;
  readonly request: { readonly headers: IncomingHttpHeaders };
}

/** Answers by one document. A request is answered by one, from its beginning to its end. */
export interface Service {
  /** Whoever answers the version that a request names. Default: there is one version. */
  readonly versionOf?: ((named: Named) => Service) | undefined;
  match(method: string, rawPath: string): Match;
  needs(endpoint: number): Needs;
  /** Its method and path, as the document has them. */
  nameOf(endpoint: number): string;
  /** Bytes of a body that are kept; a job with more carries none. */
  readonly bodyBytesMax: number | undefined;
  /** Whether requests to the endpoint wait for the writer. */
  writes(endpoint: number): boolean;
  now(): bigint;
  /** Answers a job, at once or later; `id` names its request in the log. */
  answer(job: Job, done: (reply: Reply) => void, id?: string): void;
  /** Sends a stream until it ends. */
  open(opening: Opening, sink: Sink): void;
  readonly crossOrigin?: CrossOrigin;
  /** What a page of another origin meets where it is not shown whether it may ask. */
  readonly crossOriginGap?: ItemId;
  /** The answer of a request that meets the gap. */
  gap(id: ItemId, about: FailureAbout): Reply;
  fail(condition: FailureCondition, about: FailureAbout): Reply;
  /** The answer to what HTTP itself asks: as the document states it, or else the host's own. */
  own(condition: HttpCondition, about: FailureAbout): Reply;
  /** The answer to OPTIONS, of a path or, where `headers` tell of none, of `*`. */
  options(headers: readonly string[], about: FailureAbout): Reply;
  /** The answer of a request that a fault of the host itself has ended. */
  fault(text: string, about: FailureAbout): Reply;
}
