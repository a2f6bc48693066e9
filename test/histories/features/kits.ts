/** A feature: a resource with the types, rules and invariants that others do not have. */
import { type MakeFeature, table } from "./feature.ts";

/** Stored values of all types, numbered within others, kept and made at random; rows from the start. */
export const kits: MakeFeature = ({ random, who }) => {
  const gone = random.pick([
    "deleted with it",
    "its deletion is refused, else `in_use`",
    "its deletion is refused, else not shown",
  ]);
  return {
    resources: `### \`Shelf\`, many \`shelves\`${random.chance(0.5) ? ", fixed" : ", kept inside"}

- Rows at the start: block \`shelves\`

${table("| Field | Type | Rules |", ["| `code` | string | key; unique, else not shown |", "| `size` | integer | none |"])}
\`\`\`json rows shelves
[{"code": "a", "size": 3}, {"code": "tea", "size": 12345678901234567890}, {"code": "é😀", "size": -1}]
\`\`\`

### \`ShelfCode\`, a view of \`Shelf\`

${table("| Field | Type | Value |", ["| `code` | string | `it.code` |"])}
### \`Kit\`, many \`kits\`

- Missing \`shelf\`: \`missing\` on \`shelf\`
- Unique: \`code\` and \`zone\`, else \`taken\`
- Deleted: refused while \`it.parts.exists(p, p.x > 6)\`, else \`in_use\` with \`most\` = \`it.name\`
- Kept: 3 h after \`milli\`

${table("| Field | Type | Create | Update | Read | Rules |", [
  '| `name` | string | required | no | yes | key; unique, else `taken` on `name`; trimmed; not empty; holds `value != "null"`, else `taken` on `name` |',
  "| `code` | uuid or null | optional | optional | yes | starts `null` |",
  "| `zone` | time zone or null | optional | optional | yes | starts `null` |",
  "| `milli` | timestamp as unix milliseconds or null | optional | optional | yes | starts `null` |",
  "| `shelf` | `Shelf` or null | optional | optional | yes | starts `null` |",
  "| `parts` | list of `Spot` | optional | optional | yes | in the order given; starts `[]` |",
  "| `box` | `Spot` or absent | required when `has(body.code) && body.code != null` | merged | yes | none |",
  "| `many` | map of list of integer | optional | merged | yes | starts `{}`; at most 2 items |",
  "| `falling` | list of decimal 1 | optional | optional | yes | in descending order; starts `[]` |",
  "| `flags` | list of boolean | optional | optional | yes | in the order given; at least 1 item; starts `[true]` |",
  "| `dates` | list of date or null | optional | optional | yes | in the order given; starts `[]` |",
  "| `whole` | decimal 0 | optional | optional | yes | starts `round_down(7.5, 0)` |",
  `| \`fine\` | decimal 18 as string | optional | optional | yes | ${random.chance(0.3) ? "how fine: not shown; " : ""}starts \`0.000000000000000001\` |`,
  `| \`dim\` | integer or null | optional | optional | yes | ${random.chance(0.2) ? "not shown" : "starts `null`"} |`,
  "| `why` | error name or null | optional | optional | yes | starts `null` |",
  "| `at` | integer | no | no | yes | counts up from 5 within `shelf` |",
  "| `token` | string | no | no | yes | 5 random bytes as base64 |",
  "| `other` | string | no | no | yes | 7 random bytes as base64url after `x-` |",
  "| `mark` | uuid | optional | no | yes | random UUID |",
  "| `password` | secret or null | optional | optional | no | kept as scrypt with N 16, r 1 and p 1; at least 3 characters; starts `null` |",
  "| `plain` | secret or null | optional | optional | no | kept as it is; starts `null` |",
  "| `sum` | decimal 1 | no | no | yes | set to `sum(it.falling.filter(x, x > -1000.0 && x < 1000.0))` when `falling` changes |",
  '| `seen` | timestamp | no | no | yes | set to `now` on update; starts `timestamp("2020-01-01T00:00:00Z")` |',
])}
### \`Bit\`, many \`bits\`

