/** What passes between the receiver and the thread in which it listens. */
import type { Fields } from "../world/message.ts";

/** What an operator tells of the way from the service to the receiver. */
export interface ReceiverTold {
  /** What addresses of receivers begin with, where something outside leads from there to here. */
  readonly address?: string;
  /** The port of 127.0.0.1 to listen on. Default: a free one. */
  readonly port?: number;
  /** PEM texts: with them it listens by HTTPS. */
  readonly certificate?: string;
  readonly key?: string;
}

/** How attempts at an address are answered: statuses in turn, of which the last stays. */
export interface Behaviour {
  readonly statuses: readonly [number, ...number[]];
  /** The first answer is so late. */
  readonly lateMs?: number;
}

/** A request that came. Times are microseconds since 1970. */
export interface Arrival {
  /** Path and query. */
  readonly target: string;
  readonly method: string;
  readonly headers: Fields;
  readonly body: string;
  readonly at: bigint;
  /** The status with which it was answered; undefined: not yet. */
  status?: number;
  answeredAt?: bigint;
}

/** What the thread tells: of an arrival, then of its answer. */
export type ThreadNews =
  | { readonly number: number; readonly arrival: Arrival }
  | { readonly number: number; readonly status: number; readonly answeredAt: bigint };

/** What the thread is told: how attempts at a path are answered from now on. */
export interface Order {
  readonly target: string;
  /** Undefined: as is good. */
  readonly behaviour: Behaviour | undefined;
}

/** What the thread says of itself: where it listens, that an order is carried out, why not. */
export type ThreadSaid =
  | { readonly port: number }
  | { readonly done: true }
  | { readonly fault: string };
