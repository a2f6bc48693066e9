/** Of what is not shown it is not known whether it is there: \`has\` meets the gap, and never says no. */
import { document } from "./document.ts";
import { conversation } from "./replay.ts";

const ABOUT = "- One request: all or nothing, as if alone\n- Cross-origin: none";
const NO_STATES = "States and transitions: none.";

conversation(
  "has of an input whose rules are not shown: one may say what absence means",
  document({
    about: ABOUT,
    states: NO_STATES,
    endpoints: `### \`GET /limit\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`limit\` | query | integer | no | not shown |
| \`other\` | query | integer | no | none |

1. When \`has(query.other)\`, respond \`200\` with \`{"is": "other"}\`.
2. Respond \`200\` with \`{"is": has(query.limit) ? "given" : "not given"}\`.`,
  }),
  [
    { send: "GET /limit?other=1", status: 200, json: { is: "other" } },
    { send: "GET /limit", status: 501 },
    { send: "GET /limit?limit=1", status: 501 },
  ],
);

conversation(
  "has of data of a call that are not shown",
  document({
    about: ABOUT,
    states: NO_STATES,
    endpoints: `### \`charge\`, a call

- Kind: pure
- Time-out: none
- Stand-in: \`settled\`

| Says | Data | Meaning |
|---|---|---|
| \`settled\` | not shown | the money is there |

### \`POST /charges\`

- Body: none

1. Call \`charge\` as \`paid\`.
2. Respond \`200\` with \`{"is": has(paid.reference) ? "given" : "not given"}\`.`,
  }),
  [{ send: "POST /charges", status: 501 }],
);
