/* data table */
/**
 * The questions that constructs raise. Each must be answered by a value, `none`, `free` (where the
 * answer's form allows them) or `not shown`; an unanswered one is silent where it was raised.
 */

export interface QuestionEntry {
  readonly id: string;
  /** The construct that raises it. */
  readonly raisedBy: string;
  /** What is asked, in words that an author understands. */
  readonly asks: string;
  /** Where it is answered. */
  readonly answeredBy: string;
  /** The key of the bullet that answers it, as it is written. */
  readonly bullet?: string;
  /** What an unanswered one, or the answer `not shown`, blocks. */
  readonly blocks: string;
}

/** As in the list, where the bullet alone says where the answer stands. */
type Written = Omit<QuestionEntry, "answeredBy"> &
  (Pick<QuestionEntry, "answeredBy"> | { readonly bullet: string });

const table = [
  {
    id: "base path",
    raisedBy: "the first endpoint",
    asks: "What stands before every path?",
    bullet: "Base path",
    answeredBy: "`- Base path:` in part 1",
    blocks: "every request",
  },
  {
    id: "body format",
    raisedBy:
      "the first endpoint with a body, Respond with a body, or error or webhook whose shape states no `Content type`",
    asks: "Of which media type are bodies?",
    bullet: "Body format",
    answeredBy: "`- Body format:` in part 1",
    blocks: "every request that sends or gets a body",
  },
  {
    id: "one request",
    raisedBy: "the first step that writes",
    asks: "What does one request see of others that run at the same time?",
    bullet: "One request",
    answeredBy: "`- One request:` in part 1",
    blocks: "nothing: it can't be met by one request alone",
  },
  {
    id: "cross-origin",
    raisedBy: "the first endpoint",
    asks: "May pages of other origins ask?",
    bullet: "Cross-origin",
    answeredBy: "`- Cross-origin:` in part 1",
    blocks: "every request with an `Origin` field",
  },
  {
    id: "schema",
    raisedBy: "a schema",
    asks: "Which values does it take?",
    bullet: "Schema",
    answeredBy: "a block `json schema`, or `- Schema:`",
    blocks: "every value that it judges",
  },
  {
    id: "precision",
    raisedBy: "a type `timestamp` without a precision",
    asks: "How many fraction digits has a timestamp?",
    bullet: "Timestamps",
    answeredBy: "`- Timestamps:` in part 1, or `timestamp in ...`",
    blocks: "every answer that shows one, every request that gives one",
  },
  {
    id: "rows at the start",
    raisedBy: "a resource",
    asks: "Which rows are there at the start?",
    bullet: "Rows at the start",
    answeredBy: "`- Rows at the start:` at the resource or under `### Every resource`",
    blocks:
      "every request that looks for rows and does not find a single one that it names, counts them or takes the next number",
  },
  {
    id: "list order",
    raisedBy: "a field of type `list of`",
    asks: "Have its items an order?",
    answeredBy: "a rule `in the order given` or `in any order`",
    blocks: "every answer that shows the list with two items or more",
  },
  {
    id: "starts",
    raisedBy:
      "a field that a client may leave out (`optional`, `required when`; under Update too where a step sets every member) and whose type has no `or absent`",
    asks: "What is stored when it is not given?",
    answeredBy: "a rule `starts`, `set to` or `absent means`",
    blocks: "every request that makes a row without it, or sets every member without it",
  },
  {
    id: "unique error",
    raisedBy: "a rule or invariant `unique`, but of a resource that is `fixed`",
    asks: "What does a request get that would store the value twice?",
    answeredBy: "`else` behind it",
    blocks: "every request that would store it twice",
  },
  {
    id: "kept as",
    raisedBy: "a field of type `secret` that a client gives or that is made at random",
    asks: "How is it kept?",
    answeredBy: "a rule `kept as ...`",
    blocks: "every request that stores it",
  },
  {
    id: "missing",
    raisedBy: "a reference that a client may give, at any depth of a field",
    asks: "What does a request get that names no row?",
    answeredBy: "`- Missing `field`:` at the resource, in a part `- Missing `field.member`:`",
    blocks: "every request that names no row",
  },
  {
    id: "gone",
    raisedBy: "a reference that rows keep, at any depth, to a resource whose rows can be deleted",
    asks: "What happens to this row when the row it names is deleted?",
    answeredBy:
      "a rule `deleted with it`, `set to null when it is deleted`, `taken out when it is deleted` or `its deletion is refused`",
    blocks: "every request that deletes a row which is referred to",
  },
  {
    id: "gone error",
    raisedBy: "the rule `its deletion is refused`",
    asks: "What does the request get?",
    answeredBy: "`else` behind it",
    blocks: "every request that meets it",
  },
  {
    id: "deleted error",
    raisedBy: "`- Deleted: refused while`",
    asks: "What does the request get?",
    answeredBy: "`else` behind it",
    blocks: "every request that meets it",
  },
  {
    id: "states",
    raisedBy: "a resource",
    asks: "Does it have states?",
    answeredBy: "a heading in part 3, or `- No states:`",
    blocks:
      "nothing: a row without a field of type `state` shows no state, and no transition is of it",
  },
  {
    id: "held in",
    raisedBy: "the states of a resource",
    asks: "Which field holds the state?",
    bullet: "Held in",
    blocks: "every request that makes a row, or reads one",
  },
  {
    id: "list of states",
    raisedBy: "the states of a resource",
    asks: "Which states are there?",
    bullet: "States",
    blocks: "every request that makes a row, or reads one",
  },
  {
    id: "any other transition",
    raisedBy: "the states of a resource",
    asks: "What happens on a transition that no row allows?",
    bullet: "Any other transition",
    blocks: "every request that meets it",
  },
  {
    id: "clock",
    raisedBy: "a transition on time",
    asks: "How late may it be?",
    bullet: "Clock",
    blocks: "nothing: the service is never late, which every answer allows",
  },
  {
    id: "same time",
    raisedBy: "a transition on time",
    asks: "In which order are those that fall on the same instant?",
    bullet: "At the same time",
    blocks: "whoever reads or changes a row whose transition falls on one instant with another",
  },
  {
    id: "timed refusal",
    raisedBy: "a transition on time that a guard or an invariant can refuse",
    asks: "What happens when it is refused?",
    answeredBy: "a row with On `... refused`",
    blocks: "whoever reads or changes the row from then on",
  },
  {
    id: "order of checks",
    raisedBy: "the first endpoint",
    asks: "Which checks come first, and in which order?",
    answeredBy: "steps under `### Every endpoint`",
    blocks: "every request",
  },
  {
    id: "who",
    raisedBy: "an endpoint",
    asks: "Who may ask?",
    bullet: "Who",
    answeredBy: "`- Who:` at the endpoint or under `### Every endpoint`",
    blocks: "every request to it",
  },
  {
    id: "body",
    raisedBy: "an endpoint with POST, PUT or PATCH",
    asks: "What is its body?",
    bullet: "Body",
    answeredBy: "`- Body:`, or `body` rows of the input table",
    blocks: "every request to it",
  },
  {
    id: "steps",
    raisedBy: "an endpoint",
    asks: "What does it do?",
    answeredBy: "steps",
    blocks: "every request to it",
  },
  {
    id: "key needed",
    raisedBy: "an idempotency key",
    asks: "Must a request carry one?",
    answeredBy: "a row of the input table for that header",
    blocks: "a request without a key",
  },
  {
    id: "key kept",
    raisedBy: "an idempotency key",
    asks: "How long is a key remembered?",
    bullet: "Key kept",
    blocks: "every request with a key",
  },
  {
    id: "key per",
    raisedBy: "an idempotency key",
    asks: "Among whose keys is it looked for?",
    bullet: "Key per",
    blocks: "every request with a key",
  },
  {
    id: "same body",
    raisedBy: "an idempotency key",
    asks: "What does the same request get again?",
    bullet: "Same key and same body",
    blocks: "a second request with the key",
  },
  {
    id: "other body",
    raisedBy: "an idempotency key",
    asks: "What does another request with that key get?",
    bullet: "Same key and other body",
    blocks: "a second request with the key",
  },
  {
    id: "running",
    raisedBy: "an idempotency key",
    asks: "What does a request get while the first runs?",
    bullet: "Same key while the first runs",
    blocks: "a second request at that time",
  },
  {
    id: "answers kept",
    raisedBy: "an idempotency key",
    asks: "Which answers count?",
    bullet: "Answers kept under a key",
    blocks: "every request with a key",
  },
  {
    id: "bodies compared",
    raisedBy: "an idempotency key",
    asks: "When are two bodies the same?",
    bullet: "Bodies are the same when",
    blocks: "a second request with the key whose body has the same values in other bytes",
  },
  {
    id: "call kind",
    raisedBy: "a call",
    asks: "Does it change anything outside?",
    bullet: "Kind",
    blocks: "every request that calls it",
  },
  {
    id: "call same key",
    raisedBy: "a call of kind `effect` or `long`",
    asks: "What does a second call for the same step do?",
    bullet: "Same key",
    blocks: "every request that calls it",
  },
  {
    id: "call time-out",
    raisedBy: "a call",
    asks: "How long may its answer take?",
    bullet: "Time-out",
    blocks: "every request that calls it",
  },
  {
    id: "call late",
    raisedBy: "a call of kind `pure` or `effect` with a time-out",
    asks: "What does the request get when the answer is late?",
    bullet: "No answer in time",
    blocks: "a request whose call is late",
  },
  {
    id: "call undo",
    raisedBy: "a call of kind `effect`",
    asks: "How is it undone when the request is refused later?",
    bullet: "Undo",
    blocks: "a request that is refused after the call",
  },
  {
    id: "call stand-in",
    raisedBy: "a call",
    asks: "What does it say in tests?",
    bullet: "Stand-in",
    blocks: "every request that calls it without code behind it",
  },
  {
    id: "says",
    raisedBy: "a call",
    asks: "What can it say?",
    answeredBy: "its table",
    blocks: "every request that calls it",
  },
  {
    id: "sent in",
    raisedBy: "a scheme",
    asks: "Where is the credential?",
    bullet: "Sent in",
    blocks: "every request that needs credentials, every answer 401: its challenge hangs on it",
  },
  {
    id: "credential",
    raisedBy: "a scheme",
    asks: "What is the credential?",
    bullet: "Credential",
    blocks: "every request that needs credentials",
  },
  {
    id: "caller",
    raisedBy: "a scheme",
    asks: "Who is the caller?",
    bullet: "Caller",
    blocks: "every request that needs credentials",
  },
  {
    id: "lifetime",
    raisedBy: "a scheme whose credential is a JWT",
    asks: "How long is a token good?",
    bullet: "Lifetime",
    blocks: "every request that issues a token",
  },
  {
    id: "issuer",
    raisedBy: "a scheme whose credential is a JWT",
    asks: "Who issues tokens?",
    bullet: "Issuer",
    blocks: "every request that issues or sends a token",
  },
  {
    id: "audience",
    raisedBy: "a scheme whose credential is a JWT",
    asks: "For whom are tokens?",
    bullet: "Audience",
    blocks: "every request that issues or sends a token",
  },
  {
    id: "subject",
    raisedBy: "a scheme whose credential is a JWT",
    asks: "What does `sub` say?",
    bullet: "Subject",
    blocks: "every request that issues a token",
  },
  {
    id: "clock skew",
    raisedBy: "a scheme whose credential is a JWT",
    asks: "How far may clocks differ?",
    bullet: "Clock skew",
    blocks: "a token judged near its end",
  },
  {
    id: "revocation",
    raisedBy: "a scheme",
    asks: "How does a credential end before its time?",
    bullet: "Revocation",
    blocks:
      "nothing: the one way that can be stated is the Caller condition, which judges every request anyway",
  },
  {
    id: "rotation",
    raisedBy: "a scheme whose credential is a JWT",
    asks: "How are keys changed?",
    bullet: "Rotation",
    blocks:
      "nothing: the keys of a set are found by `kid` (RFC 7517), and a single key has no other",
  },
  {
    id: "receivers",
    raisedBy: "a webhook",
    asks: "Who receives?",
    bullet: "Receivers",
    blocks: "every delivery",
  },
  {
    id: "address",
    raisedBy: "a webhook",
    asks: "At which address?",
    bullet: "Address",
    blocks: "every delivery",
  },
  {
    id: "sent as",
    raisedBy: "a webhook",
    asks: "What request is sent?",
    bullet: "Sent as",
    blocks: "every delivery",
  },
  {
    id: "signature",
    raisedBy: "a webhook",
    asks: "How is it signed?",
    bullet: "Signature",
    blocks: "every delivery",
  },
  {
    id: "delivered",
    raisedBy: "a webhook",
    asks: "When is it delivered?",
    bullet: "Delivered when",
    blocks: "every delivery",
  },
  {
    id: "attempts",
    raisedBy: "a webhook",
    asks: "When are attempts made?",
    bullet: "Attempts",
    blocks: "every delivery",
  },
  {
    id: "after last",
    raisedBy: "a webhook",
    asks: "What happens after the last attempt?",
    bullet: "After the last attempt",
    blocks: "a delivery whose attempts all fail",
  },
  {
    id: "guarantee",
    raisedBy: "a webhook",
    asks: "How often does a message arrive?",
    bullet: "Guarantee",
    blocks: "every delivery",
  },
  {
    id: "order of arrival",
    raisedBy: "a webhook",
    asks: "In which order do messages arrive?",
    bullet: "Order of arrival",
    blocks:
      "a message that is made while another one waits for the same receiver, and all that follow " +
      "for it; every delivery where a message arrives at most once",
  },
  {
    id: "stream path",
    raisedBy: "a stream",
    asks: "At which path is it opened?",
    bullet: "Path",
    blocks:
      "the stream, and each request below the base path to a path that no endpoint has, or by another method to one that no `GET` has: the stream may be there",
  },
  {
    id: "stream who",
    raisedBy: "a stream",
    asks: "Who may open it?",
    bullet: "Who",
    blocks: "the stream",
  },
  {
    id: "is",
    raisedBy: "a named value",
    asks: "What is it?",
    bullet: "Is",
    blocks: "whatever uses it",
  },
  {
    id: "sees",
    raisedBy: "a stream",
    asks: "Which events does a caller see?",
    bullet: "Sees",
    blocks: "the stream",
  },
  {
    id: "resume",
    raisedBy: "a stream",
    asks: "How does a client go on after a break?",
    bullet: "Resume",
    blocks: "a client that resumes",
  },
  {
    id: "ends",
    raisedBy: "a stream",
    asks: "When does the service end it?",
    bullet: "Ends",
    blocks: "the stream",
  },
  {
    id: "failures reported",
    raisedBy: "an input that can fail",
    asks: "Is the first failed input reported, or all?",
    bullet: "Failures reported",
    answeredBy: "`- Failures reported:` in Errors",
    blocks: "a request with two failed inputs",
  },
  {
    id: "failure",
    raisedBy: "a condition of the closed list that can occur",
    asks: "What does a request get that meets it?",
    answeredBy: "a row of the failure table",
    blocks: "every request that meets it",
  },
  {
    id: "limit headers",
    raisedBy: "the first limit that counts requests",
    asks: "Which headers tell of it?",
    bullet: "Sent with every answer",
    blocks: "every request that such a limit counts",
  },
  {
    id: "version",
    raisedBy: "the first endpoint",
    asks: "Which version is this?",
    bullet: "This version",
    blocks:
      "every request that names a version; where none is chosen nothing, for no answer shows it",
  },
  {
    id: "chosen by",
    raisedBy: "the first endpoint",
    asks: "How does a request choose a version?",
    bullet: "Chosen by",
    blocks: "every request",
  },
] as const satisfies readonly Written[];

/** A question of the language. */
export type QuestionId = (typeof table)[number]["id"];

/** A question that one bullet answers. */
export type BulletQuestion = Extract<(typeof table)[number], { readonly bullet: string }>["id"];

export const questions: readonly QuestionEntry[] = (table as readonly Written[]).map((entry) => ({
  answeredBy: `\`- ${entry.bullet}:\``,
  ...entry,
}));
