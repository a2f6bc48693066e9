/** What passes between the thread that speaks HTTP and the one that writes: plain, small data. */

import type { Presented } from "../run/index.ts";

/** A request that has found its endpoint, with as much of it as the endpoint needs. */
export interface Job {
  /** Index into the endpoints of the program. */
  readonly endpoint: number;
  /** Decoded values of the path's parameters, in the order of the path. */
  readonly params: readonly string[];
  /** What stands after the first `?`, undecoded. */
  readonly query: string;
  /** Values of the headers that `Needs.headers` names, in its order. */
  readonly headers: readonly (string | undefined)[];
  /** Content as text; null: no UTF-8; undefined: none, or more than the stated size. */
  readonly body: string | null | undefined;
  readonly bodyBytes: number;
  /** SHA-256 of the content in hex, where `Needs.bodyHash` asks for it. */
  readonly bodyHash?: string;
  /** What it presents for each scheme; filled in before it is run. */
  readonly presented?: readonly Presented[];
  readonly pathBytes: number;
  readonly headerBytes: number;
  /** The peer's address. */
  readonly address: string;
  /** Microseconds since the epoch at which the request was complete. */
  readonly now: bigint;
}

/** What an endpoint needs of a request. */
export interface Needs {
  readonly headers: readonly string[];
  readonly params: readonly string[];
  readonly bodyHash: boolean;
  /** Whether credentials are read at all. */
  readonly credentials: boolean;
}

/** Something that the host's log may say; never a secret, never part of an answer. */
export interface Note {
  readonly what: "gap" | "unsupported" | "fault";
  readonly text: string;
}

export interface Reply {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
  readonly note?: Note;
}

/** What the writer is asked to do. */
export type Order =
  | { readonly is: "jobs"; readonly first: number; readonly jobs: readonly Job[] }
  /** Fire what is due. */
  | { readonly is: "time"; readonly now: bigint }
  | { readonly is: "stop" };

/** What the writer says. `due`: when something falls due next; undefined: nothing is set. */
export type Report =
  | { readonly is: "open" }
  | { readonly is: "failed"; readonly message: string }
  /** Answers to the jobs from number `first` on, after the commit. */
  | {
      readonly is: "replies";
      readonly first: number;
      readonly replies: readonly Reply[];
      readonly due: bigint | undefined;
    }
  | { readonly is: "fired"; readonly due: bigint | undefined; readonly notes: readonly Note[] }
  | { readonly is: "stopped" };
