/** Values that a client chooses: a document that `check` accepts answers all of them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "./document.ts";
import { conversation } from "./replay.ts";

const NOTES = `### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`n\` | integer | no | no | yes | counts up from 1 |`;

const probe = (inputs: string, steps: string): string =>
  document({
    resources: NOTES,
    states: "- No states: `Note`",
    endpoints: `### \`GET /probe\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
${inputs}

${steps}`,
    failures: "| too large | `bad` |\n| not one of | `bad` |\n| too few items | `bad` |",
  });

const page = (from: string, most: string): string =>
  probe(
    `| \`from\` | query | integer | no | ${from} |\n| \`most\` | query | integer | no | ${most} |`,
    "1. Let `found` be every `Note`.\n2. Order `found` by `it.n` ascending.\n" +
      "3. Let `page` be `found` from `(query.from - 1) * 10`, at most `query.most`.\n" +
      '4. Respond `200` with `{"size": size(page)}`.',
  );

const unguarded = (text: string): number =>
  check(read(new TextEncoder().encode(text))).findings.filter(({ code }) =>
    ["unguarded", "overflow"].includes(code),
  ).length;

test("a page that may begin below zero, or have fewer items than none, is refused", () => {
  const [one, none] = ["1 to 1000; absent means `1`", "absent means `1`"];
  assert.equal(unguarded(page(one, one)), 0);
  assert.equal(unguarded(page("0 to 1000; absent means `1`", one)), 1);
  assert.equal(unguarded(page(none, one)), 1);
  assert.equal(unguarded(page(one, none)), 1);
  assert.equal(unguarded(page(one, "at most 9; absent means `1`")), 1);
});

conversation(
  "a page by numbers that a client chooses",
  page("1 to 100000000; absent means `1`", "0 to 5; absent means `5`"),
  [
    { send: "GET /probe", status: 200, json: { size: 0 } },
    { send: "GET /probe?from=0", status: 400 },
    { send: "GET /probe?most=-1", status: 400 },
    { send: "GET /probe?from=99999999&most=0", status: 200, json: { size: 0 } },
  ],
);

conversation(
  "texts, keys and positions that a client chooses",
  probe(
    '| `by` | query | one of `name`, `id` | no | absent means `"id"` |\n' +
      '| `q` | query | string | no | absent means `""` |\n' +
      "| `at` | query | integer | no | absent means `0` |\n" +
      "| `n` | query | list of integer | no | at least 1 item; absent means `[7]` |",
    `1. Let \`words\` be \`query.q.split(" ")\`.
2. Respond \`200\` with \`Said\` where \`sort\` = \`{"name": "title", "id": "key"}[query.by]\`, \`second\` = \`size(words) > 1 ? words[1] : null\`, \`number\` = \`int_or_null(query.q)\`, \`day\` = \`date_or_null(query.q)\`, \`share\` = \`query.at != 0 ? 100 / query.at : 0\`, \`most\` = \`max(query.n)\` and \`some\` = \`slice(query.n, query.at, 2)\`.`,
  ).replace(
    "## States and transitions",
    `### \`Said\`, a shape

- Given \`sort\`: string
- Given \`second\`: string or null
- Given \`number\`: integer or null
- Given \`day\`: date or null
- Given \`share\`: integer
- Given \`most\`: integer
- Given \`some\`: list of integer

| Field | Type | Value |
|---|---|---|
| \`sort\` | string | \`sort\` |
| \`second\` | string or null | \`second\` |
| \`number\` | integer or null | \`number\` |
| \`day\` | date or null | \`day\` |
| \`share\` | integer | \`share\` |
| \`most\` | integer | \`most\` |
| \`some\` | list of integer | \`some\` |

## States and transitions`,
  ),
  [
    {
      send: "GET /probe",
      status: 200,
      json: { sort: "key", second: null, number: null, day: null, share: 0, most: 7, some: [7] },
    },
    {
      send: "GET /probe?by=name&q=a%20b&at=-3&n=1&n=2&n=3",
      status: 200,
      json: {
        sort: "title",
        second: "b",
        number: null,
        day: null,
        share: -33,
        most: 3,
        some: [1, 2],
      },
    },
    {
      send: "GET /probe?q=-12&at=99&n=4",
      status: 200,
      json: { sort: "key", second: null, number: -12, day: null, share: 1, most: 4, some: [] },
    },
    {
      send: "GET /probe?q=2024-02-29&at=1&n=4&n=5",
      status: 200,
      json: {
        sort: "key",
        second: null,
        number: null,
        day: "2024-02-29",
        share: 100,
        most: 5,
        some: [5],
      },
    },
    { send: "GET /probe?by=shoe", status: 400 },
  ],
);

const NICKS = `### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`n\` | integer | no | no | yes | counts up from 1 |
| \`nick\` | string or null | optional | no | yes | starts \`null\` |`;

const GUARDS: Readonly<Record<string, string>> = {
  "an item that is not null": `4. When \`size(page) > 0 && page[0].nick != null\`:
   1. Respond \`200\` with text \`page[0].nick\` as \`text/plain\`.`,
  "a row that a Let names": `4. When \`size(page) > 0\`:
   1. Let \`first\` be \`page[0]\`.
   2. When \`first.nick != null\`:
      1. Respond \`200\` with text \`first.nick\` as \`text/plain\`.`,
};

for (const [name, steps] of Object.entries(GUARDS)) {
  conversation(
    `a guard holds in the steps below it: ${name}`,
    document({
      resources: NICKS,
      states: "- No states: `Note`",
      endpoints: `### \`POST /notes\`

- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Respond \`201\` with \`Note\` of \`note\`.

### \`GET /nick\`

1. Let \`found\` be every \`Note\`.
2. Order \`found\` by \`it.n\` descending.
3. Let \`page\` be \`found\` from \`0\`, at most \`1\`.
${steps}
5. Respond \`204\` with no body.`,
      failures:
        "| malformed body | `bad` |\n| other media type | `bad` |\n" +
        "| repeated member | `bad` on its name |\n| unknown member | `bad` on its name |\n" +
        "| not settable | `bad` on its name |\n| body absent | `bad` |",
    }),
    [
      { send: "GET /nick", status: 204 },
      { send: "POST /notes", body: {}, status: 201, json: { n: 1, nick: null } },
      { send: "GET /nick", status: 204 },
      { send: "POST /notes", body: { nick: "7" }, status: 201 },
      { send: "GET /nick", status: 200, json: 7 },
    ],
  );
}
