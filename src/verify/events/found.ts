/** What messages show of a service, and who is told. */
import type { ItemId } from "../../plan/index.ts";
import type { Difference } from "../judge/compare.ts";
import type { Judgement } from "../judge/judgement.ts";
import type { Answer, Request } from "../world/message.ts";

/** What is wrong with messages. */
type EventFault =
  | "missing"
  | "twice"
  | "out of order"
  | "wrong data"
  | "wrong signature"
  | "sent for a refused request"
  | "not expected"
  | "wrong time of an attempt"
  | "not given up"
  | "sent to others"
  | "sent again"
  | "not sent again"
  | "wrong id"
  | "not ended"
  | "ended early"
  | "no heartbeat";

/** Something that the document does not allow, beside answers. */
export interface EventBreak {
  readonly fault: EventFault;
  /** A sentence: what was seen, and what is stated. */
  readonly text: string;
  readonly items: readonly ItemId[];
  /** Number of the request that caused it, as far as that is known; else of the last one. */
  readonly number: number;
  readonly differences: readonly Difference[];
}

/** Told what messages show. */
export interface EventSink {
  held(items: Iterable<ItemId>, request: number): void;
  broken(found: EventBreak): void;
}

/** An exchange as it is taken up. */
export interface Exchange {
  readonly number: number;
  readonly request: Request;
  readonly answer: Pick<Answer, "status" | "sent" | "received">;
  readonly judgement: Judgement;
}

/** Whether the method is one that changes nothing (RFC 9110 section 9.2.1). */
export const isSafe = ({ method }: Request): boolean => ["GET", "HEAD", "OPTIONS"].includes(method);
