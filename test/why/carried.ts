/** Requests that other sessions hold, asked of the rows of this one; sessions with other callers. */
import type { Plan } from "../../src/plan/index.ts";
import type { Session, Step } from "../gaps/play.ts";
import type { RawRequest } from "../histories/talk.ts";
import type { Target } from "./listing.ts";
import type { Variant } from "./variants.ts";

/** A key of a row that tells by its beginning of which resource it is. */
const KEY = /\b([a-z]+_)[0-9a-z]{26}\b/g;
const OF_ONE_ENDPOINT = 2;
const CALLERS_MAX = 3;
const CREDENTIAL = /^(authorization|cookie|x-api-key)$/i;

type Targets = (request: RawRequest) => Target;

/** For each endpoint some requests, the longest first. */
export function requestsOf(sessions: readonly Session[], targetOf: Targets): RawRequest[] {
  const found = new Map<string, RawRequest[]>();
  for (const { steps } of sessions) {
    for (const step of steps) {
      if (step.is !== "request") continue;
      const { endpoint, name } = targetOf(step.request);
      if (endpoint === undefined) continue;
      found.set(name, [...(found.get(name) ?? []), step.request]);
    }
  }
  return [...found.values()].flatMap((all) =>
    all.toSorted((a, b) => b.body.length - a.body.length).slice(0, OF_ONE_ENDPOINT),
  );
}

/** The text with keys of this session's rows: of each kind the first, or the one `at` behind. */
function withKeys(text: string, keys: readonly string[], at: number): string {
  const before: string[] = [];
  return text.replaceAll(KEY, (key, prefix: string) => {
    const own = keys.filter((one) => one.startsWith(prefix));
    if (!before.includes(key)) before.push(key);
    const nth = before.filter((one) => one.startsWith(prefix)).indexOf(key);
    return own[(nth + at) % Math.max(1, own.length)] ?? key;
  });
}

/** The requests as callers of this session would send them, of its rows. */
export function carried(
  requests: readonly RawRequest[],
  keys: readonly string[],
  credentials: readonly (readonly [string, string])[],
): Variant[] {
  const callers = credentials.slice(-CALLERS_MAX);
  return requests.flatMap((request, i) => {
    const plain = request.headers.filter(([name]) => !CREDENTIAL.test(name));
    const isOpen = plain.length === request.headers.length || callers.length === 0;
    const headers = plain.map(
      ([name, value]) => [name, name.toLowerCase() === "if-match" ? "*" : value] as const,
    );
    return (isOpen ? [[]] : callers.map((one) => [one])).flatMap((caller, j) =>
      [0, 1].map((at) => ({
        what: `carried ${i} ${j} ${at}`,
        request: {
          ...request,
          target: withKeys(request.target, keys, at),
          headers: [...headers, ...caller],
          body: withKeys(request.body, keys, at),
        },
      })),
    );
  });
}

/** Each body with another value of a member that has some, and so other texts. */
function otherBodies({ resources }: Plan, request: RawRequest, { endpoint }: Target): string[] {
  const body = endpoint?.body.is === "stated" ? endpoint.body.value : undefined;
  const content = body?.content;
  if (content === undefined || content.is !== "new" || body?.member !== undefined) return [];
  const fields = resources.find((one) => one.name === content.resource)?.fields ?? [];
  let own: Record<string, unknown>;
  try {
    own = JSON.parse(request.body);
  } catch {
    return [];
  }
  return fields.flatMap(({ name, type: { type } }) => {
    if (type.kind !== "one of" || !(name in own)) return [];
    return type.values
      .filter((one) => one !== own[name])
      .map((value) => {
        const texts = fields.filter((one) => one.type.type.kind === "string");
        const others = texts.flatMap((one) =>
          typeof own[one.name] === "string" ? [[one.name, `${own[one.name]} ${value}`]] : [],
        );
        return JSON.stringify({ ...own, ...Object.fromEntries(others), [name]: value });
      });
  });
}

/** The session with each request that makes something twice at once: times come for two rows. */
export function doubled(session: Session): Session {
  const steps = session.steps.flatMap((step, at): Step[] => {
    if (step.is !== "request" || step.request.method !== "POST") return [step];
    const headers = step.request.headers.map(
      ([name, value]) =>
        [name, name.toLowerCase() === "idempotency-key" ? `${value} too` : value] as const,
    );
    const request = { ...step.request, headers };
    return [step, { seed: 3_000_000 + at, is: "request", request }];
  });
  return { ...session, steps };
}

/** The session with a row of every kind: what is made is made with each value of such a member. */
export function ofEveryKind(plan: Plan, session: Session, targetOf: Targets): Session | undefined {
  let count = 0;
  const steps = session.steps.flatMap((step, at): Step[] => {
    if (step.is !== "request") return [step];
    const bodies = otherBodies(plan, step.request, targetOf(step.request));
    count += bodies.length;
    const others = bodies.map(
      (body, i): Step => ({
        seed: 2_000_000 + 100 * at + i,
        is: "request",
        request: { ...step.request, body },
      }),
    );
    return [step, ...others];
  });
  return count === 0 ? undefined : { ...session, steps };
}
