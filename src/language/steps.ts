/* data table */
/** Every step sentence. A step begins with a capital, or in lower case behind a comma or colon. */
import type { Form } from "./form.ts";

const step = (id: string, form: string, means: string, example: string): Form => ({
  id,
  form,
  means,
  example,
});

export const steps: readonly Form[] = [
  step(
    "check",
    "Check the {what=caller|inputs|paths|limits|idempotency key}",
    "Only under `### Every endpoint`. Several are joined: `Check the limits, the inputs and the paths.` `caller`: credentials, then Who. `inputs`: the media type, the body's form, then every input in the order of the tables. `paths`: the Path bullets. `limits`: every limit that counts requests or bytes. `idempotency key`: the key's questions.",
    "Check the caller.",
  ),
  step(
    "check tag",
    "Check the tag of {of:name}",
    "Compares `If-Match` (RFC 9110 section 13.1.1) with the row's version tag.",
    "Check the tag of `account`.",
  ),
  step(
    "require",
    "Require {condition:condition}, {tail:tail}",
    "Refuses the request unless the condition holds.",
    "Require `order.total > 0`, else `nothing_to_pay`.",
  ),
  step(
    "may fire",
    "Require that {on:name} may {transition:name}[, {tail:tail}]",
    "Refuses unless the transition could be taken now; takes nothing.",
    "Require that `order` may `pay`.",
  ),
  step(
    "let one",
    "Let {as:name} be the {resource:name} where {where:condition}, {tail:tail}",
    "The one row for which the condition holds; a condition that may hold for several rows is an error of the document. Refuses when there is none.",
    "Let `user` be the `User` where `it.email == body.email`, else `bad_login`.",
  ),
  step(
    "let one or null",
    "Let {as:name} be the {resource:name} where {where:condition}, or null",
    "The one row for which the condition holds, or null.",
    "Let `mine` be the `Follow` where `it.follower == caller`, or null.",
  ),
  step(
    "let every where",
    "Let {as:name} be every {resource:name} where {where:condition}",
    "The list of all rows for which the condition holds. Their order is free until an Order step.",
    "Let `found` be every `Comment` where `it.article == article`.",
  ),
  step(
    "let every all",
    "Let {as:name} be every {resource:name} where all of:",
    "The conditions stand in bullets below and must all hold.",
    "Let `found` be every `Article` where all of:",
  ),
  step(
    "let every",
    "Let {as:name} be every {resource:name}",
    "The list of all rows.",
    "Let `found` be every `Tag`.",
  ),
  step(
    "let different",
    "Let {as:name} be the different values of {field:name} in {list:name}",
    "The values of the field among the rows of the list, each once; a list's items count singly. Their order is free.",
    "Let `tags` be the different values of `tagList` in `found`.",
  ),
  step(
    "page after",
    "Let {as:name} be {list:name} after {after:expr}, at most {most:simple}, {tail:tail}",
    "The part of an ordered list behind a row, or the row of that key (null: from the start). Refuses when it is not in the list.",
    "Let `page` be `found` after `query.cursor`, at most `query.limit`, else `bad_cursor`.",
  ),
  step(
    "page before",
    "Let {as:name} be {list:name} before {before:expr}, at most {most:simple}, {tail:tail}",
    "The rows straight before it, in the order of the list (null: the last ones).",
    "Let `page` be `found` before `query.ending_before`, at most `query.limit`, else `bad_cursor`.",
  ),
  step(
    "page",
    "Let {as:name} be {list:name} from {from:simple}, at most {most:simple}",
    "The part of a list that skips so many items and has at most so many.",
    "Let `page` be `found` from `query.offset`, at most `query.limit`.",
  ),
  step(
    "let",
    "Let {as:name} be {value:expr}",
    "Names a value.",
    "Let `price` be `order.total * 2`.",
  ),
  step(
    "order",
    "Order {list:name} by {keys:order}",
    "Orders a list by expressions over `it`: texts, numbers, booleans, dates, times and durations. Null comes first in ascending order. Rows that are alike in all of them stay in a free order.",
    "Order `found` by `it.createdAt` descending, then `it.id` descending.",
  ),
  step(
    "create",
    "Create (a|an) {resource:name}[ as {as:name}][ from {from:expr}][ with {with:assigns}][, {unless=unless one is there}]",
    "Makes a row: from the members of a body, and from the values given. `unless one is there`: where a unique rule of the resource would refuse the row because of another, that other is taken instead.",
    "Create an `Order` as `order` from `body` with `customer` = `caller`.",
  ),
  step(
    "set from",
    "Set {target:name} from {from:expr}, given members only",
    "Sets the fields whose members were given; null included.",
    "Set `article` from `body.article`, given members only.",
  ),
  step(
    "set all",
    "Set {target:name} from {from:expr}, every member",
    "Sets every field that the body may give; a member that was not given is set as if the row were new.",
    "Set `article` from `body`, every member.",
  ),
  step(
    "set",
    "Set {target:dotted} = {value:expr}",
    "Sets one field of a row.",
    "Set `order.expiresAt` = `null`.",
  ),
  step(
    "delete every",
    "Delete every {resource:name} where {where:condition}",
    "Deletes all rows for which the condition holds when the step begins; none is fine.",
    "Delete every `Follow` where `it.follower == caller`.",
  ),
  step("delete", "Delete {target:name}", "Deletes a row.", "Delete `article`."),
  step(
    "fire",
    "Fire {transitions:names} on {on:name}[, {tail:tail}]",
    "Takes a transition of the row's machine. Of several, the one whose From and When hold. Where none can be taken: the tail, or else what `Any other transition` says.",
    "Fire `pay` on `order`.",
  ),
  step(
    "emit",
    "Emit {event:word} of {of:expr}",
    "The event happens if the request is committed.",
    "Emit `order.paid` of `order`.",
  ),
  step(
    "call",
    "Call {call:name}[ with {with:assigns}][ as {as:name}][, {tail:tail}]",
    "Asks the code behind the door; its answer is `x.word` and its data. Where no answer comes in time: the tail, or else what `No answer in time` says.",
    "Call `charge` with `amount` = `order.total` as `paid`, else `declined`.",
  ),
  step(
    "do",
    "Do {routine:name}[ with {with:assigns}]",
    "Does named steps.",
    "Do `post` with `transfer` = `transfer`.",
  ),
  step(
    "respond empty",
    "Respond {status:status} with no body[, {headers:headers}]",
    "Ends the request: everything it did is committed and this is the answer.",
    "Respond `204` with no body.",
  ),
  step(
    "respond list",
    "Respond {status:status} with list of {shape:name} of {of:expr}[, {headers:headers}]",
    "The body is a JSON array, each element of the list shown in that shape.",
    "Respond `200` with list of `Comment` of `found`.",
  ),
  step(
    "respond shape",
    "Respond {status:status} with {shape:name} of {of:expr}[, {headers:headers}]",
    "The body is a row or value shown as a resource, a view or a shape. A shape with one Given name gets the value under it.",
    'Respond `201` with `Order` of `order`, header `Location` = `"/orders/" + order.id`.',
  ),
  step(
    "respond with",
    "Respond {status:status} with {shape:name} where {with:assigns}[, {headers:headers}]",
    "Each Given name of the shape gets its value.",
    "Respond `200` with `Page` where `found` = `page` and `more` = `false`.",
  ),
  step(
    "respond value",
    "Respond {status:status} with {value:expr}[, {headers:headers}]",
    "The body is the value of an expression, a row as its resource shows it; or the name of a shape that has no Given name.",
    'Respond `200` with `{"tags": tags}`.',
  ),
  step(
    "respond text",
    "Respond {status:status} with text {value:expr} as {media:code}[, {headers:headers}]",
    "The body is the text in UTF-8, and that is its media type: a page, a table of values, a plain word.",
    'Respond `200` with text `"ok"` as `text/plain; charset=utf-8`.',
  ),
  step(
    "refuse",
    "Refuse with {error:word}[ on {on:word}][ with {with:assigns}][, {keep=keeping what was done}]",
    "Ends the request with an error; nothing of what it did is kept, unless the sentence says so.",
    "Refuse with `locked`, keeping what was done.",
  ),
  step(
    "when gap",
    "When {condition:condition}, not shown",
    "A gap: what happens where the condition holds is not shown.",
    "When `body.force`, not shown.",
  ),
  step(
    "when",
    "When {condition:condition}, {then:step}",
    "Does the step only where the condition holds.",
    "When `body.notify`, emit `order.paid` of `order`.",
  ),
  step(
    "when block",
    "When {condition:condition}:",
    "Does the nested steps only where the condition holds.",
    "When `body.pay`:",
  ),
  step(
    "otherwise gap",
    "Otherwise, not shown",
    "Straight behind a When: the other case is a gap.",
    "Otherwise, not shown.",
  ),
  step(
    "otherwise",
    "Otherwise, {then:step}",
    "Straight behind a When: the other case.",
    "Otherwise, respond `202` with no body.",
  ),
  step("otherwise block", "Otherwise:", "Straight behind a When: the other case.", "Otherwise:"),
  step(
    "by table",
    "By the case table",
    "Takes the first and only row of the section's case table that fits (see Tables).",
    "By the case table.",
  ),
  step(
    "by",
    "By {subject:expr}:",
    "One bullet for each value: `value`: step. `any other`: all the rest. Every value must be covered once.",
    "By `order.currency`:",
  ),
  step(
    "for each",
    "For each {as:name} in {in:expr}[, {own=each on its own}][, into {into:name}]:",
    "Does the nested steps for each element in order. `each on its own`: an element that is refused undoes what was done for it and the next goes on. `into`: a list with `element`, `done` (boolean) and `error` (the name, or null) for each.",
    "For each `line` in `body.lines`:",
  ),
  step(
    "any order",
    "In any order:",
    "Nested Require steps whose order is not stated: a request that fails two of them, whose refusals differ in error, `on` or `with`, meets a gap that `check` counts.",
    "In any order:",
  ),
  step("nothing", "Do nothing", "Does nothing.", "Do nothing."),
  step(
    "gap",
    "{subject:text}: not shown",
    "A gap in the middle of steps: the request stops here.",
    "How the money is taken: not shown.",
  ),
];

