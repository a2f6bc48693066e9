/** The closed list of conditions that no step names; a failure row answers each. */

export type FailureCondition = ValueCondition | RequestCondition | HttpCondition;

/** What a single value in a request can meet. */
export type ValueCondition =
  | "absent"
  | "null"
  | "empty"
  | "wrong type"
  | "too short"
  | "too long"
  | "too small"
  | "too large"
  | "too few items"
  | "too many items"
  | "not matching"
  | "not one of"
  | "repeated item"
  | "no member given"
  | "not settable"
  | "unknown member"
  | "repeated member";

/** What a request as a whole can meet. */
type RequestCondition =
  | "unknown path"
  | "unknown method"
  | "no version"
  | "unknown version"
  | "other media type"
  | "body absent"
  | "body not expected"
  | "malformed body"
  | "unknown query parameter"
  | "repeated query parameter"
  | "malformed query"
  | "no credentials"
  | "bad credentials"
  | "bad credentials where optional"
  | "not permitted"
  | "fault inside"
  | "time passed";

/** What HTTP itself asks of a request, before an endpoint is found for it. */
export type HttpCondition =
  | "malformed request"
  | "unknown HTTP version"
  | "unknown transfer coding"
  | "unknown expectation"
  | "target too long"
  | "header section too large"
  | "body too large"
  | "sender too slow"
  | "too busy";