- Missing \`kit\`: \`missing\` on \`kit\`
- Missing \`next\`: \`missing\` on \`next\`

${table("| Field | Type | Create | Update | Read | Rules |", [
  "| `number` | integer | required | no | yes | key; unique, else `taken` on `number`; 1 to 40 |",
  `| \`kit\` | \`Kit\` | required | no | yes | ${gone} |`,
  "| `next` | `Bit` or null | optional | no | yes | set to null when it is deleted; starts `null` |",
])}
### \`KitCard\`, a view of \`Kit\`

- Fields: \`name\`, \`seen\`

${table("| Field | Type | Value |", [
  "| `shelf` | `ShelfCode` or null | `it.shelf` |",
  "| `size` | integer or null | `it.shelf == null ? null : it.shelf.size` |",
  "| `bits` | list of `Bit` | `bits.filter(b, b.kit == it)` |",
  "| `late` | boolean | `it.seen.getFullYear() > 2020 && it.zone != null` |",
  '| `hidden.hash` | string | `it.plain != null ? sha256(it.plain) : "-"` |',
])}`,
    stateless: ["Shelf", "Kit", "Bit"],
    endpoints: `### \`POST /kits\`: a new kit

${who}- Body: \`kit\`, new \`Kit\`

1. Create a \`Kit\` as \`kit\` from \`body.kit\`.
2. Respond \`201\` with \`Kit\` of \`kit\`.

### \`PUT /kits/{name}\`: another kit

${who}- Body: changed \`Kit\`; at least one member
- Path \`name\`: \`kit\`, the \`Kit\` by \`name\`, else \`not_found\`

1. Set \`kit\` from \`body\`, every member.
2. Respond \`200\` with \`Kit\` of \`kit\`.

### \`PATCH /kits/{name}\`: some of a kit

${who}- Body: changed \`Kit\`
- Path \`name\`: \`kit\`, the \`Kit\` by \`name\`, else \`not_found\`

1. Set \`kit\` from \`body\`, given members only.
2. Respond \`200\` with \`KitCard\` of \`kit\`.

### \`GET /kits/{name}\`: a kit

${who}- Path \`name\`: \`kit\`, the \`Kit\` by \`name\`, else \`not_found\`

1. Respond \`200\` with \`KitCard\` of \`kit\`.

### \`DELETE /kits/{name}\`: no kit

${who}- Path \`name\`: \`kit\`, the \`Kit\` by \`name\`, else \`not_found\`

1. Delete \`kit\`.
2. Respond \`204\` with no body.

### \`POST /bits\`: a bit of a kit

${who}- Body: new \`Bit\`

1. Create a \`Bit\` as \`bit\` from \`body\`.
2. Respond \`201\` with \`Bit\` of \`bit\`.

### \`GET /bits/{number}\`: a bit

${who}- Path \`number\`: \`bit\`, the \`Bit\` by \`number\`, else \`not_found\`

1. Respond \`200\` with \`Bit\` of \`bit\`.

### \`DELETE /bits\`: no bits

${who}
1. Delete every \`Bit\` where \`it.kit.name.startsWith("t") || it.next == null\`.
2. Let \`left\` be every \`Bit\`.
3. Respond \`200\` with \`{"left": size(left)}\`.

### \`GET /shelves\`: the shelves

${who}
1. Let \`found\` be every \`Kit\` where \`it.shelf != null && it.shelf.size > 2\`.
2. Order \`found\` by \`it.falling == [] ? 0.0 : it.falling[0]\` descending, then \`it.name\` ascending.
3. Let \`zones\` be the different values of \`zone\` in \`found\`.
4. Respond \`200\` with \`{"kits": found.map(k, k.name), "codes": shelves.map(s, s.code), "zones": zones.map(z, z == null ? "-" : string(z))}\`.
`,
  };
};
