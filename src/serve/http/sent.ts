/** The header fields of an answer as it is sent, but for those that are about its connection. */
import type { Reply } from "../jobs/job.ts";
import { type Coded, codingsTaken } from "./coding.ts";
import type { Heard } from "./heard.ts";
import type { Service } from "./service.ts";

/** What decides on them besides the answer. */
interface Asking extends Pick<Heard, "headers"> {
  readonly service: Pick<Service, "crossOrigin">;
  readonly isUnread?: boolean;
}

/** Names and values in turn. */
export function fieldsSent(
  { status, headers: stated }: Reply,
  { body, headers: coding }: Coded,
  { service, headers, isUnread }: Asking,
): string[] {
  const sent = [...stated, ...coding, ...codingsTaken(status, headers["content-encoding"])];
  if (body !== undefined) sent.push("Content-Length", String(Buffer.byteLength(body)));
  else if (status !== 204 && status !== 304) sent.push("Content-Length", "0");
  if (service.crossOrigin) sent.push(...service.crossOrigin.headers(headers.origin, isUnread));
  return sent;
}
