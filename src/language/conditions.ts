/* data table */
/** The closed lists of failure conditions and of changes between versions. */

export interface ConditionEntry {
  readonly name: string;
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
    | "no body";
  readonly ignorable: boolean;
}

const c = (
  name: string,
  occurs: ConditionEntry["occurs"],
  means: string,
  ignorable = false,
): ConditionEntry => ({ name, occurs, means, ignorable });

export const failureConditions: readonly ConditionEntry[] = [
  c("unknown path", "always", "No endpoint has this path."),
  c(
    "unknown method",
    "always",
    "An endpoint has this path, none with this method. The answer carries `Allow` (RFC 9110 section 15.5.6).",
  ),
  c(
    "no version",
    "version choice",
    "A request names no version in the header or query parameter that chooses one. Ignored: it is served this one.",
    true,
  ),
  c("unknown version", "version choice", "A request names another version than this one."),
  c("other media type", "body", "The body's Content-Type is not the body format."),
  c(
    "body absent",
    "needed body",
    "A body of which something must be given was not sent, or has no bytes.",
  ),
  c("body not expected", "no body", "A body was sent to an endpoint that has none.", true),
  c("malformed body", "body", "The body is not JSON (RFC 8259), or not UTF-8."),
  c("repeated member", "structured body", "A JSON object has one member twice."),
  c("unknown member", "members", "A member that the endpoint does not list.", true),
  c(
    "not settable",
    "not settable",
    "A member that is a field of the resource and may not be given here.",
    true,
  ),
  c("absent", "needed member", "A needed input or member is missing."),
  c("null", "null member", "A member is `null` whose type has no null."),
  c("empty", "not empty rule", "The rule `not empty` fails."),
  c(
    "wrong type",
    "typed input",
    "A value is not of its type, or past a bound of it (38 digits); an input names a row that is not there.",
  ),
  c("too short", "shortest", "A text has too few characters."),
  c("too long", "longest", "A text has too many characters."),
  c("too small", "smallest", "A value is below its least."),
  c("too large", "greatest", "A value is above its greatest."),
  c("too few items", "fewest items", "A list has too few items."),
  c("too many items", "most items", "A list has too many items."),
  c("not matching", "pattern", "A text does not match its pattern or scheme."),
  c("not one of", "one of", "A value is not one of those listed."),
  c("repeated item", "different items", "A list has one item twice."),
  c("no member given", "one member", "The rule `at least one member` fails."),
  c("unknown query parameter", "query", "A query parameter that the endpoint does not list.", true),
  c("repeated query parameter", "query", "A query parameter is sent twice that is not a list."),
  c("malformed query", "query", "The query is not percent-encoded UTF-8."),
  c(
    "no credentials",
    "credentials needed",
    "Credentials are needed and none were sent. With 401 the answer carries `WWW-Authenticate` (RFC 9110 section 15.5.2).",
  ),
  c(
    "bad credentials",
    "credentials",
    "Credentials were sent that are malformed, expired, or not signed as stated.",
  ),
  c(
    "bad credentials where optional",
    "optional credentials",
    "The same, or credentials that are no caller's, at an endpoint where credentials may be left out.",
    true,
  ),
  c("not permitted", "actors", "The caller is none of Who."),
  c("fault inside", "always", "The service itself fails, or an invariant without an error breaks."),
  c("time passed", "time-out", "A limit on the time to answer is passed."),
];

export const changeKinds: readonly string[] = [
  "member added to an answer",
  "member removed from an answer",
  "type of a member changed",
  "value added to a list of values",
  "value removed from a list of values",
  "optional input added",
  "needed input added",
  "input removed",
  "input no longer needed",
  "rule made stricter",
  "rule made looser",
  "endpoint added",
  "endpoint removed",
  "status changed",
  "error added",
  "error removed",
  "state added",
  "state removed",
  "transition added",
  "transition removed",
  "event added",
  "event removed",
  "limit lowered",
  "limit raised",
  "actor added to Who",
  "actor removed from Who",
];
