/** Judges what HTTP itself asks of a request whose head could be read, before any document. */

import type { HttpCondition } from "../../plan/index.ts";
import type { HostBounds } from "./bounds.ts";

/** A head. `version`: its numbers, such as `1.1`. */
interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly version: string;
  /** Names and values in turn, as sent. */
  readonly rawHeaders: readonly string[];
}

/** An authority without user information (RFC 9110 section 7.2), or nothing. */
const HOST = /^[^\s/?#@,\\]*$/;
const HOST_LENGTH = "host".length;
const CODING_LENGTH = "transfer-encoding".length;
const ABSOLUTE = /^https?:\/\/[^/?#@\s]+(?:[/?]|$)/i;

/** The condition that the head meets; undefined: it may be served. */
export function judgeHead(
  { method, url, version, rawHeaders }: RequestHead,
  bounds: Pick<HostBounds, "targetBytesMax" | "headerBytesMax">,
): HttpCondition | undefined {
  if (version !== "1.1" && version !== "1.0") return "unknown HTTP version";
  if (url.length > bounds.targetBytesMax) return "target too long";
  const { bytes, hosts, codings } = fieldFacts(rawHeaders);
  if (bytes > bounds.headerBytesMax) return "header section too large";
  if (!isTarget(method, url)) return "malformed request";
  const [host] = hosts;
  if (hosts.length > 1 || (host === undefined && version === "1.1")) return "malformed request";
  if (host !== undefined && !HOST.test(host)) return "malformed request";
  return judgeCodings(codings, version);
}

const NONE: readonly string[] = [];

/** What is asked of the field lines, gone through once: this is done for every request. */
function fieldFacts(rawHeaders: readonly string[]): {
  readonly bytes: number;
  readonly hosts: readonly string[];
  readonly codings: readonly string[];
} {
  let bytes = 0;
  let hosts = NONE;
  let codings = NONE;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? "";
    const value = rawHeaders[i + 1] ?? "";
    bytes += name.length + value.length + 4;
    if (name.length === HOST_LENGTH && name.toLowerCase() === "host") hosts = [...hosts, value];
    else if (name.length === CODING_LENGTH && name.toLowerCase() === "transfer-encoding") {
      codings = [...codings, value];
    }
  }
  return { bytes, hosts, codings };
}

/** RFC 9112 sections 6.1 and 6.3: what is not chunked at last has no end that can be known. */
function judgeCodings(values: readonly string[], version: string): HttpCondition | undefined {
  if (values.length === 0) return undefined;
  const codings = values.join(",").split(",");
  const [last = "", ...others] = codings.map((one) => one.trim().toLowerCase()).reverse();
  // Before HTTP/1.1 there were no codings: the framing is not to be trusted.
  if (version === "1.0" || last !== "chunked") return "malformed request";
  return others.length > 0 ? "unknown transfer coding" : undefined;
}

/** Bytes of the field lines. */
export function bytesOf(rawHeaders: readonly string[]): number {
  let bytes = 0;
  for (const text of rawHeaders) bytes += text.length + 2;
  return bytes;
}

function isTarget(method: string, url: string): boolean {
  return url === "*" ? method === "OPTIONS" : url.startsWith("/") || ABSOLUTE.test(url);
}
