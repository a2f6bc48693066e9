/**
 * Idempotency keys that do not hold the letters of a run: such a key was used when it is sent once
 * more, and would be answered as before.
 */

import type { Exchange } from "../session.ts";
import { keyField } from "../world/keys.ts";
import type { Request } from "../world/message.ts";

/** The header field, in small letters, that holds the key; undefined: the endpoint takes none. */
export function keyHeader({ judgement }: Pick<Exchange, "judgement">): string | undefined {
  return keyField(judgement.ran.endpoint?.idempotency);
}

/** Keys under which requests were done; a text that was refused as a key is none. */
export function usedKeys(
  exchanges: readonly Pick<Exchange, "request" | "judgement">[],
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const exchange of exchanges) {
    const { endpoint, trace } = exchange.judgement.ran;
    const item = endpoint?.idempotency?.id;
    const header = keyHeader(exchange);
    if (!trace.some(([one, came]) => one === item && came === "held")) continue;
    for (const [name, value] of exchange.request.headers) {
      if (name.toLowerCase() === header && value !== "") found.add(value);
    }
  }
  return found;
}

/** A named request with other keys in the place of those that it was sent with. */
export function withOtherKeys(
  named: Request,
  { headers }: Request,
  header: string | undefined,
  keys: ReadonlyMap<string, string>,
): Request {
  if (header === undefined || keys.size === 0) return named;
  const other = named.headers.map(([name, value], i) => {
    const sent = headers[i]?.[1] ?? "";
    return [name, name.toLowerCase() === header ? (keys.get(sent) ?? value) : value] as const;
  });
  return { ...named, headers: other };
}
