/** Texts of answers that stand in later requests: when another answer comes, they are replaced. */
import type { RawAnswer, RawRequest } from "../histories/talk.ts";

/** Shorter ones stand in other texts by chance. */
const LENGTH_MIN = 6;

function* pairsIn(own: unknown, other: unknown): Generator<readonly [string, string]> {
  if (typeof own === "string" && typeof other === "string") {
    if (own !== other && own.length >= LENGTH_MIN) yield [own, other];
  } else if (typeof own === "object" && own !== null) {
    if (typeof other !== "object" || other === null) return;
    for (const [name, one] of Object.entries(own)) {
      yield* pairsIn(one, (other as Record<string, unknown>)[name]);
    }
  }
}

function parsed({ body }: RawAnswer): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Texts of an answer, each with the one that stands in the same place of another answer. */
export function textsBetween(own: RawAnswer, other: RawAnswer): Map<string, string> {
  const fields = ({ headers }: RawAnswer): unknown => Object.fromEntries(headers);
  return new Map([...pairsIn(parsed(own), parsed(other)), ...pairsIn(fields(own), fields(other))]);
}

/** Whether a request carries one of the texts. */
export function carries(request: RawRequest, texts: Iterable<string>): boolean {
  const all = JSON.stringify(request);
  return [...texts].some((text) => all.includes(text));
}

/** The request with other texts in place of those that it carries. */
export function renamed(request: RawRequest, names: ReadonlyMap<string, string>): RawRequest {
  let all = JSON.stringify(request);
  for (const [own, other] of names) {
    all = all.replaceAll(JSON.stringify(own).slice(1, -1), JSON.stringify(other).slice(1, -1));
  }
  return JSON.parse(all) as RawRequest;
}

/** The request under another idempotency key, where it carries one in that header field. */
export function under(one: RawRequest, field: string | undefined, key: string): RawRequest {
  const headers = one.headers.map(
    ([name, value]) => [name, name.toLowerCase() === field ? key : value] as const,
  );
  return field === undefined ? one : { ...one, headers };
}
