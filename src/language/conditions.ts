/* data table */
/** The closed list of failure conditions. */

import type { FailureCondition } from "../plan/index.ts";

/** What a failure row can answer as one: `every other failure of {class}`. */
export type FailureClass = "a value" | "the body" | "the request" | "credentials" | "the service";

export interface ConditionEntry {
  readonly name: FailureCondition;
  /** Undefined: what HTTP itself asks is in no class, for a document need not answer it. */
  readonly class: FailureClass | undefined;
  readonly means: string;
  /** When it can occur: a predicate of the checker. */
  readonly occurs:
    | "always"
    | "body"
    | "needed body"
    | "structured body"
    | "members"
    | "not settable"
    | "needed member"
    | "null member"
    | "not empty rule"
    | "typed input"
    | "shortest"
    | "longest"
    | "smallest"
    | "greatest"
    | "fewest items"
    | "most items"
    | "pattern"
    | "one of"
    | "different items"
    | "one member"
    | "query"
    | "credentials needed"
    | "credentials"
    | "optional credentials"
    | "actors"
    | "time-out"
    | "version choice"
    /** What HTTP itself asks: a document may answer it, and need not. */
    | "HTTP itself"
    | "no body";
  readonly ignorable: boolean;
}

const of = (
  kind: FailureClass | undefined,
  occurs: ConditionEntry["occurs"],
  means: string,
  ignorable = false,
): Omit<ConditionEntry, "name"> => ({ class: kind, occurs, means, ignorable });

const conditions: Readonly<Record<FailureCondition, Omit<ConditionEntry, "name">>> = {
  "unknown path": of("the request", "always", "No endpoint has this path."),
  "unknown method": of(
    "the request",
    "always",
    "An endpoint has this path, none with this method. The answer carries `Allow` (RFC 9110 section 15.5.6).",
  ),
  "no version": of(
    "the request",
    "version choice",
    "A request names no version in the header or query parameter that chooses one. Ignored: it is served this one.",
    true,
  ),
  "unknown version": of(
    "the request",
    "version choice",
    "A request names another version than this one.",
  ),
  "other media type": of(
    "the body",
    "body",
    "The body's Content-Type is not the body format, or there is none; its charset is not UTF-8; it has a Content-Encoding.",
  ),
  "body absent": of(
    "the body",
    "needed body",
    "A body of which something must be given was not sent, or has no bytes.",
  ),
  "body not expected": of(
    "the body",
    "no body",
    "A body was sent to an endpoint that has none.",
    true,
  ),
  "malformed body": of(
    "the body",
    "body",
    "The body is not JSON (RFC 8259), or not UTF-8, or past a bound of it (64 levels: RFC 8259 section 9).",
  ),
  "repeated member": of("a value", "structured body", "A JSON object has one member twice."),
  "unknown member": of("a value", "members", "A member that the endpoint does not list.", true),
  "not settable": of(
    "a value",
    "not settable",
    "A member that is a field of the resource and may not be given here.",
    true,
  ),
  absent: of("a value", "needed member", "A needed input or member is missing."),
  null: of("a value", "null member", "A member is `null` whose type has no null."),
  empty: of("a value", "not empty rule", "The rule `not empty` fails."),
  "wrong type": of(
    "a value",
    "typed input",
    "A value is not of its type, or past a bound of it (38 digits); an input names a row that is not there.",
  ),
  "too short": of("a value", "shortest", "A text has too few characters."),
  "too long": of("a value", "longest", "A text has too many characters."),
  "too small": of("a value", "smallest", "A value is below its least."),
  "too large": of("a value", "greatest", "A value is above its greatest."),
  "too few items": of("a value", "fewest items", "A list has too few items."),
  "too many items": of("a value", "most items", "A list has too many items."),
  "not matching": of("a value", "pattern", "A text does not match its pattern or scheme."),
  "not one of": of("a value", "one of", "A value is not one of those listed."),
  "repeated item": of("a value", "different items", "A list has one item twice."),
  "no member given": of("the body", "one member", "The rule `at least one member` fails."),
  "unknown query parameter": of(
    "a value",
    "query",
    "A query parameter that the endpoint does not list.",
    true,
  ),
  "repeated query parameter": of(
    "a value",
    "query",
    "A query parameter is sent twice that is not a list.",
  ),
  "malformed query": of("the request", "query", "The query is not percent-encoded UTF-8."),
  "no credentials": of(
    "credentials",
    "credentials needed",
    "Credentials are needed and none were sent. With 401 the answer carries `WWW-Authenticate` (RFC 9110 section 15.5.2).",
  ),
  "bad credentials": of(
    "credentials",
    "credentials",
    "Credentials were sent that are malformed, expired, or not signed as stated.",
  ),
  "bad credentials where optional": of(
    "credentials",
    "optional credentials",
    "The same, or credentials that are no caller's, at an endpoint where credentials may be left out.",
    true,
  ),
  "not permitted": of("credentials", "actors", "The caller is none of Who."),
  "fault inside": of(
    "the service",
    "always",
    "The service itself fails (a key set out of reach is such a failure), or an invariant without an error breaks.",
  ),
  "time passed": of("the service", "time-out", "A limit on the time to answer is passed."),
  "malformed request": of(
    undefined,
    "HTTP itself",
    "The request is no message of HTTP/1.1: its request line, a header field, its length, its chunks or its end; no `Host`, two or a wrong one; a target that is neither a path nor an absolute URI; `*` with another method than `OPTIONS`.",
  ),
  "unknown HTTP version": of(
    undefined,
    "HTTP itself",
    "The version is neither HTTP/1.1 nor HTTP/1.0.",
  ),
  "unknown transfer coding": of(
    undefined,
    "HTTP itself",
    "There is a transfer coding before `chunked`. A last one that is not `chunked` is malformed.",
  ),
  "unknown expectation": of(
    undefined,
    "HTTP itself",
    "`Expect` says something else than `100-continue`.",
  ),
  "target too long": of(undefined, "HTTP itself", "The target is past the bound `target-bytes`."),
  "header section too large": of(
    undefined,
    "HTTP itself",
    "The header section is past the bound `header-bytes`, or the whole head past both bounds.",
  ),
  "body too large": of(
    undefined,
    "HTTP itself",
    "The body is past the bound `body-bytes`, where the document states no limit on bodies.",
  ),
  "sender too slow": of(
    undefined,
    "HTTP itself",
    "A request has begun, and has not come within the bounds `head-time` and `request-time`.",
  ),
  "too busy": of(
    undefined,
    "HTTP itself",
    "More is asked than the bound `held-bytes` or `hashes-waiting` allows: of the client that asks most.",
  ),
};

/** In the order in which they are listed, and told where several are met at once. */
export const failureConditions: readonly ConditionEntry[] = (
  Object.keys(conditions) as FailureCondition[]
).map((name) => ({ name, ...conditions[name] }));