/** Word forms of conditions. `it` is the row, in steps that look for rows. */
export const conditions: readonly Form[] = [
  step(
    "is, if given",
    "{pairs:is}, if given",
    "As without `if given`, but true where an input that the expressions read was not sent.",
    "`status` is `query.status`, if given",
  ),
  step(
    "if given",
    "{value:expr}, if given",
    "True where an input that the expression reads was not sent; else it must hold.",
    "`it.at >= query.since`, if given",
  ),
  step("given", "{what:dotted} is given", "`has(...)` of the member.", "`query.tag` is given"),
  step(
    "not given",
    "{what:dotted} is not given",
    "`!has(...)` of the member.",
    "`query.tag` is not given",
  ),
  step(
    "is",
    "{pairs:is}",
    "Where rows are looked for: the field of `it` equals the expression; several joined by `and`. An absent field equals nothing, null neither.",
    "`follower` is `caller` and `followed` is `user`",
  ),
  step(
    "there",
    "(a|an) {resource:name} with {with:assigns} is there",
    "Some row of the resource has these values; an absent field has none.",
    "a `Follow` with `follower` = `caller` and `followed` = `user` is there",
  ),
  step(
    "not there",
    "no {resource:name} with {with:assigns} is there",
    "No row of the resource has these values.",
    "no `Follow` with `follower` = `caller` and `followed` = `user` is there",
  ),
];
