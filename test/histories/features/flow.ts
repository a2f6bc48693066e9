/** A feature: steps that branch, repeat and end in other ways. */
import { type MakeFeature, table } from "./feature.ts";

/** Case tables, any order, nested steps, refusals that keep, gaps among steps, calls. */
export const flow: MakeFeature = ({ random, who }) => {
  const own = random.chance(0.6) ? ", each on its own, into `out`" : "";
  const keeping = random.chance(0.6) ? ", keeping what was done" : "";
  return {
    resources: `### \`Note\`, many \`notes\`

- Always: \`it.count < 40\`

${table("| Field | Type | Create | Update | Read | Rules |", [
  "| `id` | id | no | no | yes | none |",
  "| `word` | string | required | no | yes | not empty; unique within `color` in any case, else `taken` on `word` |",
  "| `color` | one of `red`, `green`, `blue` | required | no | yes | none |",
  "| `place` | integer | no | no | yes | counts up from 1 within `color` |",
  "| `count` | integer | no | no | yes | starts `0` |",
])}`,
    stateless: ["Note"],
    endpoints: `### \`bump\`, steps

- Given \`note\`: \`Note\`
- Given \`by\`: integer

1. Require \`by != 9\`, else \`in_use\` on \`by\` with \`most\` = \`"9"\`.
2. Set \`note.count\` = \`note.count + by\`.

### \`weigh\`, a call

- Given \`text\`: string
- Kind: pure
- Time-out: none
${random.chance(0.5) ? '- Stand-in: `light` when `given.text.contains("e")`\n' : ""}- Stand-in: \`heavy\`

${table("| Says | Data | Meaning |", ["| `heavy` | none | it is |", "| `light` | none | it is not |"])}
### \`POST /notes\`: note it

${who}- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`${random.chance(0.4) ? ", unless one is there" : ""}.
2. Respond \`201\` with \`Note\` of \`note\`.

### \`POST /flow\`: this or that

${who}
${table("| Input | In | Type | Needed | Rules |", [
  "| `color` | body | one of `red`, `green`, `blue` | yes | none |",
  "| `on` | body | boolean | yes | none |",
  "| `by` | body | integer | no | -1 to 11; absent means `1` |",
  "| `words` | body | list of string | no | at most 4 items; absent means `[]` |",
  '| `deep.text` | body | string or null | no | holds `value != "it"`, else `taken` on `text` |',
])}
${table("| `body.color` | `body.on` | Then |", [
  '| `"red"` | any | do nothing |',
  `| \`"green"\`, \`"blue"\` | \`true\` | refuse with \`in_use\` on \`color\`${keeping} |`,
  '| `"green"` | `false` | respond `202` with no body, header `X-By` = `string(body.by)` |',
  '| `"blue"` | `false` | let `blue` be `1` |',
])}
1. Let \`by\` be \`body.by\`.
2. In any order:
   1. Require \`by != 3\`, else \`in_use\`.
   2. Require \`!body.on || by != 4\`, else \`in_use\`.
   3. Require \`body.by >= 0\`, else \`${random.pick(["in_use", "taken"])}\`.
3. Let \`found\` be every \`Note\` where \`color\` is \`body.color\`.
4. For each \`note\` in \`found\`:
   1. Require \`by != 6\`, else not shown.
   2. Do \`bump\` with \`note\` = \`note\` and \`by\` = \`by\`.
5. By the case table.
6. When \`has(body.deep.text) && body.deep.text == null\`:
   1. When \`by == 5\`:
      1. Respond \`200\` with \`{"notes": size(found)}\`.
   2. Otherwise, refuse with \`taken\`.
7. Otherwise:
   1. When \`by == 7\`, not shown.
   2. When \`by == 11\`:
      1. Call \`weigh\` with \`text\` = \`body.color\` as \`said\`.
      2. Require \`said.word == "heavy"\`, else \`in_use\`.
      3. What a large one does: not shown.
8. For each \`one\` in \`body.words\`${own}:
   1. Let \`note\` be the \`Note\` where \`it.id == one\`, else \`not_found\` on \`words\`.
   2. Set \`note.count\` = \`note.count * 2\`.
   3. When \`note.count > 5\`, refuse with \`in_use\`${keeping}.
   4. When a \`Note\` with \`word\` = \`note.word\` and \`color\` = \`"green"\` is there, delete \`note\`.
9. Respond \`200\` with ${own === "" ? '`{"notes": size(found)}`' : '`out.map(o, o.done && o.element != "" ? "done" : o.error == null ? "?" : string(o.error))`'}.

### \`GET /notes\`: the notes

${who}
1. Let \`found\` be every \`Note\`.
2. Order \`found\` by \`it.color\` ascending, then \`it.place\` descending.
3. Respond \`200\` with list of \`Note\` of \`found\`.
`,
  };
};
