/* data table */
/** Wrong documents: what can never happen, or happens where nobody wants it. */
import { edit, far, type Wrong } from "./wrong.ts";

const PRICE = "Require `ticket.price > 0.00`, else `nothing_to_pay`";
const FADE = "| `fade` | `open` | `void` | every 30 min | none | none |";

export const outcomes: readonly Wrong[] = [
  // Conditions
  edit(
    "kiosk",
    PRICE,
    PRICE.replace("ticket.price > 0.00", "«ticket.price == ticket.price»"),
    "always-true",
  ),
  edit("kiosk", PRICE, PRICE.replace("ticket.price > 0.00", "«ticket != null»"), "always-true"),
  edit(
    "kiosk",
    PRICE,
    PRICE.replace("ticket.price > 0.00", "«ticket.price > 0.00 || ticket.price < 0.01»"),
    "always-true",
  ),
  edit(
    "kiosk",
    PRICE,
    PRICE.replace("ticket.price > 0.00", "«ticket.price < 0.00 && ticket.price > 0.01»"),
    "never-true",
  ),
  edit(
    "kiosk",
    "- Always: `it.price >= 0.00`",
    '- Always: `«it.state == "open" && it.state == "paid"»`',
    "never-true",
  ),
  edit(
    "kiosk",
    "| `person` | `!caller.blocked` |",
    "| `person` | `«!caller.blocked && caller.blocked»` |",
    "never-true",
  ),
  edit(
    "kiosk",
    "| step | none | emit `ticket.paid` of `it` |",
    "| step | `«size(it.seats) < 0»` | emit `ticket.paid` of `it` |",
    "never-true",
  ),
  edit(
    "kiosk",
    "by `id` where `it == caller`, else `not_found`\n\n1. Set",
    "by `id` where `«it.id != null»`, else `not_found`\n\n1. Set",
    "always-true",
  ),
  // Rows
  far(
    "kiosk",
    "- Deleted: refused while `it.blocked`, else `busy`",
    "- Always: `it.blocked`, else `busy`",
    "1. «Create a `Person` as `person`",
  )("invariant-start"),
  far(
    "kiosk",
    "- Rows at the start: block `halls`",
    '- Rows at the start: block `halls`\n- Always: `it.code != "south"`, else not shown',
    "- «Rows at the start: block `halls`",
  )("invariant-start"),
  far(
    "kiosk",
    "| `blocked` | boolean | no | optional | yes | starts `false` |",
    "| `blocked` | boolean | no | optional | yes | starts `false` |\n| `friend` | `Person` | required | no | yes | deleted with it |",
    "### `«Person`, many `people`",
  )("no-first-row"),
  // Addresses
  edit("orders", '`Location` = `"/v1/orders/"', '`Location` = `«"/v1/order/"', "location-lost"),
  // Times
  edit(
    "kiosk",
    "| `startsAt` | timestamp or null | optional | no | yes | starts `null` |",
    '| `startsAt` | timestamp or null | no | no | yes | set to `«now - duration("1h")»` on create |',
    "timer-past",
  ),
  edit(
    "kiosk",
    FADE,
    "| `fade` | `open` | `held` | time `startsAt` | none | none |\n" +
      "| `«back` | `held` | `open` | time `startsAt` | none | none |",
    "timer-round",
  ),
  edit("kiosk", FADE, FADE.replace("| `fade`", "| `«fade`").replace("30 min", "5 ms"), "too-soon"),
  edit("kiosk", "- Lifetime: 24 h", "- «Lifetime: 1 ms", "too-soon"),
  edit("kiosk", "| 10 | 1 min, fixed |", "| 10 | «1 ms, fixed |", "too-soon"),
  edit("kiosk", "| request | 30 s | none |", "| request | «30 | none |", "wrong-type"),
  // Callers
  edit(
    "kiosk",
    "| `pace` | requests to `POST /tickets` |",
    "| `«pace` | requests to `POST /people` |",
    "limit-open",
  ),
  edit("kiosk", "- Subject: `it.id`", "- Subject: `«it.email»`", "subject-lost"),
  edit(
    "orders",
    "2. Respond `201` with `Account` of `account`.",
    "2. Respond `201` with `«sha256(account.key)»`.",
    "secret-told",
  ),
  // History
  edit(
    "kiosk",
    "| `2.1.0` | `GET /tickets` | shows tags | no |",
    "| `2.1.0` | `«GET /baskets` | shows tags | no |",
    "history-item",
  ),
  edit(
    "kiosk",
    "| `2.1.0` | `GET /tickets` | shows tags | no |",
    "| `«2.2.0` | `GET /tickets` | shows tags | no |",
    "history-version",
  ),
];
