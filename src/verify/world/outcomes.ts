/** Outcomes of requests that come to no steps, and what is told of an endpoint that will go. */
import { daysOfDate } from "../../expr/index.ts";
import {
  type Endpoint,
  endingsOf,
  gapOf,
  type ItemId,
  isStated,
  type Plan,
} from "../../plan/index.ts";
import type { Ambient, Match, Outcome, Program, Response, Session } from "../../run/index.ts";

/** An answer, and nothing else. */
function responding(response: Response): Outcome {
  return { response, commit: false, effects: { events: [], timersChanged: false, freedoms: [] } };
}

/** The outcome of a request that a gap ends before anything is done. */
export function gapOutcome(id: ItemId): Outcome {
  const gap = { id, part: "", sentence: "", place: "", silent: false };
  const { response, commit, effects } = responding({ status: 501, headers: [], body: undefined });
  return { response, commit, effects: { ...effects, gap } };
}

/** The same without content, as HEAD is answered (RFC 9110 section 9.3.2). */
export function bodiless(response: Response): Response {
  return { ...response, body: undefined };
}

/** With the bytes of a file as text, as answers are read here (UTF-8). */
export function readable({ binary, ...response }: Response): Response {
  if (binary !== true || response.body === undefined) return response;
  return { ...response, body: Buffer.from(response.body, "base64").toString("utf8") };
}

/** What a request gets that no endpoint answers. */
export function unmatched(
  program: Program,
  match: Match,
  asked: { readonly id: string; readonly method: string; readonly url: string },
  { session, ambient }: { readonly session: Session; readonly ambient: Ambient },
): Outcome {
  switch (match.is) {
    case "gap":
      return gapOutcome(match.gap);
    case "unknown path":
      return program.fail({ condition: "unknown path", asked }, session, ambient);
    case "unknown method": {
      const { allow } = match;
      return program.fail({ condition: "unknown method", asked, allow }, session, ambient);
    }
    case "options": {
      const headers = [["Allow", match.allow.join(", ")] as const];
      return responding({ status: 204, headers, body: undefined });
    }
    case "endpoint":
      throw new Error("an endpoint that the plan has not");
  }
}

const DAY_SECONDS = 86_400;

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) of an endpoint, or what is not shown. */
function endsOf(plan: Plan, { id }: Endpoint): { gap?: ItemId; headers: Response["headers"] } {
  const endings = endingsOf(plan.versioning, id.slice(id.indexOf("/") + 1));
  const gap = endings.flatMap(({ day }) => gapOf(day) ?? [])[0] ?? gapOf(plan.versioning.endFields);
  const headers = endings.flatMap(({ field, day }) => {
    const days = isStated(day) ? daysOfDate(day.value) : undefined;
    if (days === undefined) return [];
    const seconds = days * DAY_SECONDS;
    const text = field === "Sunset" ? new Date(seconds * 1000).toUTCString() : `@${seconds}`;
    return [[field, text] as const];
  });
  return endings.length > 0 && gap !== undefined ? { gap, headers: [] } : { headers };
}

/** The outcome with what is told of when its endpoint goes. */
export function withEnds(plan: Plan, endpoint: Endpoint | undefined, outcome: Outcome): Outcome {
  if (endpoint === undefined) return outcome;
  if (plan.versioning.deprecations.length === 0 || outcome.effects.gap !== undefined)
    return outcome;
  const { gap, headers } = endsOf(plan, endpoint);
  if (gap !== undefined) return gapOutcome(gap);
  const { response } = outcome;
  return { ...outcome, response: { ...response, headers: [...response.headers, ...headers] } };
}
