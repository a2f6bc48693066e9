/** What the host answers by itself: one table of conditions below any endpoint, and their bytes. */
import type { HttpCondition } from "../../plan/index.ts";
import type { Reply } from "../jobs/job.ts";

interface OwnEntry {
  readonly status: number;
  /** The status's name (RFC 9110, RFC 6585). */
  readonly title: string;
  readonly source: string;
}

/**
 * Conditions that a request meets before an endpoint is found for it, or while it still arrives. A
 * document may state its own answer in a row of the failure table. What they mean stands in the
 * closed list of the language.
 */
export const OWN_ANSWERS = {
  "malformed request": {
    status: 400,
    title: "Bad Request",
    source: "RFC 9112 sections 2.2, 3, 3.2, 5.1, 6.3, 7.1 and 8",
  },
  "unknown HTTP version": {
    status: 505,
    title: "HTTP Version Not Supported",
    source: "RFC 9110 section 15.6.6",
  },
  "unknown transfer coding": {
    status: 501,
    title: "Not Implemented",
    source: "RFC 9112 section 6.1",
  },
  "unknown expectation": {
    status: 417,
    title: "Expectation Failed",
    source: "RFC 9110 section 10.1.1",
  },
  "target too long": {
    status: 414,
    title: "URI Too Long",
    source: "RFC 9112 section 3",
  },
  "header section too large": {
    status: 431,
    title: "Request Header Fields Too Large",
    source: "RFC 6585 section 5",
  },
  "body too large": {
    status: 413,
    title: "Content Too Large",
    source: "RFC 9110 section 15.5.14",
  },
  "sender too slow": {
    status: 408,
    title: "Request Timeout",
    source: "RFC 9110 section 15.5.9",
  },
  "too busy": {
    status: 503,
    title: "Service Unavailable",
    source: "RFC 9110 section 15.6.4",
  },
} as const satisfies Readonly<Record<HttpCondition, OwnEntry>>;

const HEADERS: readonly string[] = ["Content-Type", "application/problem+json"];

/** The host's own answer: a problem of RFC 9457 that is of the type `about:blank`. */
export function ownAnswer(condition: HttpCondition): Reply {
  const { status, title } = OWN_ANSWERS[condition];
  return { status, headers: HEADERS, body: JSON.stringify({ title, status, detail: condition }) };
}
