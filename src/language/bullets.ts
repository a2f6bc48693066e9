/* data table */
/** Every bullet `- Key: value`, by scope. */
import type { BulletForm, Scope } from "./form.ts";

/** A bullet's entry with what may be left out: an id that its key gives, what it does not allow. */
type Entry = Pick<BulletForm, "form" | "means" | "example"> & Partial<BulletForm>;

const bullet = (on: Scope | readonly Scope[], entry: Entry): BulletForm => ({
  id: entry.form.slice(0, entry.form.indexOf(":")).toLowerCase(),
  in: typeof on === "string" ? [on] : on,
  none: false,
  free: false,
  many: false,
  ...entry,
});

const endpointScopes: readonly Scope[] = ["endpoint", "every endpoint"];

export const bullets: readonly BulletForm[] = [
  // What the service does
  bullet("service", {
    form: "Base path: {path:code}",
    means:
      "Stands before the path of every endpoint. It begins with `/` and does not end with one.",
    example: "Base path: `/v1`",
    none: { usedBy: ["version in the path"] },
  }),
  bullet("service", {
    form: "Body format: {media:code}",
    means:
      "The media type of every body, of requests and answers, which does not state its own. Only `application/json` and types that end in `+json` are JSON.",
    example: "Body format: `application/json`",
    none: { usedBy: ["body"] },
  }),
  bullet("service", {
    form: "Nested names: {nesting=in brackets|with dots}",
    means:
      "How parts, maps and lists stand in forms and queries: `a[b]` or `a.b` is member `b` of `a`; the items of a list stand under `a[]`, or under `a[0]`, `a[1]` and so on (`a.0`); items that are no single values have numbers. Failures name values in the same way.",
    example: "Nested names: in brackets",
    none: { unused: "a name is one name" },
  }),
  bullet("service", {
    form: "One request: all or nothing, as if alone",
    means:
      "Every request is one serializable transaction: no other request sees a part of it, and its outcome is as if no other ran at the same time.",
    example: "One request: all or nothing, as if alone",
    free: true,
  }),
  bullet("service", {
    form: "Timestamps: in {precision=seconds|milliseconds|microseconds}",
    means: "The precision of every `timestamp` that does not state its own.",
    example: "Timestamps: in milliseconds",
    free: true,
  }),
  bullet("service", {
    form: "Cross-origin: from every origin[, headers {headers:words}][, showing {shown:words}][, kept {time:duration}]",
    means:
      "Pages of every origin may ask (Fetch standard, section 3.3): answers to requests with an `Origin` field carry `Access-Control-Allow-Origin: *`, a preflight names the methods of the path, these request headers, and how long it may be kept. `showing`: headers of answers that scripts may read (`Access-Control-Expose-Headers`).",
    example: "Cross-origin: from every origin, headers `Content-Type`, kept 10 min",
    none: { unused: "an `Origin` field is a field like any other" },
  }),
  bullet("service", {
    form: "Cross-origin: from {origins:words}[, headers {headers:words}][, {credentials=with credentials}][, showing {shown:words}][, kept {time:duration}]",
    means:
      "Pages of these origins may ask; `with credentials`: with cookies and the like (`Access-Control-Allow-Credentials: true`).",
    example: "Cross-origin: from `https://app.example`, with credentials, showing `ETag`",
    id: "cross-origin listed",
  }),
  bullet("service", {
    form: "Setting {name:name}: {type:type}",
    means:
      "A value that the operator supplies when the service starts, as `setting.name` in expressions. It never stands in the document, and names no row.",
    example: "Setting `jwt_key`: secret",
    many: true,
    id: "setting",
  }),
  // Resources
  bullet(["resource"], {
    form: "Always: {condition:expr}[, {tail:tail}]",
    means:
      "An invariant over `it`, judged when the steps of a request end. A request that would break it is refused with the error; without one a break is a fault inside.",
    example: "Always: `it.balance >= 0.00`, else `insufficient_funds`",
    many: true,
  }),
  bullet(["resource"], {
    form: "Unique: {fields:names}[ where {where:expr}][, {tail:tail}]",
    means:
      "No two rows (for which the condition holds) are alike in all these fields. Null is the same as no value.",
    example: "Unique: `seat` where `!it.void`, else `taken` on `seat`",
    many: true,
  }),
  bullet(["resource"], {
    form: "Missing {field:dotted}: {refusal:refusal}",
    means:
      "What a client gets that gives a reference which names no row; a reference in a part is named with the members on the way to it.",
    example: "Missing `customer`: `no_customer` on `customer`",
    many: true,
    id: "missing",
  }),
  bullet(["resource"], {
    form: "Rows: only those where {where:expr}; any other is as if not there",
    means:
      "For a request with a caller, every step and expression sees only these rows of the resource.",
    example: "Rows: only those where `it.tenant == caller.tenant`; any other is as if not there",
  }),
  bullet(["resource"], {
    form: "Changed: never",
    means: "No step sets a field of a row or deletes it.",
    example: "Changed: never",
  }),
  bullet(["resource"], {
    form: "Deleted: never",
    means: "No step deletes a row.",
    example: "Deleted: never",
  }),
  bullet(["resource"], {
    form: "Deleted: refused while {condition:expr}[, {tail:tail}]",
    means: "A step that deletes a row for which this holds refuses the request.",
    example: "Deleted: refused while `it.balance != 0.00`, else `not_empty`",
    id: "deleted refused",
    many: true,
  }),
  bullet(["resource"], {
    form: "Kept: {time:duration} after {field:name}",
    means:
      "The service deletes a row when that much time has passed since the field's value. While that is refused (by `Deleted`, a reference or an invariant) the row stays; it goes when nothing refuses it any more.",
    example: "Kept: 30 days after `createdAt`",
  }),
  bullet(["resource"], {
    form: "Version tag: {field:name}, {strength=strong|weak}; none sent: {none:refusal}; another sent: {other:refusal}",
    means:
      "The field's value is sent as `ETag` (RFC 9110 section 8.8.3) with every answer whose body is one row of the resource, and compared by `Check the tag of`.",
    example: "Version tag: `version`, strong; none sent: `tag_needed`; another sent: `changed`",
  }),
  bullet(["resource", "every resource"], {
    form: "Rows at the start: block {block:name}",
    means: "The rows of a fenced block `json rows NAME` are there from the start.",
    example: "Rows at the start: block `tenants`",
    none: { usedBy: ["start rows"] },
    id: "rows at the start",
  }),
  bullet(["resource", "every resource"], {
    form: "Rows at the start: given when the service starts",
    means:
      "The operator supplies rows when the service starts for the first time. They are judged as if requests had made them.",
    example: "Rows at the start: given when the service starts",
    id: "rows at the start given",
  }),
  // Views and shapes
  bullet("view", {
    form: "Fields: all but {fields:names}",
    means: "The resource's fields that are read, without these, before those of the table.",
    example: "Fields: all but `body`",
    id: "fields all but",
  }),
  bullet("view", {
    form: "Fields: {fields:names}",
    means:
      "These fields of the resource, in its order, whatever their Read says, before those of the table. Only a field that is read `on create` stays so: it is shown once, in the answer of the request that made the row.",
    example: "Fields: `id`, `name`",
    id: "fields only",
  }),
  bullet("value", {
    form: "Is: {value:expr}",
    means:
      "Sees the Given names, `now`, `setting` and collections, and uses other values, never itself.",
    example: "Is: `bookings.exists(b, b.room == room && b.ends > now)`",
  }),
  bullet(["shape", "routine", "value", "call"], {
    form: "Given {name:name}: {type:type}",
    means:
      "A name that its expressions may use. A resource's name is a row; `list of` a resource is rows.",
    example: "Given `found`: list of `Article`",
    many: true,
    id: "given",
  }),
  bullet("shape", {
    form: "Content type: {media:code}",
    means: "The media type of a body that has this shape.",
    example: "Content type: `application/problem+json`",
  }),
  // Schemas
  bullet("schema", {
    form: "Schema: {schema:code}",
    means: "The schema, where it is short: what a block `json schema` may hold.",
    example: "Schema: `true`",
  }),
  // States
  bullet("states", {
    form: "No states: {resources:names}",
    means: "These resources have no states.",
    example: "No states: `User`, `Article`",
    many: true,
  }),
  bullet("machine", {
    form: "Held in: {field:name}",
    means: "The field, of type `state`, that holds the state.",
    example: "Held in: `status`",
  }),
  bullet("machine", {
    form: "States: {states:states}",
    means: "The states. A new row enters the initial one. A final one has no way out.",
    example: "States: `open` (initial), `paid`, `expired` (final)",
  }),
  bullet("machine", {
    form: "Any other transition: refused with {refusal:refusal}",
    means: "What a Fire step gets when no row of the table can be taken.",
    example: "Any other transition: refused with `wrong_state`",
  }),
  bullet("machine", {
    form: "Clock: no later than {late:duration} after",
    means:
      "A transition on time happens no sooner than its time and no later than this after it. A request that comes in between sees it done.",
    example: "Clock: no later than 5 s after",
    free: true,
  }),
  bullet("machine", {
    form: "At the same time: in order of {keys:order}",
    means: "The order of transitions that fall on the same instant, by expressions over `it`.",
    example: "At the same time: in order of `it.id` ascending",
    free: true,
  }),
  // Calls
  bullet("call", {
    form: "Kind: {kind=pure|effect|long}",
    means:
      "`pure`: same data, same answer, nothing else. `effect`: changes something outside. `long`: is made when the request is committed, and answers later.",
    example: "Kind: effect",
  }),
  bullet("call", {
    form: "Same key: {same=first answer again|done again}",
    means: "What a second call for the same step of the same request does.",
    example: "Same key: first answer again",
    none: { unused: "the call is never made twice for one step" },
  }),
  bullet("call", {
    form: "Time-out: {time:duration}",
    means: "How long its answer may take.",
    example: "Time-out: 10 s",
    none: { usedBy: ["late answer"] },
  }),
  bullet("call", {
    form: "No answer in time: {refusal:refusal}",
    means: "What the request gets then.",
    example: "No answer in time: `unavailable`",
  }),
  bullet("call", {
    form: "Undo: {call:name}",
    means:
      "The call that undoes it when the request is refused later. It is given what the call was given, by name.",
    example: "Undo: `refund`",
    none: { unused: "what it has done stays done" },
  }),
  bullet("call", {
    form: "Always: {condition:expr}",
    means: "An invariant over what is given and said, judged on every answer.",
    example: "Always: `said.amount <= given.amount`",
    many: true,
    id: "call always",
  }),
  bullet("call", {
    form: "Stand-in: {word:word}[ with {with:assigns}][ when {condition:expr}]",
    means:
      "What it says in tests where no code is behind it, over `given`: the first whose condition holds, or the one without `when`. Data that it does not state are absent then.",
    example: 'Stand-in: `declined` when `given.token == "tok_declined"`',
    none: { unused: "code must be behind the call" },
    many: true,
  }),
  // Endpoints
  bullet(endpointScopes, {
    form: "Who: {actors:words}",
    means: "The actors who may ask. Where one of them holds `always`, credentials may be left out.",
    example: "Who: `user` or `anyone`",
    none: { usedBy: ["caller read", "caller's keys"] },
  }),
  bullet(endpointScopes, {
    form: "Body: {kind=new|changed} {resource:name}[; {rule=at least one member}]",
    means:
      "The whole body: an object with the members that Create (for `new`) or Update (for `changed`) of the resource's fields allow, and those that `body` rows of the input table add.",
    example: "Body: new `Order`",
    none: { usedBy: ["body read", "body row", "format of a body"] },
    id: "body fields",
  }),
  bullet(endpointScopes, {
    form: "Body: {member:dotted}, {kind=new|changed} {resource:name}[; {rule=at least one member}]",
    means: "As above, under a member of the body.",
    example: "Body: `article`, changed `Article`; at least one member",
    id: "body member fields",
  }),
  bullet(endpointScopes, {
    form: "Body: {member:dotted}, {type:type}",
    means:
      "A member of the body; needed, unless its type is `or absent`. Rules stand in the input table instead.",
    example: "Body: `lines`, list of `Line`",
    id: "body member type",
    many: true,
  }),
  bullet(endpointScopes, {
    form: "Body: {type:type}",
    means: "The whole body.",
    example: "Body: list of `Line`",
    id: "body type",
  }),
  bullet(endpointScopes, {
    form: "Body format: {media:code}",
    means: "The media type of this endpoint's request body.",
    example: "Body format: `application/merge-patch+json`",
    id: "endpoint body format",
  }),
  bullet(["endpoint", "stream"], {
    form: "Path {param:name}: {as:name}, the {resource:name} by {field:name}[ {case=in any case}][ where {where:expr}], {tail:tail}",
    means:
      "Names the row whose field equals the path parameter; refuses when there is none. `in any case`: the letters A to Z equal a to z, as in `lower`; for fields of type `string`, `email` or `uri`. Its condition sees the rows that Path bullets above it name. Done by `Check the paths`.",
    example: "Path `slug`: `article`, the `Article` by `slug`, else `not_found`",
    many: true,
    id: "path",
  }),
  bullet(["endpoint", "stream"], {
    form: "Path {param:name}: the {resource:name} as {as:name}[ {case=in any case}][ where {where:expr}], {tail:tail}",
    means: "The same, by the field with the parameter's own name.",
    example: "Path `slug`: the `Article` as `article`, else `not_found`",
    many: true,
    id: "path as",
  }),
  bullet(endpointScopes, {
    form: "Idempotency key: header {header:code}",
    means: "The header that names an attempt. Raises the questions below.",
    example: "Idempotency key: header `Idempotency-Key`",
    none: { usedBy: ["terms of keys"] },
  }),
  bullet(endpointScopes, {
    form: "Key kept: {time:duration}",
    means: "How long a key is remembered: until that much time has passed.",
    example: "Key kept: 24 h",
  }),
  bullet(endpointScopes, {
    form: "Key per: {per=caller|address|everyone}[, {scope=at every endpoint}]",
    means:
      "Among whose keys it is looked for: those of the endpoint, or `at every endpoint` that says so, where a key of another is one with another body. With `caller`, a request of which nobody is known to be the caller has no key: what its header says is not looked at.",
    example: "Key per: caller",
  }),
  bullet(endpointScopes, {
    form: "Header {name:code}: {value:expr}",
    means:
      "A header of every answer of the endpoint: of steps, errors and gaps; under `### Every endpoint` also of what no endpoint answers. Its value is made when the answer is sent, also of one that is sent again. Null: it is not sent. One that is nearer stands instead: of the endpoint, of a step.",
    example: "Header `Request-Id`: `request.id`",
    many: true,
    id: "answer header",
  }),
  bullet(endpointScopes, {
    form: "Version tag: of the answer, {strength=strong|weak}",
    means:
      "A hash of the body of each 200 answer to GET is sent as `ETag`, and `If-None-Match` compared with it (RFC 9110 section 13.1.2): lists and computed views have a tag, too.",
    example: "Version tag: of the answer, weak",
    none: { unused: "no answer carries a tag but that of its row" },
    id: "answer tag",
  }),
  bullet(endpointScopes, {
    form: "Same key and same body: first answer again[, header {mark:code} = {value:expr}]",
    means:
      "The first answer is sent again, with the header if one is stated, what it showed once too, and nothing is done. It is kept sealed with the key, which is not kept.",
    example: "Same key and same body: first answer again",
  }),
  bullet(endpointScopes, {
    form: "Same key and other body: {refusal:refusal}",
    means: "What that request gets.",
    example: "Same key and other body: `key_reused`",
  }),
  bullet(endpointScopes, {
    form: "Same key while the first runs: {refusal:refusal}",
    means: "What that request gets.",
    example: "Same key while the first runs: `key_busy`",
    id: "same key while the first runs",
  }),
  bullet(endpointScopes, {
    form: "Same key while the first runs: waits for it",
    means: "The second request waits for the first one's answer.",
    example: "Same key while the first runs: waits for it",
    id: "same key waits",
  }),
  bullet(endpointScopes, {
    form: "Answers kept under a key: {which=every answer|2xx answers|2xx and 4xx answers}",
    means: "Which answers count as the first answer. After any other, the key is as if never used.",
    example: "Answers kept under a key: 2xx answers",
  }),
  bullet(endpointScopes, {
    form: "Bodies are the same when: their {what=bytes|values} are the same",
    means: "How bodies are compared.",
    example: "Bodies are the same when: their bytes are the same",
  }),
  // Authentication
  bullet("scheme", {
    form: "Sent in: header {header:code}, form {form:code}",
    means:
      "The header and its value, in which `{credential}` stands for the credential. The word before it is the challenge in `WWW-Authenticate` (RFC 9110 section 11.6.1).",
    example: "Sent in: header `Authorization`, form `Bearer {credential}`",
    id: "sent in header",
  }),
  bullet("scheme", {
    form: "Sent in: query parameter {name:code}",
    means: "The parameter's value is the credential.",
    example: "Sent in: query parameter `api_key`",
    id: "sent in query",
  }),
  bullet("scheme", {
    form: "Sent in: cookie {name:code}",
    means: "The cookie's value is the credential.",
    example: "Sent in: cookie `sid`",
    id: "sent in cookie",
  }),
  bullet("scheme", {
    form: "Sent in: HTTP Basic",
    means: "RFC 7617, UTF-8.",
    example: "Sent in: HTTP Basic",
    id: "sent in basic",
  }),
  bullet("scheme", {
    form: "Credential: opaque",
    means: "Text, `credential` in the Caller condition.",
    example: "Credential: opaque",
    id: "credential opaque",
  }),
  bullet("scheme", {
    form: "Credential: user name and password",
    means: "`username` and `password` in the Caller condition.",
    example: "Credential: user name and password",
    id: "credential basic",
  }),
  bullet("scheme", {
    form: "Credential: JWT signed with {algorithm:word}, key {key:expr}",
    means:
      "RFC 7519 and 7515, this algorithm alone. Its claims are `claims.sub` (string) in the Caller condition.",
    example: "Credential: JWT signed with `HS256`, key `setting.jwt_key`",
    id: "credential jwt",
  }),
  bullet("scheme", {
    form: "Credential: JWT signed with {algorithm:word}, keys at {keys:expr}",
    means: "The key is the one of the JWK set (RFC 7517) at that address which `kid` names.",
    example: "Credential: JWT signed with `RS256`, keys at `setting.jwks`",
    id: "credential jwks",
  }),
  bullet("scheme", {
    form: "Caller: the {resource:name} where {where:expr}, {tail:tail}",
    means:
      "The row that `caller` is, over `it` and the credential, a secret. Refuses a credential for which there is none. All schemes name one resource.",
    example: "Caller: the `User` where `it.id == claims.sub`, else `unauthorized`",
  }),
  bullet("scheme", {
    form: "Issuer: {issuer:code}",
    means: "The `iss` that tokens carry and must carry.",
    example: "Issuer: `https://id.example`",
    none: { unused: "no name of an expression has the `iss` of a token" },
  }),
  bullet("scheme", {
    form: "Audience: {audience:code}",
    means: "The `aud` that tokens carry and must name.",
    example: "Audience: `orders`",
    none: { unused: "no name of an expression has the `aud` of a token" },
  }),
  bullet("scheme", {
    form: "Subject: {subject:expr}",
    means: "The `sub` of a token issued for the row `it`.",
    example: "Subject: `it.id`",
    none: { usedBy: ["subject read"] },
  }),
  bullet("scheme", {
    form: "Lifetime: {time:duration}",
    means: "How long a credential is good for after it was issued (`exp`).",
    example: "Lifetime: 24 h",
    none: { unused: "tokens have no end, and `claims.exp` is absent" },
  }),
  bullet("scheme", {
    form: "Clock skew: {time:duration}",
    means: "How far clocks may differ when times are judged.",
    example: "Clock skew: 30 s",
    none: { unused: "times are judged as the clock shows them" },
  }),
  bullet("scheme", {
    form: "Revocation: by the Caller condition",
    means: "A credential ends when the Caller condition no longer holds.",
    example: "Revocation: by the Caller condition",
    none: { unused: "a credential ends with its time alone" },
  }),
  bullet("scheme", {
    form: "Rotation: by `kid`",
    means: "Several keys at a time, told apart by `kid`.",
    example: "Rotation: by `kid`",
    none: { unused: "the keys that there are stay" },
  }),
  // Events
  bullet("webhook", {
    form: "Receivers: each {resource:name} where {where:expr}",
    means:
      "The rows that receive, over `receiver`, `it` (what the event is about) and `event` (its name). Where the events are about several resources, the condition must fit each of them.",
    example:
      "Receivers: each `Hook` where `receiver.owner == it.customer && event in receiver.events`",
  }),
  bullet("webhook", {
    form: "Address: {address:expr}",
    means: "The address, over `receiver`.",
    example: "Address: `receiver.url`",
  }),
  bullet("webhook", {
    form: "Sent as: {method:word} with {shape:name}",
    means:
      "The request; the shape sees `event` (name), `data`, `sent` (timestamp), `delivery` (text that names the message), `event_id` (the same for all receivers), `receiver`, and `it`, what the event is about. Where the events are about several resources, its values must fit each of them.",
    example: "Sent as: `POST` with `Envelope`",
  }),
  bullet("webhook", {
    form: "Signature: Standard Webhooks v1 with {secret:expr}",
    means:
      "Headers `webhook-id`, `webhook-timestamp` and `webhook-signature` as the Standard Webhooks specification has them.",
    example: "Signature: Standard Webhooks v1 with `receiver.secret`",
    none: { unused: "messages carry no header of a signature" },
  }),
  bullet("webhook", {
    form: "Signature: {algorithm=HMAC-SHA256|HMAC-SHA512|HMAC-SHA1} in {encoding=hex|base64} of {text:expr} with {secret:expr}",
    means:
      "HMAC (RFC 2104) of a text over `payload`, `delivery`, `event`, `sent` and `now`, the time of the attempt; hex in lower case, base64 with padding. The secret's text in UTF-8 is the key. Header bullets call the result `signature`.",
    example:
      'Signature: HMAC-SHA256 in hex of `string(unix_seconds(now)) + "." + payload` with `receiver.secret`',
    id: "signature hmac",
  }),
  bullet("webhook", {
    form: "Header {name:code}: {value:expr}",
    means:
      "A header of each attempt, over the same names and `signature`. A value that no header can have makes the attempt fail.",
    example: 'Header `X-Signature`: `"sha256=" + signature`',
    many: true,
    id: "webhook header",
  }),
  bullet("webhook", {
    form: "Delivered when: any 2xx within {time:duration}",
    means: "Any other outcome is a failed attempt.",
    example: "Delivered when: any 2xx within 15 s",
  }),
  bullet("webhook", {
    form: "Attempts: at once[, then after {durations:durations}]",
    means: "When the attempts are made, each after the end of the one before.",
    example: "Attempts: at once, then after 5 s, 5 min, 30 min",
  }),
  bullet("webhook", {
    form: "After the last attempt: {then:step}",
    means: "Done over `receiver`; `do nothing` gives up.",
    example: "After the last attempt: set `receiver.enabled` = `false`",
  }),
  bullet("webhook", {
    form: "Answer {status:status}: {then:step}",
    means: "Done over `receiver` when an attempt gets this status; no further attempt is made.",
    example: "Answer `410`: set `receiver.enabled` = `false`",
    many: true,
    id: "answer",
  }),
  bullet("webhook", {
    form: "Guarantee: {guarantee=at least once|at most once}",
    means: "How often a message arrives.",
    example: "Guarantee: at least once",
    none: { unused: "attempts and their times say what is done" },
  }),
  bullet("webhook", {
    form: "Order of arrival: as they happened",
    means: "Messages to one receiver arrive in the order of their causes.",
    example: "Order of arrival: as they happened",
    none: { unused: "messages arrive in any order" },
    free: true,
  }),
  bullet("stream", {
    form: "Path: {endpoint:code}",
    means: "The method and path that open the stream.",
    example: "Path: `GET /stream`",
    id: "stream path",
  }),
  bullet("stream", {
    form: "Who: {actors:words}",
    means: "The actors who may open it.",
    example: "Who: `user`",
    id: "stream who",
    none: { usedBy: ["listener read"] },
  }),
  bullet("stream", {
    form: "Sees: {condition:expr}",
    means:
      "Which events a caller gets, over `it`, `event`, `caller`, `path`, the parameters with which the stream was opened, and the rows that its Path bullets name. Where the events are about several resources, the condition must fit each of them.",
    example: "Sees: `it.tenant == caller.tenant`",
    id: "sees",
  }),
  bullet("stream", {
    form: "Resume: from `Last-Event-ID`, kept {time:duration}",
    means:
      "A client that names the last event it got (its `id`: 22 letters, digits, `-` and `_` that tell nothing else, and stay good behind a restart) is sent those after it, as far back as they are kept. A name that no event of the stream had counts as none: the stream begins with what happens now.",
    example: "Resume: from `Last-Event-ID`, kept 24 h",
    none: { unused: "a client begins with what happens now" },
  }),
  bullet("stream", {
    form: "Ends: after {time:duration}",
    means: "When the service ends it.",
    example: "Ends: after 1 h",
    none: { unused: "the stream is open until its client or the host closes it" },
  }),
  bullet("stream", {
    form: "Ends: after {events:words}[, at the latest after {time:duration}]",
    means:
      "It ends behind the first of these events that it has sent. A client that resumes behind such an event gets 204, upon which an `EventSource` stops (WHATWG HTML section 9.2.3).",
    example: "Ends: after `order.closed`, at the latest after 1 h",
    id: "ends after",
  }),
  bullet("stream", {
    form: "Heartbeat: every {time:duration}",
    means: "A comment is sent whenever nothing was for so long.",
    example: "Heartbeat: every 15 s",
    none: { unused: "nothing is sent while nothing happens, as without this bullet" },
  }),
  // Errors
  bullet("errors", {
    form: "Failures reported: {which=first|all}",
    means: "Whether an answer names the first failed input or all of them (`failures`).",
    example: "Failures reported: all",
    id: "failures reported",
  }),
  // Limits
  bullet("limits", {
    form: "Sent with every answer: {headers:words}",
    means:
      "`RateLimit`, `RateLimit-Policy`: as draft-ietf-httpapi-ratelimit-headers-10 has them, on the answers to requests that have come to `Check the limits`.",
    example: "Sent with every answer: `RateLimit`, `RateLimit-Policy`",
    none: { unused: "an error or a step may still state such a header for its own answer" },
  }),
  // Versioning
  bullet("versioning", {
    form: "This version: {version:code}",
    means: "The version of this document.",
    example: "This version: `1.4.0`",
    none: { usedBy: ["version chosen"] },
  }),
  bullet("versioning", {
    form: "Chosen by: path {prefix:code}",
    means: "A request chooses the version by the beginning of its path.",
    example: "Chosen by: path `/v1`",
    none: { usedBy: ["version refused"] },
    id: "chosen by path",
  }),
  bullet("versioning", {
    form: "Chosen by: header {header:code}",
    means:
      "... by the value of a header: the text of This version. It is judged behind path and method, before all steps.",
    example: "Chosen by: header `Api-Version`",
    id: "chosen by header",
  }),
  bullet("versioning", {
    form: "Chosen by: query parameter {name:code}",
    means: "... by the value of a query parameter, in the same way.",
    example: "Chosen by: query parameter `v`",
    id: "chosen by query",
  }),
  bullet("versioning", {
    form: "Old versions: kept {time:duration} after the next",
    means:
      "How long a version is served when the next one is, where several are served side by side. Then a request that names it is one for a version that is not there.",
    example: "Old versions: kept 180 days after the next",
    none: { unused: "a document alone is the newest version" },
    unserved: "one document alone has no old version (shown by `test/serve/versions.test.ts`)",
  }),
  bullet("versioning", {
    form: "Sent with deprecated endpoints: {fields=Deprecation|Sunset|Deprecation and Sunset}",
    means:
      "Header fields of each answer of an endpoint or a stream that the deprecations name, or of all where they name `every endpoint`. `Deprecation` (RFC 9745) is the beginning of Deprecated on, `Sunset` (RFC 8594) that of Removed on; of an old version it is the end of its time, where that is sooner. A day begins at midnight in UTC.",
    example: "Sent with deprecated endpoints: Deprecation and Sunset",
    none: { unused: "an error or a step may still state such a header for its own answer" },
  }),
];
