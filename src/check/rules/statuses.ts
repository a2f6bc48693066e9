/** The statuses and header fields that the answers of an endpoint can have. */
import { type Endpoint, endingsOf, isStated, whyNotCompared } from "../../plan/index.ts";
import type { RuleContext } from "./context.ts";
import { errorsIn } from "./sent.ts";

/** Fields that a standard fixes for a term of the document, or that every answer may carry. */
const STANDARD = new Set([
  "allow",
  "connection",
  "content-length",
  "content-type",
  "date",
  "etag",
  "keep-alive",
  "last-modified",
  "ratelimit",
  "ratelimit-policy",
  "retry-after",
  "transfer-encoding",
  "vary",
  "www-authenticate",
]);

export interface Answers {
  /** Undefined: some status is not known. */
  readonly statuses: ReadonlySet<number> | undefined;
  readonly headers: ReadonlySet<string>;
}

/** What may answer a request to any endpoint. */
export function generalAnswers(c: RuleContext): Answers {
  const { errors: _errors, shapes: _shapes, endpoints: _endpoints, ...rest } = c.service;
  return answersOf(c, errorsIn(rest));
}

/** What an endpoint can answer. `responds`: statuses of its Respond steps. */
export function endpointAnswers(
  c: RuleContext,
  endpoint: Endpoint,
  general: Answers,
  responds: Iterable<number>,
): Answers {
  const own = answersOf(c, errorsIn(endpoint));
  const statuses =
    own.statuses === undefined || general.statuses === undefined
      ? undefined
      : new Set([...own.statuses, ...general.statuses, ...responds, ...unchanged(c, endpoint)]);
  const name = endpoint.id.replace("endpoints/", "");
  const ends = endingsOf(c.service.versioning, name).map(({ field }) => field.toLowerCase());
  return { statuses, headers: new Set([...own.headers, ...general.headers, ...ends]) };
}

/** Who names the version tag in `If-None-Match` gets 304 (RFC 9110 section 13.1.2). */
function unchanged(c: RuleContext, endpoint: Endpoint): readonly number[] {
  const { method, answerTag } = endpoint;
  if (method !== "GET") return [];
  const isTagged = answerTag !== undefined && isStated(answerTag);
  return isTagged || whyNotCompared(c.service, endpoint) === undefined ? [304] : [];
}

/** The answers that errors give. */
function answersOf(c: RuleContext, names: ReadonlySet<string>): Answers {
  const statuses = new Set<number>();
  const headers = new Set<string>();
  let known = true;
  for (const name of names) {
    const error = c.errors.get(name);
    if (isStated(error?.status)) statuses.add(error.status.value);
    else known = false;
    for (const one of error?.headers ?? []) headers.add(one.name.toLowerCase());
  }
  if (c.gaps.size > 0) statuses.add(501);
  return { statuses: known ? statuses : undefined, headers };
}

/** Whether an answer may have the field (in lower case) though no step states it. */
export function isStandard(name: string): boolean {
  return STANDARD.has(name) || name.startsWith("access-control-");
}
