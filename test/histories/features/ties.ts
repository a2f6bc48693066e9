/** A feature: references in lists, maps and parts, given by clients and by steps, and deleted. */
import { type MakeFeature, table } from "./feature.ts";

/** What a list, a map and a part can state of a row that they name, when it is deleted. */
const LIST = [
  "taken out when it is deleted",
  "its deletion is refused, else `in_use` with `most` = `it.name`",
  "deleted with it",
];
const PART = [
  "taken out when it is deleted",
  "its deletion is refused, else `in_use`",
  "deleted with it",
  "when it is deleted: not shown",
];

export const ties: MakeFeature = ({ random, who }) => {
  const [list, map, part] = [random.pick(LIST), random.pick(LIST), random.pick(PART)];
  const inner = random.pick(["taken out when it is deleted", "deleted with it"]);
  return {
    resources: `### \`Knot\`, many \`knots\`

- Missing \`near\`: \`missing\` on \`near\`
- Always: \`size(ties.filter(t, it in t.all || t.ends.exists(e, e.knot == it))) < 4\`, else \`broken_invariant\` on \`all\`

${table("| Field | Type | Create | Update | Read | Rules |", [
  "| `name` | string | required | optional | yes | key; unique in any case, else `taken` on `name`; 1 to 3 characters |",
  "| `number` | integer | no | no | yes | counts up from 1 |",
  "| `near` | list of `Knot` or null | optional | optional | yes | in the order given; set to null when it is deleted; at most 2 items; starts `[]` |",
])}
### \`End\`, a part

${table("| Field | Type | Create | Update | Read | Rules |", [
  `| \`knot\` | \`Knot\` | required | optional | yes | ${part} |`,
  "| `other` | `Knot` or null | optional | optional | yes | set to null when it is deleted; starts `null` |",
  `| \`more\` | list of \`Knot\` | required | optional | yes | in the order given; at most 3 items; ${inner} |`,
  "| `x` | integer | required | optional | yes | 0 to 9 |",
])}
### \`Tie\`, many \`ties\`

- Missing \`all\`: \`missing\` on \`all\`
- Missing \`by\`: \`missing\` on \`by\`
- Missing \`ends.knot\`: \`missing\` on \`ends\`
- Missing \`ends.other\`: \`missing\` on \`other\`
- Missing \`ends.more\`: \`not_found\` on \`more\`

${table("| Field | Type | Create | Update | Read | Rules |", [
  "| `id` | id `tie_` | no | no | yes | none |",
  "| `name` | string | required | optional | yes | at most 3 characters |",
  `| \`all\` | list of \`Knot\` | optional | optional | yes | in the order given; ${list}; starts \`knots.filter(k, k.name < "b")\` |`,
  `| \`by\` | map of \`Knot\` | optional | merged | yes | ${map}; starts \`{}\` |`,
  "| `ends` | list of `End` | optional | optional | yes | in the order given; at most 3 items; starts `[]` |",
  "| `made` | list of `Knot` | no | no | yes | in the order given; taken out when it is deleted; set to `it.all + [it.all[0]]` when `all` changes |",
  "| `first` | timestamp | no | no | no | set to `now` when `all` changes |",
]).replace("`it.all + [it.all[0]]`", "`size(it.all) > 0 ? [it.all[0]] + it.all : []`")}
### \`TieCard\`, a view of \`Tie\`

- Fields: \`name\`

${table("| Field | Type | Value |", [
  "| `all` | list of `Knot` | `it.all` |",
  "| `ends` | list of string | `it.ends.map(e, e.knot.name)` |",
  '| `has` | boolean | `it.all.exists(k, k.name == "tea")` |',
])}`,
    stateless: ["Knot", "Tie"],
    endpoints: `### \`POST /knots\`: a knot

${who}- Body: new \`Knot\`

1. Create a \`Knot\` as \`knot\` from \`body\`.
2. Respond \`201\` with \`Knot\` of \`knot\`.

### \`PATCH /knots/{name}\`: another name

${who}- Body: changed \`Knot\`
- Path \`name\`: \`knot\`, the \`Knot\` by \`name\`, else \`not_found\`

1. Set \`knot\` from \`body\`, given members only.
2. Respond \`200\` with \`Knot\` of \`knot\`.

### \`DELETE /knots/{name}\`: no knot

${who}- Path \`name\`: \`knot\`, the \`Knot\` by \`name\` in any case, else \`not_found\`

1. Delete \`knot\`.
2. Let \`left\` be every \`Tie\`.
3. Respond \`200\` with list of \`Tie\` of \`left\`.

### \`POST /ties\`: a tie

${who}- Body: new \`Tie\`

1. Create a \`Tie\` as \`tie\` from \`body\`.
2. Respond \`201\` with \`Tie\` of \`tie\`.

### \`PUT /ties/{name}\`: a tie of what is there

${who}- Path \`name\`: the \`Knot\` as \`knot\` in any case, else \`not_found\`

${table("| Input | In | Type | Needed | Rules |", ["| `knots` | body | list of `Knot` | yes | at most 3 items |", "| `end` | body | `End` or null | no | absent means `null` |"])}
1. Let \`found\` be every \`Knot\` where \`it.number > knot.number\`.
2. Order \`found\` by \`it.number\` ascending.
3. Create a \`Tie\` as \`tie\` with \`name\` = \`knot.name\`, \`all\` = \`found\` and \`by\` = \`{"a": knot, "b": knot}\`.
4. Set \`tie.ends\` = \`[{"knot": knot, "other": null, "more": found, "x": 1}]\`.
5. When \`size(body.knots) > 1\`, set \`tie.all\` = \`body.knots\`.
6. When \`body.end != null\`, set \`tie.ends\` = \`tie.ends + [body.end]\`.
7. Respond \`201\` with \`Tie\` of \`tie\`.

### \`PATCH /ties/{id}\`: a tie of others

${who}- Body: changed \`Tie\`
- Path \`id\`: \`tie\`, the \`Tie\` by \`id\`, else \`not_found\`

1. Set \`tie\` from \`body\`, given members only.
2. Respond \`200\` with \`Tie\` of \`tie\`.

### \`GET /ties\`: the ties

${who}
1. Let \`found\` be every \`Tie\`.
2. Order \`found\` by \`it.id\` ascending.
3. Respond \`200\` with list of \`TieCard\` of \`found\`.
`,
  };
};
