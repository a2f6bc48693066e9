/* data table */
/** Documents that a careful reviewer would ask about: one edit each. */
import { edit, far, type Wrong } from "./wrong.ts";

const OWN = "by `id` where `it == caller`, else `not_found`";
const LEAVE = "### `DELETE /people/{id}`: leave\n\n- Who: `person`\n";
const CHANGE =
  "### `PATCH /people/{id}`: change oneself\n\n- Who: `person`\n- Body: changed `Person`\n";
const PEOPLE = "### `Person`, many `people`\n\n- Rows at the start: none\n";
const ALONE = `${PEOPLE}- Rows: only those where \`it == caller\`; any other is as if not there\n`;
const BADGE =
  "### `GET /people/{id}`: a badge\n\n- Path `id`: `person`, the `Person` by `id`, else `not_found`";
const TAGS =
  "| `tags` | list of string | optional | optional | yes | different items; in ascending order; starts `[]` |";
const PRICE = "| `price` | decimal 2 | required | required | yes | 0.00 to 500.00 |";
const GUARDIAN =
  '| `guardian` | string or absent | required when `body.kind == "child"` | no | yes | 1 to 80 characters |';

export const reviewed: readonly Wrong[] = [
  // Who may do what
  far(
    "kiosk",
    `${CHANGE}- Path \`id\`: \`person\`, the \`Person\` ${OWN}`,
    `${CHANGE}- Path \`id\`: \`person\`, the \`Person\` by \`id\`, else \`not_found\``,
    "### «`PATCH /people/{id}`: change oneself",
  )("owner-unasked"),
  far(
    "kiosk",
    `${LEAVE}- Path \`id\`: \`person\`, the \`Person\` ${OWN}`,
    `${LEAVE.replace("`person`", "`anyone`")}- Path \`id\`: \`person\`, the \`Person\` by \`id\`, else \`not_found\``,
    "### «`DELETE /people/{id}`: leave",
  )("open-change"),
  edit(
    "kiosk",
    "| `blocked` | boolean | no | optional | yes | starts `false` |",
    "| `«blocked` | boolean | optional | optional | yes | starts `false` |",
    "role-given",
  ),
  edit(
    "kiosk",
    "by `id` where `it.buyer == caller`, else `not_found`\n\n1. Check the tag of `ticket`.",
    "by `id`, else `not_found`\n\n1. «Require `ticket.buyer == caller`, else `forbidden`.\n2. Check the tag of `ticket`.",
    "exists-told",
  ),
  edit("bank", "- Sees: `it.tenant == caller.tenant`", "- «Sees: `true`", "stream-all"),
  // Secrets
  edit(
    "kiosk",
    "kept as Argon2id with 19456 KiB, 2 passes and 1 lanes; at least 8 characters",
    "«kept as SHA-256; at least 8 characters",
    "password-fast",
  ),
  edit(
    "kiosk",
    "| `tag` | query | string | no | none |",
    "| `«token` | query | string | no | none |",
    "secret-in-address",
  ),
  edit("kiosk", "- Lifetime: 24 h", "- «Lifetime: none", "token-endless"),
  edit("kiosk", "- Audience: none", "- «Audience: none", "token-anywhere"),
  // Lists, texts, money
  edit(
    "kiosk",
    GUARDIAN,
    GUARDIAN.replace("`guardian`", "`«guardian`").replace("1 to 80 characters", "not empty"),
    "text-unbounded",
  ),
  edit("kiosk", TAGS, TAGS.replace("`tags`", "`«tags`"), "list-unbounded"),
  edit(
    "kiosk",
    PRICE,
    PRICE.replace("`price`", "`«price`").replace("0.00 to 500.00", "at most 500.00"),
    "money-negative",
  ),
  edit("kiosk", "| `weight` | number |", "| `«fee` | number |", "money-number"),
  edit(
    "todo",
    "3. Let `page` be `found` from `query.offset`, at most `query.limit`.\n4. Respond `200` with list of `Todo` of `page`.",
    "3. «Respond `200` with list of `Todo` of `found`.",
    "list-whole",
  ),
  edit("kiosk", "| `busy` | 409 | `Busy` |", "| `«busy` | 409 | `Too busy` |", "error-nameless"),
  edit(
    "kiosk",
    "Require `ticket.price > 0.00`, else `nothing_to_pay`",
    'Require `«ticket.buyer.email.matches("@")»`, else `nothing_to_pay`',
    "pattern-loose",
  ),
  edit(
    "kiosk",
    "| `2.1.0` | `GET /tickets` | shows tags | no |",
    "| `«2.1.0` | `GET /tickets` | shows tags | yes |",
    "breaking-small",
  ),
  // Log-ins and ids
  far(
    "kiosk",
    "1. Let `person` be the `Person` where `email` is `body.email`, or null.",
    "1. Let `person` be the `Person` where `email` is `body.email`, else `not_found`.",
    "1. «Require `password_matches(person.password, body.password)`",
  )("login-tells"),
  edit("conduit", "### `POST /users/login`", "### «`POST /users/login`", "login-unlimited"),
  edit(
    "kiosk",
    `${BADGE}\n\n1. Respond \`200\` with \`Badge\` of \`person\`.`,
    "### `GET /people/{id}`: a badge\n\n- «Path `id`: `ticket`, the `Ticket` by `number`, else `not_found`\n\n" +
      "1. Respond `200` with `Badge` of `ticket.buyer`.",
    "id-counted",
  ),
  // Rows that callers see alone
  far("kiosk", PEOPLE, ALONE, "| `«buyer` | `Person` as `Person`")("beyond-rows"),
  far(
    "kiosk",
    PEOPLE,
    ALONE,
    "- «Path `id`: `person`, the `Person` by `id`, else `not_found`\n\n1. Respond `200` with `Badge`",
  )("rows-open"),
  // What goes out, and what comes twice
  edit("kiosk", "- Signature: none", "- «Signature: none", "hook-unsigned"),
  edit(
    "kiosk",
    "| `home` | uri or null | optional | optional | yes | scheme `https`; starts `null` |",
    "| `«home` | uri or null | optional | optional | yes | starts `null` |",
    "hook-plain",
  ),
  edit("bank", "- Key per: caller", "- «Key per: everyone", "key-shared"),
  edit(
    "kiosk",
    "### `POST /tickets`: buy a ticket",
    "### «`POST /tickets`: buy one ticket",
    "effect-repeated",
  ),
  edit("todo", "### `POST /todos/{id}/finish`:", "### «`GET /todos/{id}/finish`:", "get-writes"),
  edit("todo", "### `POST /todos`: add", "### «`PUT /todos`: add", "put-creates"),
];
