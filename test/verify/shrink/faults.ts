/** Faults of services, as clauses changed, and the fewest requests that show each: known by hand. */

export interface Fault {
  /** A name of `test/export/examples.ts`. */
  readonly of: string;
  readonly clause: string;
  readonly instead: string;
  /** Requests in a service that has just started. */
  readonly fewest: number;
}

/** What a step is changed into that does nothing. */
const NOTHING = "Let `nothing` be `1`";

type Row = readonly [clause: string, instead: string, fewest: number];

const todo: readonly Row[] = [
  ["1 to 120 characters", "1 to 119 characters", 1],
  ["at most 2000 characters", "at most 1999 characters", 1],
  ["at most 2000 characters; starts null", 'at most 2000 characters; starts `"x"`', 1],
  ["Respond 201 with `todo`", "Respond 200 with `todo`", 1],
  ["`not_found` | 404", "`not_found` | 410", 1],
  ["`field` | string or null | `field`", "`field` | string or null | `null`", 1],
  ["| 16384 |", "| 16000 |", 1],
  ["set `it.doneAt` = `now`", "none", 2],
  ["Fire `finish` on `todo`", NOTHING, 2],
  ["; at least one member", "", 2],
  ["2. Set `todo` from `body`, given members only", `2. ${NOTHING}`, 2],
  ["`already_done` | 409", "`already_done` | 410", 3],
  ['Require `todo.status == "open"`, else `already_done`', NOTHING, 3],
  ["Delete `todo`", NOTHING, 3],
];

const orders: readonly Row[] = [
  ["1 to 50 items", "2 to 50 items", 2],
  ["l.unitPrice * l.quantity", "l.unitPrice", 2],
  ['now + duration("30m")', 'now + duration("31m")', 2],
  ["Require `order.total > 0.00`", "Require `order.total >= 0.00`", 2],
  [
    "| `enabled` | boolean | no | optional | yes | starts true |",
    "| `enabled` | boolean | no | optional | yes | starts false |",
    2,
  ],
  ["Require `account != caller`, else `not_oneself`", NOTHING, 2],
  ["Require `body.amount == order.total`, else `wrong_amount` on `amount`", NOTHING, 3],
  ["Set `order.payment` = `body.reference`", NOTHING, 3],
  [" && !it.blocked`", "`", 3],
  ["`key_reused` | 422", "`key_reused` | 409", 3],
  ["| `cancel` | `open`, `paid` |", "| `cancel` | `open` |", 4],
  [
    "Order `found` by `it.createdAt` descending, then `it.id` descending",
    "Order `found` by `it.createdAt` ascending, then `it.id` ascending",
    4,
  ],
  ["Delete `hook`", NOTHING, 4],
  ["the `Hook` as `hook` where `it.owner == caller`", "the `Hook` as `hook`", 4],
];

const bank: readonly Row[] = [
  ["0.00 to 1000000.00", "1.00 to 1000000.00", 2],
  ['`"/v1/accounts/" + account.id`', '`"/accounts/" + account.id`', 2],
  ["unique within `tenant`, else `name_taken` on `name`", "trimmed", 2],
  ["unique within `holder`, else `name_taken` on `name`", "trimmed", 3],
  ["`name_taken` | 409", "`name_taken` | 410", 2],
  [
    "- Who: `manager` or `teller`\n- Body: new `Account`",
    "- Who: `manager`\n- Body: new `Account`",
    3,
  ],
  ['`caller.role != "customer" || it.holder == caller`', "`true`", 4],
  ['`it.kind == "till" || it.balance >= 0.00`', "`true`", 5],
];

const lobby: readonly Row[] = [
  ["`[A-Za-z0-9_-]{3,20}`", "`[A-Za-z0-9_-]{4,20}`", 1],
  ["10 to 200 characters", "11 to 200 characters", 1],
  ["`lower(it.handle) == lower(body.handle)`", "`it.handle == lower(body.handle)`", 2],
  ["10 to 604800; starts 60 |", "10 to 604800; starts 61 |", 3],
  ["Set `caller.access` = `null`", NOTHING, 4],
  ["Require `lobby.host == caller`, else `host_only`", NOTHING, 6],
];

const rows = (of: string, all: readonly Row[]): readonly Fault[] =>
  all.map(([clause, instead, fewest]) => ({ of, clause, instead, fewest }));

export const faults: readonly Fault[] = [
  ...rows("todo", todo),
  ...rows("orders", orders),
  ...rows("bank", bank),
  ...rows("lobby", lobby),
];
