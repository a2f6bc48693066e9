/** What a proxy tells of the traffic that it has passed on. */
import type { Answer, Fields, Request } from "../world/message.ts";

/** Text, or bytes that are none (or are coded); undefined: no content. */
export type Content = string | Uint8Array | undefined;

/** One request with its answer, as both were passed on. */
export interface Passed {
  readonly method: string;
  readonly target: string;
  readonly headers: Fields;
  readonly body: Content;
  /** 0: no answer came. */
  readonly status: number;
  readonly answered: Fields;
  readonly answerBody: Content;
  /** Microseconds since 1970: when the request came, and when its answer had gone. */
  readonly sent: number;
  readonly received: number;
  /** Why it cannot be judged. */
  readonly missing?: Missing;
}

/** Why an exchange is not judged. */
export type Missing =
  /** A content is larger than what is kept of one. */
  | "too large"
  /** The answer goes on for as long as its client listens. */
  | "a stream"
  /** The client or the service has ended it early, or no answer came at all. */
  | "cut off"
  /** The connection was taken over by another protocol. */
  | "an upgrade"
  /** More came than could be judged. */
  | "no time";

/** An exchange that can be judged. */
export interface Judged {
  readonly request: Request;
  readonly answer: Answer;
}

/** An exchange that waits for its turn. */
export interface Waiting extends Judged {
  readonly missing?: Missing | "no text";
}

/** What is told at a time. */
export interface Batch {
  readonly passed: readonly Passed[];
  /** Exchanges of which nothing is known any more. */
  readonly lost: number;
  /** When the oldest request came that is under way still, in microseconds; none: infinite. */
  readonly open: number;
}

/** Microseconds since 1970. */
export function micros(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000);
}
