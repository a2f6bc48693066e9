/* data table */
/** What a careful reviewer asks: each question of judgement with a wrong and a right sample. */
import type { CodeEntry } from "../base/index.ts";

/** Told by `check --review` alone, and never an error: the author may have meant it. */
export const reviewCodes = {
  "owner-unasked": {
    severity: "review",
    topic: "attackers",
    why: "The document is whole, and served as it stands; this is a question about what it allows. Where one endpoint asks whose the row is and its neighbour does not, whoever is refused at the first tries the second.",
    see: ["roles"],
    title: "Whose row this is is not asked here",
    meaning:
      "Another endpoint that the same callers may use asks whose the row is, and this one does not.",
    mend: "Write a condition on `caller` in the Path bullet, if it was forgotten.",
    wrong:
      "### `POST /notes/{id}/drop`\n\n- Body: none\n- Path `id`: `note`, the `Note` by `id`, else `not_found`\n\n1. Delete `note`.\n2. Respond `204` with no body.",
    right:
      "### `POST /notes/{id}/drop`\n\n- Body: none\n- Path `id`: `note`, the `Note` by `id` where `it.owner == caller`, else `not_found`\n\n1. Delete `note`.\n2. Respond `204` with no body.",
  },
  "open-change": {
    severity: "review",
    topic: "attackers",
    see: ["roles"],
    title: "Anybody may change this row",
    meaning:
      "The endpoint changes or deletes the row that its path names, and asks nobody who he is.",
    mend: "Say under Who that a caller is needed, if anybody is too many.",
    wrong: "- Who: none\n- Body: none",
    right: "- Who: `user`\n- Body: none",
  },
  "role-given": {
    severity: "review",
    topic: "attackers",
    see: ["roles"],
    title: "Callers may promote themselves",
    meaning: "What a caller may do depends on a field that a request's body may give.",
    mend: "Write `no` under Create and Update and set the field in a step.",
    wrong: "| `role` | one of `staff`, `user` | required | no | yes | none |",
    right: '| `role` | one of `staff`, `user` | no | no | yes | starts `"user"` |',
  },
  "exists-told": {
    severity: "review",
    topic: "attackers",
    title: "A stranger learns which rows there are",
    meaning:
      "A row of others is refused with 403 and one that is not there with 404: who tries paths can tell them apart.",
    mend: "Ask for the owner in the Path bullet, so that both get 404.",
    wrong: "1. Require `note.owner == caller`, else `forbidden`.\n2. Respond `204` with no body.",
    right: "1. Require `note.owner == caller`, else `not_found`.\n2. Respond `204` with no body.",
  },
  "password-fast": {
    severity: "review",
    topic: "attackers",
    see: ["accounts"],
    title: "A password under a fast hash",
    meaning:
      "A secret that people choose is kept as SHA-256 or as it is: whoever gets hold of the database finds most of them.",
    mend: "Keep it as Argon2id or scrypt.",
    wrong:
      "| `title` | string | required | optional | yes | none |\n| `password` | secret | required | no | no | kept as SHA-256 |",
    right:
      "| `title` | string | required | optional | yes | none |\n| `password` | secret | required | no | no | kept as Argon2id with 19456 KiB, 2 passes and 1 lanes |",
  },
  "secret-in-address": {
    severity: "review",
    topic: "attackers",
    see: ["keys"],
    title: "A secret in an address",
    meaning:
      "What stands in a path or a query is written into logs, histories and `Referer` fields.",
    mend: "Take it from a header, a cookie or the body.",
    wrong: "| `token` | query | string | yes | none |",
    right: "| `token` | body | string | yes | none |",
  },
  "token-endless": {
    severity: "review",
    topic: "attackers",
    see: ["accounts"],
    title: "A token that never ends",
    meaning: "`Lifetime: none`: a token that somebody finds is good for ever.",
    mend: "State a lifetime.",
    wrong: "- Lifetime: none",
    right: "- Lifetime: 24 h",
  },
  "token-anywhere": {
    severity: "review",
    topic: "attackers",
    title: "A token for no service in particular",
    meaning:
      "`Audience: none`: a token that another service with the same key has made is good here.",
    mend: "State an audience, unless no other service has the key.",
    wrong: "- Audience: none",
    right: "- Audience: `notes`",
  },
  "login-tells": {
    severity: "review",
    topic: "attackers",
    see: ["accounts"],
    title: "A log-in tells who has an account",
    meaning: "A name that is not known gets another error than a wrong password.",
    mend: "Give both the same error.",
    wrong:
      "1. Let `found` be the `Note` where `it.title == body.title`, else `not_found`.\n2. Require `password_matches(found.password, body.password)`, else `wrong_state`.",
    right:
      "1. Let `found` be the `Note` where `it.title == body.title`, else `wrong_state`.\n2. Require `password_matches(found.password, body.password)`, else `wrong_state`.",
  },
  "login-unlimited": {
    severity: "review",
    topic: "attackers",
    see: ["accounts"],
    title: "Passwords can be tried without an end",
    meaning:
      "An endpoint compares passwords for whoever asks, and no rate limit counts its requests.",
    mend: "State a rate limit per address for it.",
    wrong: "Rate limits, size limits, time-outs and quotas: none.",
    right:
      "- Sent with every answer: none\n\n| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n| `tries` | requests to `POST /logins` | address | 10 | 1 min, sliding | `wrong_state` |",
  },
  "id-counted": {
    severity: "review",
    topic: "attackers",
    title: "Ids that can be guessed",
    meaning:
      "The field that names rows in a path counts up, and nobody is asked who he is: who knows one row finds all.",
    mend: "Take a field of type `id`, or ask who the caller is.",
    wrong: "- Path `number`: `note`, the `Note` by `number`, else `not_found`",
    right: "- Path `number`: `note`, the `Note` by `id`, else `not_found`",
  },
  "hook-unsigned": {
    severity: "review",
    topic: "attackers",
    see: ["webhooks"],
    title: "Messages that anybody can forge",
    meaning: "A receiver cannot tell an event from one that somebody else sends.",
    mend: "State a signature.",
    wrong: "- Signature: none",
    right: "- Signature: Standard Webhooks v1 with `receiver.secret`",
  },
  "hook-plain": {
    severity: "review",
    topic: "attackers",
    see: ["webhooks"],
    title: "Messages that anybody on the way can read",
    meaning:
      "The address of a receiver may begin with `http:`: what is sent there is neither secret nor safe from change.",
    mend: "Give the field the rule `scheme` with `https`.",
    wrong: "| `home` | uri | required | no | yes | none |",
    right: "| `home` | uri | required | no | yes | scheme `https` |",
  },
  "stream-all": {
    severity: "review",
    topic: "attackers",
    see: ["webhooks"],
    title: "A stream that shows all to everybody",
    meaning:
      "`Sees` is true for every listener, and the rows that the events are about are kept from some callers by `Rows`.",
    mend: "Compare `it` with `caller` under Sees.",
    wrong: "- Sees: `true`",
    right: "- Sees: `it.owner == caller`",
  },
  "cookie-everywhere": {
    severity: "review",
    topic: "attackers",
    title: "A cookie, and pages of every origin",
    meaning:
      "Browsers send a cookie along with what any page asks, and the answers may be read by pages of every origin.",
    mend: "Name the origins, or take the credential from a header.",
    wrong: "- Cross-origin: from every origin",
    right: "- Cross-origin: from `https://notes.example`",
  },
  "key-shared": {
    severity: "review",
    topic: "attackers",
    title: "Idempotency keys that all share",
    meaning:
      "A key is looked for among those of everybody: who guesses a key gets the answer that somebody else got.",
    mend: "Write `- Key per: caller`.",
    wrong: "- Key per: everyone",
    right: "- Key per: address",
  },
  "effect-repeated": {
    severity: "review",
    topic: "retries",
    see: ["other-systems"],
    title: "What is sent again is done again",
    meaning:
      "A POST does something outside by a call and takes no idempotency key: a client that did not get the answer cannot send it again safely.",
    mend: "State an idempotency key.",
    wrong: "1. Call `charge`.\n2. Respond `204` with no body.",
    right: "1. Respond `204` with no body.",
  },
  "get-writes": {
    severity: "review",
    topic: "retries",
    title: "GET changes something",
    meaning:
      "Caches, crawlers and links send GET without being asked, and expect that it changes nothing (RFC 9110, section 9.2.1).",
    mend: "Take POST, or leave the change out.",
    wrong: "### `GET /notes/{id}/seen`",
    right: "### `POST /notes/{id}/seen`",
  },
  "put-creates": {
    severity: "review",
    topic: "retries",
    title: "PUT makes a row each time",
    meaning:
      "PUT is sent again when an answer is lost (RFC 9110, section 9.2.2): each time another row is made.",
    mend: "Take POST, or make the row where none is there.",
    wrong: "### `PUT /first`",
    right: "### `POST /first`",
  },
  "text-unbounded": {
    severity: "review",
    topic: "growth",
    why: "The document is whole, and served as it stands; this is a question about what it allows. A text that nobody bounds is stored, sent to every reader and paid for, as long as somebody cares to make it.",
    title: "A text of any length",
    meaning:
      "A client may give a text in a body as long as the host lets through: no rule and no limit on the bytes of a body says otherwise.",
    mend: "Write the most characters.",
    wrong: "| `title` | string | required | optional | yes | none |",
    right: "| `title` | string | required | optional | yes | at most 80 characters |",
  },
  "list-unbounded": {
    severity: "review",
    topic: "growth",
    why: "The document is whole, and served as it stands; this is a question about what it allows. One request with a hundred thousand items keeps the others waiting, and what it stores is read by all.",
    see: ["many-at-once"],
    title: "A list of any length",
    meaning:
      "A client may give as many items in a body as the host lets through: no rule and no limit on the bytes of a body says otherwise.",
    mend: "Write the most items.",
    wrong: "| `title` | list of string | required | optional | yes | none |",
    right: "| `title` | list of string | required | optional | yes | at most 5 items |",
  },
  "list-whole": {
    severity: "review",
    topic: "growth",
    see: ["pages"],
    title: "A list that is sent as a whole",
    meaning: "Every row that is found is sent: the answer grows with the service.",
    mend: "Take a page of it in a step.",
    wrong:
      "1. Let `all` be every `Note`.\n2. Order `all` by `it.id` ascending.\n3. Respond `200` with list of `Note` of `all`.",
    right:
      "1. Let `all` be every `Note`.\n2. Order `all` by `it.id` ascending.\n3. Let `page` be `all` from `0`, at most `50`.\n4. Respond `200` with list of `Note` of `page`.",
  },
  "money-number": {
    severity: "review",
    topic: "money",
    title: "Money as binary floating point",
    meaning:
      "A field or an input whose name says money has the type `number`, in which 0.1 + 0.2 is not 0.3.",
    mend: "Write `decimal 2`, or an integer of the smallest coin.",
    wrong:
      "| `title` | string | required | optional | yes | none |\n| `price` | number | required | optional | yes | at least 0 |",
    right:
      "| `title` | string | required | optional | yes | none |\n| `price` | decimal 2 | required | optional | yes | at least 0.00 |",
  },
  "money-negative": {
    severity: "review",
    topic: "money",
    see: ["invariants"],
    title: "Money below zero",
    meaning: "A client may give an amount below zero: who pays minus five gets five.",
    mend: "Write the least value.",
    wrong:
      "| `title` | string | required | optional | yes | none |\n| `price` | decimal 2 | required | optional | yes | none |",
    right:
      "| `title` | string | required | optional | yes | none |\n| `price` | decimal 2 | required | optional | yes | at least 0.00 |",
  },
  "error-nameless": {
    severity: "review",
    topic: "programs",
    title: "Errors that only people can tell apart",
    meaning:
      "Two errors have one status and one shape, which shows words and no name or code: programs must compare the words.",
    mend: "Show `error.name` in the shape.",
    wrong: "| `title` | string | `error.title` |",
    right: "| `code` | string | `error.name` |",
  },
  "pattern-loose": {
    severity: "review",
    topic: "programs",
    title: "A pattern without its ends",
    meaning:
      "`matches` asks whether the pattern fits anywhere: a text with anything before and behind fits, too.",
    mend: "Write `^` and `$` where the whole text is meant.",
    wrong:
      '1. Require `note.title.matches("[a-z]+")`, else `wrong_state`.\n2. Respond `204` with no body.',
    right:
      '1. Require `note.title.matches("^[a-z]+$")`, else `wrong_state`.\n2. Respond `204` with no body.',
  },
  "breaking-small": {
    severity: "review",
    topic: "versions",
    title: "A small version that breaks callers",
    meaning:
      "A row of the history breaks callers, and its version has another minor or patch number than zero.",
    mend: "Raise the major number, if clients read versions as `major.minor.patch`.",
    wrong:
      "- This version: `1.2`\n\n| Version | Item | Change | Breaks callers |\n|---|---|---|---|\n| `1.2` | `POST /notes` | other body | yes |",
    right:
      "- This version: `2.0`\n\n| Version | Item | Change | Breaks callers |\n|---|---|---|---|\n| `2.0` | `POST /notes` | other body | yes |",
  },
} as const satisfies Readonly<Record<string, CodeEntry>>;
