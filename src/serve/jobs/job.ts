/** What passes between the thread that speaks HTTP and the one that writes: plain, small data. */
import type { ItemId } from "../../plan/index.ts";
import type { Message, Presented, Receiver } from "../../run/index.ts";
import type { Replay, Unfinished } from "./ask.ts";
import type { Hashed, Unhashed } from "./hashed.ts";

/** What a request shows of who asks. */
export interface Shown {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly query: string;
  readonly address: string;
  /** Slow hashes that were made for it. */
  readonly hashed: readonly Hashed[];
}

/** A stream that a caller has opened. */
export interface Opening {
  readonly stream: string;
  /** Names and decoded values of the parameters of its path. */
  readonly path: readonly (readonly [name: string, value: string])[];
  /** Undefined: whoever opened it is nobody known. */
  readonly caller: { readonly resource: string; readonly key: number } | undefined;
  /** What of the request its credentials stand in: kept in memory alone, while it is open. */
  readonly shown: Shown;
  /** What the client says it got last. */
  readonly lastEventId: string | undefined;
}

/** A request that has found its endpoint, with as much of it as the endpoint needs. */
export interface Job {
  /** Names the request, in the log too. */
  readonly id: string;
  /** Index into the endpoints of the program. */
  readonly endpoint: number;
  /** Which of the older documents it is for, by its index. Default: it is for the newest. */
  readonly older?: number;
  /** The path, undecoded. */
  readonly path: string;
  /** Decoded values of the path's parameters, in the order of the path. */
  readonly params: readonly string[];
  /** What stands after the first `?`, undecoded. */
  readonly query: string;
  /** Values of the headers that `Needs.headers` names, in its order. */
  readonly headers: readonly (string | undefined)[];
  /** Content as text, or in base64; null: no UTF-8; undefined: none, or more than the size. */
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
  /** Names the connection that it came in on. */
  readonly line?: number;
  /** Microseconds since the epoch at which the request was complete. */
  readonly now: bigint;
  /** Which request it is since the service started, where what is free is chosen by a seed. */
  readonly number?: number;
  /** Slow hashes that were made for it. */
  readonly hashed?: readonly Hashed[];
  /** Where a time to answer is stated: who may still answer it, and when it began. */
  readonly turn?: Int32Array;
  readonly begunMs?: number;
  /** What it is run again with, now that a call has been answered. */
  readonly replay?: Replay;
}

/** What an endpoint needs of a request. */
export interface Needs {
  readonly headers: readonly string[];
  readonly params: readonly string[];
  readonly bodyHash: boolean;
  /** Whether the content is passed on in base64, for it is no text. */
  readonly binary: boolean;
  /** Whether credentials are read at all. */
  readonly credentials: boolean;
}

/** Something that the host's log may say; never a secret, never part of an answer. */
export interface Note {
  readonly what:
    | "gap"
    | "unsupported"
    | "fault"
    | "changed"
    | "busy"
    | "clock"
    | "store"
    | "explained";
  readonly text: string;
  /** The gap that was met. */
  readonly gap?: { readonly id: ItemId; readonly place: string };
}

/** What the log says of a gap that was met. */
export function gapNote({ id, place }: { readonly id: ItemId; readonly place: string }): Note {
  return { what: "gap", text: place === "" ? id : `${id} ${place}`, gap: { id, place } };
}

export interface Reply {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
  /** The body is given in base64. */
  readonly binary?: true;
  /** The gap and the fault that were met. */
  readonly notes?: readonly Note[];
  /** No reply yet: a call has to be made, and the job submitted again. */
  readonly unfinished?: Unfinished;
  /** No reply yet: the job is to be submitted again when that work has ended. */
  readonly behind?: string;
  /** No reply yet: more is due first than was done in one go; the job is to be submitted again. */
  readonly isEarly?: true;
  /** No reply yet: a hash has to be made, and the job submitted again. */
  readonly unhashed?: Unhashed;
  /** No reply yet: the job takes long, and is to be read where nobody else waits for it. */
  readonly elsewhere?: true;
  /** A stream begins here instead of a body. */
  readonly opening?: Opening;
}

/** One attempt to be made. */
export interface Sending {
  readonly message: Message;
  readonly method: string;
  readonly address: string;
  readonly contentType: string;
  readonly secret?: string;
  /** What the document states besides. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly withinMs: number;
}

/** What became of an attempt. `arrived` false: surely nothing of it has reached the receiver. */
export interface Result {
  readonly message: Message;
  readonly status?: number;
  readonly arrived: boolean;
  /** It was none: this host itself lacked what it takes to begin. */
  readonly isUnmade?: true;
  /** It took long. */
  readonly isSlow?: boolean;
}

/** An attempt that is under way. */
export interface Busy extends Receiver {
  /** Of the message. */
  readonly number: number;
  /** Where it goes: a host with its port. */
  readonly host: string;
  /** It has been under way for long. */
  readonly isSlow: boolean;
}

/** All attempts that are under way, and how many may be. */
export interface UnderWay {
  readonly busy: readonly Busy[];
  readonly most: number;
}

export interface Collected {
  readonly sendings: readonly Sending[];
  /** When a further attempt is due; undefined: none is. */
  readonly due: bigint | undefined;
  /** Not all that wait were looked at: others may be due at once. */
  readonly isPart?: boolean;
  /**
   * By the machine's time: whoever begins an attempt later may come behind another node that has
   * taken over. Default: there is none.
   */
  readonly untilMs?: number;
}

/** What was chosen when what became of attempts was kept; else nothing is chosen. */
export interface Delivered extends Collected {
  readonly kept: boolean;
}

/** What a transaction brought about besides replies. */
export interface News {
  readonly notes: readonly Note[];
  /** Messages wait to be delivered. */
  readonly messages: boolean;
  /** Events were recorded, or who listens to them may have changed. */
  readonly events: boolean;
  /** Calls are to be made. */
  readonly calls: boolean;
}
