/** The requests of one connection: in which order they are done, and how the connection ends. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { peerOf } from "../jobs/peer.ts";
import type { Content } from "./content.ts";
import { hasContent } from "./content.ts";
import { endCrumbs } from "./crumbs.ts";
import type { Service } from "./service.ts";
import type { Target } from "./target.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly target: Target;
  readonly startMs: number;
  readonly line: Line;
  /** Who answers it: known for good when it is begun. */
  service: Service;
  /** The client's address. */
  readonly address: string;
  /** Names it, in the log too. */
  readonly id: string;
  /** The endpoint that it has found. */
  endpoint?: number;
  /** What `Expect` says: the client waits for `100 Continue`, or for something unknown. */
  readonly expects: "continue" | "unknown" | undefined;
  /** `100 Continue` was sent. */
  continued?: boolean;
  /** Its content, where it has come whole and the request is to begin again. */
  content?: Whole;
}

/** The content of a request. */
interface Whole {
  readonly content: Content;
  /** Nobody holds it any more. */
  over(): void;
}

/** Methods whose requests may be done side by side (RFC 9110 section 9.2.1). */
const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

const isSafe = ({ request }: Exchange): boolean => SAFE.has(request.method ?? "");

let numbered = 0;

/**
 * A connection. Its requests are begun in their order, side by side while all are safe (RFC 9112
 * section 9.3.2); their answers are sent in that order by the HTTP library.
 */
export class Line {
  readonly socket: Socket;
  /** Names it, in this process. */
  readonly number = ++numbered;
  /** Whose it is. */
  readonly peer: string;
  /** An answer was given that tells the client that it is the last. */
  isLast = false;
  private readonly most: number;
  private readonly begin: (exchange: Exchange) => void;
  /** Not begun yet, in their order. */
  private queue: Exchange[] = [];
  /** Begun and not answered. */
  private readonly unanswered = new Set<Exchange>();
  /** Begun, and not taken by the client. */
  private readonly open = new Set<Exchange>();
  private isAdvancing = false;
  /** Reading waits, because so much is asked. */
  private isHeld = false;
  private last: Exchange | undefined;
  /** Sends what ends the connection, when all before it is sent. */
  private ending: (() => void) | undefined;
  private hasEnded = false;

  constructor(socket: Socket, most: number, begin: (exchange: Exchange) => void) {
    this.socket = socket;
    this.peer = peerOf(socket.remoteAddress ?? "");
    this.most = most;
    this.begin = begin;
  }

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return this.open.size === 0 && this.queue.length === 0 && this.ending === undefined;
  }

  /** Whether more than one answer waits for the client. */
  get hasMore(): boolean {
    return this.open.size > 1;
  }

  /** Whether no further request of it counts. */
  get isEnding(): boolean {
    return this.ending !== undefined;
  }

  /** Whether its last request has come whole. */
  get isWhole(): boolean {
    return this.last?.request.complete === true;
  }

  take(exchange: Exchange): void {
    const { request } = exchange;
    if (hasContent(request)) endCrumbs(request);
    this.last = exchange;
    this.queue.push(exchange);
    // Nobody reads on for a client that asks on without listening.
    if (this.queue.length > this.most && !this.isHeld) {
      this.isHeld = true;
      this.socket.pause();
    }
    this.advance();
  }

  /** Its answer is known. */
  answered(exchange: Exchange): void {
    if (this.unanswered.delete(exchange)) this.advance();
  }

  isAnswered(exchange: Exchange): boolean {
    return !this.unanswered.has(exchange) && !this.queue.includes(exchange);
  }

  /** Its answer was taken, or never will be. */
  closed(exchange: Exchange): void {
    this.unanswered.delete(exchange);
    this.open.delete(exchange);
    this.advance();
  }

  /**
   * What follows on the connection is no request: when all that was asked is answered, `end` sends
   * what there is to say of it. A request whose body was not whole is not done, and `end` is
   * given it to answer, unless it was answered before its end (`said`).
   */
  end(end: (cut: Exchange | "said" | undefined) => void): void {
    if (this.ending !== undefined) return;
    const broken = this.last?.request.complete === false ? this.last : undefined;
    const isSaid = broken !== undefined && this.isAnswered(broken);
    if (broken !== undefined && !isSaid) this.drop(broken);
    this.ending = () => end(isSaid ? "said" : broken);
    this.advance();
  }

  /** Nobody is there any more: what was not begun is not done. */
  gone(): void {
    this.shut();
    this.queue = [];
  }

  /** The last answer is sent: what comes in after is no request. */
  shut(): void {
    this.ending ??= () => {};
    this.hasEnded = true;
  }

  private drop(exchange: Exchange): void {
    this.unanswered.delete(exchange);
    if (this.open.delete(exchange)) return;
    this.queue = this.queue.filter((one) => one !== exchange);
  }

  private mayBegin(next: Exchange): boolean {
    if (this.open.size >= this.most) return false;
    if (this.unanswered.size === 0) return true;
    return isSafe(next) && [...this.unanswered].every(isSafe);
  }

  private advance(): void {
    // An answer that is known at once comes back here before `begin` returns.
    if (this.isAdvancing) return;
    this.isAdvancing = true;
    for (let next = this.queue[0]; next && this.mayBegin(next); next = this.queue[0]) {
      this.queue.shift();
      this.unanswered.add(next);
      this.open.add(next);
      this.begin(next);
    }
    this.isAdvancing = false;
    if (this.isHeld && this.queue.length <= this.most) {
      this.isHeld = false;
      this.socket.resume();
    }
    if (!this.ending || this.hasEnded || this.open.size > 0 || this.queue.length > 0) return;
    this.hasEnded = true;
    this.ending();
  }
}
