/** A feature: two machines that move each other, and limits on what they move and keep. */
import { type MakeFeature, table } from "./feature.ts";

/** Transitions on transitions, again and again, refused; sums and rows counted by limits. */
export const jobs: MakeFeature = ({ random, who, caller }) => {
  const crowded = random.chance(0.5);
  const day = `day in \`"${random.pick(["Europe/Berlin", "UTC", "Pacific/Apia", "America/St_Johns"])}"\``;
  return {
    resources: `### \`Team\`, many \`teams\`
${crowded ? '\n- Always: `size(jobs.filter(j, j.team == it && j.state != "lost")) < 3`, else `broken_invariant` on `team`\n' : ""}
${table("| Field | Type | Create | Update | Read | Rules |", [
  "| `id` | id | no | no | yes | none |",
  "| `most` | integer | optional | no | yes | 0 to 30; starts `6` |",
  "| `state` | state | no | no | yes | none |",
  "| `pulses` | integer | no | no | yes | starts `0` |",
])}
### \`Job\`, many \`jobs\`

- Missing \`team\`: \`missing\` on \`team\`

${table("| Field | Type | Create | Update | Read | Rules |", [
  "| `id` | id | no | no | yes | none |",
  "| `team` | `Team` | required | no | yes | deleted with it |",
  "| `cost` | integer | required | no | yes | 1 to 12 |",
  "| `state` | state | no | no | yes | none |",
  "| `dueAt` | timestamp or null | no | no | yes | starts `null` |",
  "| `why` | error name or null | no | no | yes | starts `null` |",
])}`,
    machines: `### \`Team\`

- Held in: \`state\`
- States: \`idle\` (initial), \`busy\`, \`shut\` (final)
- Any other transition: refused with \`wrong_state\`
- Clock: no later than 1 s after
- At the same time: in order of \`it.id\` ascending

${table("| Transition | From | To | On | When | Then |", [
  "| `begin` | `idle` | `busy` | transition `take` of `Job` | none | none |",
  '| `rest` | `busy` | `idle` | transition `end` of `Job` | `!jobs.exists(j, j.team == it && j.state == "taken")` | none |',
  `| \`pulse\` | \`idle\`, \`busy\` | \`busy\` | ${EVERY ? "every 5 h" : "step"} | none | set \`it.pulses\` = \`it.pulses + 1\` |`,
  "| `shut` | `idle`, `busy` | `shut` | step | none | emit `team.shut` of `it` |",
  ...(crowded ? ["| `tire` | `idle`, `busy` | `idle` | `pulse` refused | none | none |"] : []),
])}
### \`Job\`

- Held in: \`state\`
- States: \`open\` (initial), \`taken\`, \`ended\` (final), \`lost\` (final)
- Any other transition: refused with \`wrong_state\`
- Clock: no later than 1 s after
- At the same time: in order of \`it.cost\` descending, then \`it.id\` ascending

${table("| Transition | From | To | On | When | Then |", [
  '| `take` | `open` | `taken` | step | `it.team.state != "shut"` | set `it.dueAt` = `now + duration("10m")` |',
  "| `end` | `taken` | `ended` | time `dueAt` | `it.team.most >= 3` | emit `job.ended` of `it` |",
  "| `lose` | `taken` | `lost` | `end` refused | none | set `it.why` = `error.name`; set `it.dueAt` = `null` |",
  "| `drop` | `open`, `taken` | `lost` | transition `shut` of `Team` | none | none |",
  ...(random.chance(0.4)
    ? [
        "| `rot` | `open` | `lost` | by itself within 40 min | `it.cost > 2` | set `it.why` = `null` |",
      ]
    : []),
])}`,
    endpoints: `### \`POST /teams\`: a team

${who}- Body: new \`Team\`

1. Create a \`Team\` as \`team\` from \`body\`.
2. Respond \`201\` with \`Team\` of \`team\`.

### \`POST /jobs\`: a job

${who}- Body: new \`Job\`

1. Create a \`Job\` as \`job\` from \`body\`.
2. Respond \`201\` with \`Job\` of \`job\`.

### \`POST /jobs/{id}/take\`: take a job

${who}- Path \`id\`: \`job\`, the \`Job\` by \`id\`, else \`not_found\`

${table("| Input | In | Type | Needed | Rules |", [
  "| `gently` | body | boolean | no | absent means `false` |",
  "| `seen` | body | state | no | none |",
])}
1. When \`body.gently\`, require that \`job\` may \`take\`, else \`in_use\` on \`gently\`.
2. Require \`!has(body.seen) || body.seen == job.state\`, else \`changed\` on \`seen\`.
3. Fire \`take\` on \`job\`.
4. Respond \`200\` with \`Job\` of \`job\`.

### \`POST /teams/{id}/shut\`: shut a team

${who}- Body: none
- Path \`id\`: \`team\`, the \`Team\` by \`id\`, else \`not_found\`

1. ${random.chance(0.5) ? "Fire `shut` on `team`" : "Fire `shut` on `team`, else `in_use`"}.
2. Respond \`204\` with no body.

### \`GET /jobs\`: all jobs

${who}
${table("| Input | In | Type | Needed | Rules |", ["| `in` | query | state | no | none |"])}
1. Let \`found\` be every \`Job\` where \`!has(query.in) || it.state == query.in\`.
2. Order \`found\` by \`it.team.pulses\` ascending, then \`it.id\` descending.
3. Respond \`200\` with list of \`Job\` of \`found\`.
`,
    events: [
      "| `team.shut` | `Team` | none | none |",
      "| `job.ended` | `Job` | `Job` of `it` | none |",
    ],
    limits: [
      `| \`moved\` | sum of \`cost\` of \`Job\` moved by \`take\` | \`team\` | \`it.most\` | ${day} | \`slow_down\` |`,
      "| `taken` | sum of `cost` of `Job` moved by `take`, `end` | everyone | 8 | 20 min, sliding | `in_use` |",
      "| `jobs` | `Job` kept | `team` | 3 | none | `in_use` |",
      "| `teams` | `Team` kept | everyone | 4 | none | `taken` |",
      '| `taking` | requests to `POST /jobs/{id}/take` answered `200` | address | 3 | day in `"UTC"` | `slow_down` with `Retry-After` |',
      ...(caller
        ? [
            "| `mine` | requests to `POST /jobs` | caller | 4 | 5 min, sliding | `slow_down` with `Retry-After` |",
          ]
        : []),
    ].filter(() => random.chance(0.5)),
  };
};

/** Whether transitions `every` are served. */
const EVERY = true;
