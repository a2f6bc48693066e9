/** What is told of each answer, for the log and for figures. */

import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Note, Reply } from "../jobs/job.ts";
import type { Proxies, Sender } from "./proxies.ts";

/** An answer that was given. */
export interface Told {
  /** A method that the HTTP library knows, or `-`. */
  readonly method: string;
  /** The path as it was sent, without its query; it may hold what is secret. */
  readonly path: string;
  /** The method and path of the document, such as `GET /books/{id}`; undefined: of no endpoint. */
  readonly endpoint?: string | undefined;
  readonly status: number;
  /** Milliseconds from the end of the head until the answer was known. */
  readonly tookMs: number;
  /** The client's address. */
  readonly address: string;
  /** Names the request in the log. */
  readonly id: string | undefined;
  /** The gap that was met. */
  readonly gap: Note["gap"];
  /** The fields of W3C Trace Context that came with it; undefined: none came. */
  readonly trace?: TraceFields | undefined;
}

/** Header fields that name the trace of which a request is a part. */
interface TraceFields {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** Those of a request. */
export function traceOf({ headers }: Pick<IncomingMessage, "headers">): TraceFields | undefined {
  const { traceparent, tracestate } = headers;
  if (typeof traceparent !== "string") return undefined;
  return typeof tracestate === "string" ? { traceparent, tracestate } : { traceparent };
}

/** What a reply tells: its status, and the gap that was met. */
export function toldOf({ status, notes = [] }: Reply): Pick<Told, "status" | "gap"> {
  return { status, gap: notes.find((one) => one.gap !== undefined)?.gap };
}

const GIVEN = /^[A-Za-z0-9._:-]{1,128}$/;

/** Names requests in the log: by what a trusted proxy calls them, else by names of its own. */
export class RequestIds {
  private readonly start = randomBytes(6).toString("hex");
  private count = 0;

  of({ socket, headers }: Sender, proxies: Proxies): string {
    const given = headers["x-request-id"];
    const isKept =
      typeof given === "string" && GIVEN.test(given) && proxies.trusts(socket.remoteAddress ?? "");
    return isKept ? given : `${this.start}-${(++this.count).toString(36)}`;
  }
}
