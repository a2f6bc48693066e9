/** What is known of a request that is answered, whether it could be read to its end or not. */
import type { IncomingHttpHeaders } from "node:http";
import type { Asked } from "../../run/index.ts";
import type { Head } from "./broken.ts";
import type { Exchange } from "./line.ts";
import { splitTarget, type Target } from "./target.ts";

export interface Heard {
  /** Its texts are empty where they are not known. */
  readonly asked: Asked;
  readonly target: Target;
  readonly headers: IncomingHttpHeaders;
  /** Whether its head may have had more than this. */
  readonly isUnread: boolean;
}

/** A request whose head was read. */
export function heardOf({ request, target, id }: Exchange): Heard {
  const { method = "", url = "", headers } = request;
  return { asked: { id, method, url }, target, headers, isUnread: false };
}

/** Header fields by their names; lines of one name are joined (RFC 9110 section 5.3). */
export function headersOf({ rawHeaders }: Pick<Head, "rawHeaders">): IncomingHttpHeaders {
  const found = new Map<string, string>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase();
    const before = found.get(name);
    const value = rawHeaders[i + 1] ?? "";
    found.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(found);
}

const NOWHERE: Target = { path: "", query: "" };

/** A request of which this head was read, or a part of it, or nothing. */
export function heardIn(
  head: Head | undefined,
  { id, headers, isUnread }: Pick<Heard, "headers" | "isUnread"> & Pick<Asked, "id">,
): Heard {
  const { method = "", url = "" } = head ?? {};
  const target = url === "" ? NOWHERE : splitTarget(url);
  return { asked: { id, method, url }, target, headers, isUnread };
}
