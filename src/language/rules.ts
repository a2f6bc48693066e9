/* data table */
/** Every rule of a Rules cell. Rules are joined by `;` and judged from left to right. */
import type { Rule } from "../plan/index.ts";
import type { Form } from "./form.ts";

/** A way to write a rule; several write one kind. */
interface RuleForm extends Form {
  readonly kind: Rule["kind"];
}

/** Makes forms of one kind. */
const rule =
  (kind: Rule["kind"]) =>
  (id: string, form: string, means: string, example: string): RuleForm => ({
    kind,
    id,
    form,
    means,
    example,
  });

export const rules: readonly RuleForm[] = [
  rule("characters")(
    "characters between",
    "{min:count} to {max:count} characters",
    "Text of that many code points. Fails as `too short` or `too long`.",
    "1 to 80 characters",
  ),
  rule("characters")(
    "characters least",
    "at least {min:count} {unit=characters|character}",
    "Fails as `too short`.",
    "at least 1 character",
  ),
  rule("characters")(
    "characters most",
    "at most {max:count} {unit=characters|character}",
    "Fails as `too long`.",
    "at most 140 characters",
  ),
  rule("characters")(
    "characters exact",
    "exactly {n:count} {unit=characters|character}",
    "Fails as `too short` or `too long`.",
    "exactly 3 characters",
  ),
  rule("items")(
    "items between",
    "{min:count} to {max:count} items",
    "A list of that many items, or a map of that many members. Fails as `too few items` or `too many items`.",
    "1 to 50 items",
  ),
  rule("items")(
    "items least",
    "at least {min:count} {unit=items|item}",
    "Fails as `too few items`.",
    "at least 1 item",
  ),
  rule("items")(
    "items most",
    "at most {max:count} {unit=items|item}",
    "Fails as `too many items`.",
    "at most 10 items",
  ),
  rule("items")(
    "items exact",
    "exactly {n:count} {unit=items|item}",
    "Fails as `too few items` or `too many items`.",
    "exactly 2 items",
  ),
  rule("at least one member")(
    "one member",
    "at least one member",
    "On a body: at least one known member is given. Fails as `no member given`.",
    "at least one member",
  ),
  rule("range")(
    "range",
    "{min:literal} to {max:literal}",
    "A value between the two, both included. Fails as `too small` or `too large`.",
    "1 to 999",
  ),
  rule("range")(
    "least",
    "at least {min:literal}",
    "That value or more. Fails as `too small`.",
    "at least `0.01`",
  ),
  rule("range")(
    "most",
    "at most {max:literal}",
    "That value or less. Fails as `too large`.",
    "at most 100",
  ),
  rule("matches")(
    "matches",
    "matches {pattern:code}",
    "The whole text matches the pattern, in RE2 syntax (github.com/google/re2/wiki/Syntax). Fails as `not matching`.",
    "matches `[A-Z0-9-]{3,20}`",
  ),
  rule("scheme")(
    "scheme",
    "scheme {schemes:words}",
    "On a `uri`: its scheme is one of these. Fails as `not matching`.",
    "scheme `https`",
  ),
  rule("different items")(
    "different items",
    "different items",
    "No two items of the list are equal. Fails as `repeated item`.",
    "different items",
  ),
  rule("not empty")(
    "not empty",
    "not empty",
    "Text of at least one character, a list of at least one item. Fails as `empty`.",
    "not empty",
  ),
  rule("empty becomes null")(
    "empty null",
    "empty becomes null",
    "Empty text is read as `null`; on a map, each of its texts: where they may not be null, the member is left out, and taken away where it is `merged`.",
    "empty becomes null",
  ),
  rule("empty means absent")(
    "empty absent",
    "empty means absent",
    "Empty text is read as if the member had not been sent.",
    "empty means absent",
  ),
  rule("trimmed")(
    "trimmed",
    "trimmed",
    "Spaces, tabs and line ends (U+0009 to U+000D, U+0020) at both ends are taken away before the rules to the right are judged.",
    "trimmed",
  ),
  rule("absent means")(
    "absent means",
    "absent means {value:simple}",
    "On an input: the value it has when it is not sent.",
    "absent means `20`",
  ),
  rule("holds")(
    "holds",
    "holds {condition:expr}, {tail:tail}",
    "A condition over `value`, the value given. It does not see the row: an invariant does.",
    'holds `value != "admin"`, else `reserved`',
  ),
  rule("starts")(
    "starts",
    "starts {value:simple}",
    "The value that a new row has when nothing else gives one. `it` is the row with the fields that are given, and those that are filled above this one.",
    "starts `null`",
  ),
  rule("set")(
    "set create update",
    "set to {value:expr} on create and on update",
    "Set by the service when the row is made and whenever a request sets a field of it, to the value that it has, too.",
    "set to `now` on create and on update",
  ),
  rule("set")(
    "set create",
    "set to {value:expr} on create",
    "Set by the service when the row is made.",
    "set to `caller` on create",
  ),
  rule("set")(
    "set update",
    "set to {value:expr} on update",
    "Set by the service whenever a request sets another field of the row, to the value that it has, too.",
    "set to `now` on update",
  ),
  rule("set")(
    "set when",
    "set to {value:expr} when {fields:names} (changes|change)",
    "Set by the service when the row is made and when one of the fields gets another value.",
    "set to `slug(it.title)` when `title` changes",
  ),
  rule("counts up")(
    "counts up change",
    "counts up from {from:count} on every change",
    "That integer on a new row; one more whenever a request sets a field of the row, to the value that it has, too.",
    "counts up from 1 on every change",
  ),
  rule("counts up")(
    "counts up within",
    "counts up from {from:count} within {within:names}",
    "The next integer among the rows that are alike in these fields: one more than the greatest ever given.",
    "counts up from 1 within `account`",
  ),
  rule("counts up")(
    "counts up",
    "counts up from {from:count}",
    "The next integer: one more than the greatest ever given.",
    "counts up from 1",
  ),
  rule("unique")(
    "unique within",
    "unique within {within:names}[ {case=in any case}][, {tail:tail}]",
    "No two rows that are alike in these fields have the same value; `in any case`: none that are the same in `lower`. Null is the same as no value.",
    "unique within `owner`, else `taken` on `name`",
  ),
  rule("unique")(
    "unique",
    "unique[ {case=in any case}][, {tail:tail}]",
    "No two rows have the same value; `in any case`: for `string`, `email` and `uri`, none that are the same in `lower`. Null is the same as no value.",
    "unique, else `taken` on `email`",
  ),
  rule("kept as")(
    "kept argon2id",
    "kept as Argon2id with {memory:count} KiB, {passes:count} passes and {lanes:count} lanes",
    "Kept as an Argon2id hash (RFC 9106) with these parameters, a salt of 16 random bytes and 32 bytes of output.",
    "kept as Argon2id with 19456 KiB, 2 passes and 1 lanes",
  ),
  rule("kept as")(
    "kept scrypt",
    "kept as scrypt with N {n:count}, r {r:count} and p {p:count}",
    "Kept as a scrypt hash (RFC 7914) with these parameters, a salt of 16 random bytes and 32 bytes of output.",
    "kept as scrypt with N 16384, r 8 and p 1",
  ),
  rule("kept as")(
    "kept sha256",
    "kept as SHA-256",
    "Kept as the SHA-256 (FIPS 180-4) of its UTF-8 bytes in lower-case hex.",
    "kept as SHA-256",
  ),
  rule("kept as")(
    "kept plain",
    "kept as it is",
    "Kept readable by the service, which needs it to sign or to send.",
    "kept as it is",
  ),
  rule("random")(
    "random",
    "{bytes:count} random bytes as {form=base64|base64url|hex}[ after {prefix:code}]",
    "Made by the service when the row is made (RFC 4648 sections 4, 5 and 8; base64url without padding).",
    "32 random bytes as base64 after `whsec_`",
  ),
  rule("random")(
    "random uuid",
    "random UUID",
    "A UUID of version 4 (RFC 9562 section 5.4), made by the service when the row is made.",
    "random UUID",
  ),
  rule("key")(
    "key",
    "key",
    "This field names the row to clients: references are sent and read as its value. No two rows may have the same: it is `unique` too, or counted by the service, or made at random, or the resource is `fixed`.",
    "key",
  ),
  rule("when gone")(
    "gone with",
    "deleted with it",
    "On a reference, or lists and maps of them, in a part as well: when a row that it names is deleted, the row in which it is kept is deleted too.",
    "deleted with it",
  ),
  rule("when gone")(
    "gone null",
    "set to null when it is deleted",
    "On a reference `or null`, or lists and maps of such: when the row that it names is deleted, it becomes null.",
    "set to null when it is deleted",
  ),
  rule("when gone")(
    "gone out",
    "taken out when it is deleted",
    "On references in a list or a map: when the row that one names is deleted, the item is taken out of its list, the member out of its map. In a part that stands in a list or a map: the item or member that the part is.",
    "taken out when it is deleted",
  ),
  rule("when gone")(
    "gone refused",
    "its deletion is refused[, {tail:tail}]",
    "On a reference, or lists and maps of them: a row that it names cannot be deleted while the row in which it is kept is there.",
    "its deletion is refused, else `in_use`",
  ),
  rule("order")(
    "order given",
    "in the order given",
    "On a list: items keep the order in which they were given.",
    "in the order given",
  ),
  rule("order")(
    "order sorted",
    "in {order=ascending|descending} order",
    "On a list of strings or numbers: items are kept and sent in that order.",
    "in ascending order",
  ),
  rule("order")("order free", "in any order", "On a list: every order conforms.", "in any order"),
];
