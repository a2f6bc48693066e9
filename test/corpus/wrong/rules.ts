/* data table */
/** Wrong documents: what the rules find that judge a document as a whole. */
import { edit, far, type Wrong } from "./wrong.ts";

const thaw = "| `thaw` | `frozen` | `open` | step | none | none |";
const opened = "| `order.opened` | `Order` | `Order` of `it` | webhook `hooks` |";

export const ruleCases: readonly Wrong[] = [
  edit("todo", "- Chosen by: none", "- «Chosen by: not shown»", "gap"),
  edit("todo", "- One request: all or nothing, as if alone", "- «One request: free»", "freedom"),
  edit(
    "todo",
    "| `body` | request body bytes | request | 16384 |",
    "| `body` | request body bytes | request | «`size(todos)`» |",
    "wrong-type",
  ),
  edit(
    "kiosk",
    "| `weight` | number |",
    "| `own` | `Ticket` or null | no | no | no | set to `«it»` on create; set to null when it is deleted |\n| `weight` | number |",
    "wrong-type",
  ),
  edit(
    "kiosk",
    "| `weight` | number |",
    "| `own` | list of `Ticket` | no | no | no | starts `«size(it.tags) == 0 ? [] : [it]»`; in the order given; taken out when it is deleted |\n| `weight` | number |",
    "wrong-type",
  ),
  far(
    "todo",
    "then `it.id` ascending",
    "then `it.id` descending",
    "«Let `page` be `found`",
  )("grows-with-rows"),
  far(
    "todo",
    "| `body` | request body bytes | request | 16384 | none | `too_large` |\n",
    "",
    "«| Limit | Counts | Per |",
  )("empty-table"),
  far(
    "todo",
    "- Path `id`: `todo`, the `Todo` by `id`, else `not_found`\n\n1. Delete `todo`.\n2. Respond",
    "1. Respond",
    "### «`DELETE /todos/{id}`: throw one away»",
  )("path-unused"),
  far(
    "todo",
    "be `found` from `query.offset`",
    "be `found` from `0`",
    "| `«offset»` | query |",
  )("input-unused"),
  edit(
    "orders",
    "1. Require that `order` may `pay`.",
    "1. «Require `has(body.reference)`, else `wrong_amount`.»",
    "claimed-twice",
  ),
  far(
    "kiosk",
    "- Undo: `refund`",
    "- Undo: none",
    '«- `"settled"`: fire `pay` on `ticket`.»',
  )("call-first"),
  far(
    "todo",
    "2. Set `todo` from `body`, given members only.",
    "2. Set `todo.note` = `null`.",
    "| `«title»` | string | required |",
  )("never-given"),
  far(
    "kiosk",
    "- Rows at the start: block `halls`",
    "- Rows at the start: none",
    "### `«Place»`, many `places`, fixed",
  )("never-made"),
  edit(
    "todo-backend",
    "- Fields: `title`, `completed`, `order`",
    "- «Fields: `id`, `title`, `completed`, `order`»",
    "hidden-shown",
  ),
  far(
    "kiosk",
    "| `kind` | one of `adult`, `child` | required | no | yes |",
    "| `kind` | one of `adult`, `child` | required | no | `person` |",
    "1. «Respond `200` with `Badge` of `person`.»",
  )("restricted-shown"),
  edit(
    "bank",
    '- Always: `it.status != "closed" || it.balance == 0.00`, else `not_empty`',
    '- «Always: `it.status != "closed" || it.balance == 0.00`»',
    "invariant-fault",
  ),
  edit(
    "bank",
    thaw,
    '| `thaw` | `frozen` | `open` | step | `it.name.startsWith("a")` | none |\n| `«thaw»` | `frozen` | `open` | step | `size(it.name) > 3` | none |',
    "guard-undecided",
  ),
  far(
    "orders",
    "| `payBy` | timestamp | no |",
    "| `payBy` | timestamp or absent | no |",
    "| `«expire»` | `open` |",
  )("timer-absent"),
  far(
    "kiosk",
    "| `startsAt` | timestamp or null | optional |",
    "| `startsAt` | timestamp or null | no |",
    "| `«start»` | `paid` |",
  )("timer-unset"),
  far(
    "orders",
    "5. Emit `order.opened` of `order`.\n6. Respond",
    "5. Respond",
    "| `«order.opened»` | `Order` |",
  )("never-emitted"),
  edit("orders", opened, "| `«order.opened»` | `Order` | `Order` of `it` | none |", "never-heard"),
  far(
    "kiosk",
    "stream `feed`; webhook `till` |",
    "stream `feed` |",
    "### `«till»`, a webhook",
  )("never-delivers"),
  edit(
    "todo",
    "- Held in: `status`",
    "- Held in: `status`\n- «Clock: no later than 5 s after»",
    "idle-answer",
  ),
  edit(
    "todo",
    "GET /todos?status=done\n\nHTTP/1.1 200",
    "«GET /todos?status=done»\n\n200 OK",
    "example-form",
  ),
  edit("todo", "GET /todos?status=done", "GET «/todo?status=done»", "example-request"),
  edit("todo", "HTTP/1.1 409\nContent-Type", "HTTP/1.1 «418»\nContent-Type", "example-status"),
  edit("todo", "Location: /todos/{{id}}", "«Locaton»: /todos/{{id}}", "example-header"),
];
