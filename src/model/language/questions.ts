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
  /** What an unanswered one, or the answer `not shown`, blocks. */
  readonly blocks: string;
}

const q = (id: string, raisedBy: string, asks: string, answeredBy: string, blocks: string):
  QuestionEntry => ({ id, raisedBy, asks, answeredBy, blocks });

export const questions: readonly QuestionEntry[] = [
  q("base path", "the first endpoint", "What stands before every path?", "`- Base path:` in part 1", "every request"),
  q("body format", "the first endpoint with a body or a Respond with a body", "Of which media type are bodies?", "`- Body format:` in part 1", "every request that sends or gets a body"),
  q("one request", "the first step that writes", "What does one request see of others that run at the same time?", "`- One request:` in part 1", "nothing: it can't be met by one request alone"),
  q("cross-origin", "the first endpoint", "May pages of other origins ask?", "`- Cross-origin:` in part 1", "nothing: no such header is sent"),
  q("precision", "a type `timestamp` without a precision", "How many fraction digits has a timestamp?", "`- Timestamps:` in part 1, or `timestamp in ...`", "every answer that shows one, every request that gives one"),
  q("rows at the start", "a resource", "Which rows are there at the start?", "`- Rows at the start:` at the resource or under `### Every resource`", "nothing: the service starts with none"),
  q("list order", "a field of type `list of`", "Have its items an order?", "a rule `in the order given` or `in any order`", "every answer that shows the list with two items or more"),
  q("starts", "a field that a client may leave out (`optional`, `required when`) and whose type has no `or absent`", "What is stored when it is not given?", "a rule `starts`, `set to` or `absent means`", "every request that makes a row without it"),
  q("unique error", "a rule or promise `unique`", "What does a request get that would store the value twice?", "`else` behind it", "every request that would store it twice"),
  q("kept as", "a field of type `secret` that a client gives or that is made at random", "How is it kept?", "a rule `kept as ...`", "every request that stores it"),
  q("missing", "a reference field that a client may give", "What does a request get that names no row?", "`- Missing `field`:` at the resource", "every request that names no row"),
  q("gone", "a reference to a resource whose rows can be deleted", "What happens to this row when the row it names is deleted?", "a rule `deleted with it`, `set to null when it is deleted` or `its deletion is refused`", "every request that deletes a row which is referred to"),
  q("gone error", "the rule `its deletion is refused`", "What does the request get?", "`else` behind it", "every request that meets it"),
  q("deleted error", "`- Deleted: refused while`", "What does the request get?", "`else` behind it", "every request that meets it"),
  q("states", "a resource", "Has it states?", "a heading in part 3, or `- No states:`", "nothing: a row without a `state` field has none"),
  q("held in", "the states of a resource", "Which field holds the state?", "`- Held in:`", "every request that uses the resource"),
  q("list of states", "the states of a resource", "Which states are there?", "`- States:`", "every request that uses the resource"),
  q("any other transition", "the states of a resource", "What happens on a transition that no row allows?", "`- Any other transition:`", "every request that meets it"),
  q("clock", "a transition on time", "How late may it be?", "`- Clock:`", "nothing: the service is never late"),
  q("same time", "a transition on time", "In which order are those that fall on the same instant?", "`- At the same time:`", "the transitions that fall on one instant"),
  q("timed refusal", "a transition on time that a guard or a promise can refuse", "What happens when it is refused?", "a row with On `... refused`", "that transition, when it is refused"),
  q("order of checks", "the first endpoint", "Which checks come first, and in which order?", "steps under `### Every endpoint`", "every request"),
  q("who", "an endpoint", "Who may ask?", "`- Who:` at the endpoint or under `### Every endpoint`", "every request to it"),
  q("body", "an endpoint with POST, PUT or PATCH", "What is its body?", "`- Body:`, or `body` rows of the input table", "every request to it"),
  q("steps", "an endpoint", "What does it do?", "steps", "every request to it"),
  q("key needed", "an idempotency key", "Must a request carry one?", "a row of the input table for that header", "a request without a key"),
  q("key kept", "an idempotency key", "How long is a key remembered?", "`- Key kept:`", "every request with a key"),
  q("key per", "an idempotency key", "Among whose keys is it looked for?", "`- Key per:`", "every request with a key"),
  q("same body", "an idempotency key", "What does the same request get again?", "`- Same key and same body:`", "a second request with the key"),
  q("other body", "an idempotency key", "What does another request with that key get?", "`- Same key and other body:`", "a second request with the key"),
  q("running", "an idempotency key", "What does a request get while the first runs?", "`- Same key while the first runs:`", "a second request at that time"),
  q("answers kept", "an idempotency key", "Which answers count?", "`- Answers kept under a key:`", "every request with a key"),
  q("bodies compared", "an idempotency key", "When are two bodies the same?", "`- Bodies are the same when:`", "a second request with the key"),
  q("call kind", "a call", "Does it change anything outside?", "`- Kind:`", "every request that calls it"),
  q("call same key", "a call of kind `effect` or `long`", "What does a second call for the same step do?", "`- Same key:`", "every request that calls it"),
  q("call time-out", "a call", "How long may its answer take?", "`- Time-out:`", "every request that calls it"),
  q("call late", "a call with a time-out", "What does the request get when the answer is late?", "`- No answer in time:`", "a request whose call is late"),
  q("call undo", "a call of kind `effect` or `long`", "How is it undone when the request is refused later?", "`- Undo:`", "a request that is refused after the call"),
  q("call stand-in", "a call", "What does it say in tests?", "`- Stand-in:`", "every request that calls it without code behind it"),
  q("says", "a call", "What can it say?", "its table", "every request that calls it"),
  q("sent in", "a scheme", "Where is the credential?", "`- Sent in:`", "every request that needs credentials"),
  q("credential", "a scheme", "What is the credential?", "`- Credential:`", "every request that needs credentials"),
  q("caller", "a scheme", "Who is the caller?", "`- Caller:`", "every request that needs credentials"),
  q("lifetime", "a scheme whose credential is a JWT", "How long is a token good?", "`- Lifetime:`", "every request that issues a token"),
  q("issuer", "a scheme whose credential is a JWT", "Who issues tokens?", "`- Issuer:`", "every request that issues or sends a token"),
  q("audience", "a scheme whose credential is a JWT", "For whom are tokens?", "`- Audience:`", "every request that issues or sends a token"),
  q("subject", "a scheme whose credential is a JWT", "What does `sub` say?", "`- Subject:`", "every request that issues a token"),
  q("clock skew", "a scheme whose credential is a JWT", "How far may clocks differ?", "`- Clock skew:`", "a token judged near its end"),
  q("revocation", "a scheme", "How does a credential end before its time?", "`- Revocation:`", "nothing: a credential holds until the document says otherwise"),
  q("rotation", "a scheme whose credential is a JWT", "How are keys changed?", "`- Rotation:`", "nothing: it can't be met by a request"),
  q("receivers", "a webhook", "Who receives?", "`- Receivers:`", "every delivery"),
  q("address", "a webhook", "At which address?", "`- Address:`", "every delivery"),
  q("sent as", "a webhook", "What request is sent?", "`- Sent as:`", "every delivery"),
  q("signature", "a webhook", "How is it signed?", "`- Signature:`", "every delivery"),
  q("delivered", "a webhook", "When is it delivered?", "`- Delivered when:`", "every delivery"),
  q("attempts", "a webhook", "When are attempts made?", "`- Attempts:`", "every delivery"),
  q("after last", "a webhook", "What happens after the last attempt?", "`- After the last attempt:`", "a delivery whose attempts all fail"),
  q("guarantee", "a webhook", "How often does a message arrive?", "`- Guarantee:`", "nothing: it can't be met by one delivery"),
  q("order of arrival", "a webhook", "In which order do messages arrive?", "`- Order of arrival:`", "nothing: it can't be met by one delivery"),
  q("stream path", "a stream", "At which path is it opened?", "`- Path:`", "the stream"),
  q("stream who", "a stream", "Who may open it?", "`- Who:`", "the stream"),
  q("sees", "a stream", "Which events does a caller see?", "`- Sees:`", "the stream"),
  q("resume", "a stream", "How does a client go on after a break?", "`- Resume:`", "a client that resumes"),
  q("ends", "a stream", "When does the service end it?", "`- Ends:`", "nothing: the stream stays open"),
  q("failures reported", "an input that can fail", "Is the first failed input reported, or all?", "`- Failures reported:` in Errors", "a request with two failed inputs"),
  q("failure", "a condition of the closed list that can occur", "What does a request get that meets it?", "a row of the failure table", "every request that meets it"),
  q("limit headers", "the first limit that counts requests", "Which headers tell of it?", "`- Sent with every answer:`", "nothing: no such header is sent"),
  q("version", "the first endpoint", "Which version is this?", "`- This version:`", "nothing: it is not sent"),
  q("chosen by", "the first endpoint", "How does a request choose a version?", "`- Chosen by:`", "nothing: there is one version"),
];
