/**
 * What an event tells: neither the text of a secret nor what is kept of it, and no field that is
 * for the caller alone, wherever it stands in a row.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answersOf } from "./both.ts";
import { document } from "./document.ts";
import { Service } from "./service.ts";

/** Where a value stands: the type of the field, and the value around it. */
const PLACES: Readonly<
  Record<
    string,
    { readonly type: (inner: string) => string; readonly json: (one: unknown) => unknown }
  >
> = {
  field: { type: (inner) => inner, json: (one) => one },
  list: { type: (inner) => `list of ${inner}`, json: (one) => [one, one] },
  map: { type: (inner) => `map of ${inner}`, json: (one) => ({ a: one }) },
};

const READS = ["yes", "no", "on create", "`auditor`"];
const FIELDS = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|";

interface Case {
  readonly name: string;
  readonly read: string;
  readonly isSecret: boolean;
  readonly place: keyof typeof PLACES;
  /** Whether it stands in a part of the row. */
  readonly inPart: boolean;
}

const CASES: readonly Case[] = Object.keys(PLACES).flatMap((place) =>
  READS.flatMap((read) =>
    // A secret that Read shows is an error of the document.
    (read === "no" || read === "on create" ? [true, false] : [false]).flatMap((isSecret) =>
      [true, false].map((inPart) => ({
        name: `${isSecret ? "a secret" : "a text"}, Read ${read}, ${place}${inPart ? " in a part" : ""}`,
        read,
        isSecret,
        place,
        inPart,
      })),
    ),
  ),
);

function documentOf({ read, isSecret, place, inPart }: Case): string {
  const type = PLACES[place]?.type(isSecret ? "secret" : "string");
  const rules = [isSecret ? "kept as SHA-256" : "", place === "list" ? "in the order given" : ""];
  const row = `| \`v\` | ${type} | required | no | ${read} | ${rules.filter((one) => one !== "").join("; ") || "none"} |`;
  const parts = `### \`Part\`, a part\n\n${FIELDS}\n${row}\n`;
  return document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `${inPart ? parts : ""}
### \`User\`, many \`users\`

${FIELDS}
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |

### \`Thing\`, many \`things\`

${FIELDS}
| \`n\` | integer | no | no | yes | counts up from 1 |
${inPart ? "| `p` | list of `Part` | required | no | yes | in the order given |" : row}

### \`Around\`, a shape

- Given \`one\`: \`Thing\`

| Field | Type | Value |
|---|---|---|
| \`all\` | list of \`Thing\` | \`[one]\` |
`,
    states: "- No states: `Thing`, `User`",
    every:
      "- Who: `anyone` or `auditor`\n\n1. Check the caller.\n2. Check the inputs.\n3. Check the paths.",
    endpoints: `### \`POST /users\`: somebody

- Body: new \`User\`

1. Create a \`User\` from \`body\`.
2. Respond \`204\` with no body.

### \`POST /things\`: one

- Body: new \`Thing\`

1. Create a \`Thing\` as \`thing\` from \`body\`.
2. Emit \`made\` of \`thing\`.
3. Emit \`around\` of \`thing\`.
4. Respond \`201\` with \`Thing\` of \`thing\`.
`,
    authentication: `Token handling: none.

### \`names\`, a scheme

- Sent in: HTTP Basic
- Credential: user name and password
- Caller: the \`User\` where \`it.name == username\`, else \`bad\`
- Revocation: none

| Actor | Holds when |
|---|---|
| \`anyone\` | always |
| \`auditor\` | \`caller.name == "ann"\` |
`,
    events: `Notifications and callbacks: none.

| Event | About | Data | Sent to |
|---|---|---|---|
| \`made\` | \`Thing\` | \`Thing\` of \`it\` | none |
| \`around\` | \`Thing\` | \`Around\` of \`it\` | none |
`,
  });
}

const TEXT = "the text itself";
const KEPT = "the kept form";

for (const one of CASES) {
  test(`an event tells no more than it may: ${one.name}`, async () => {
    const text = documentOf(one);
    const value = PLACES[one.place]?.json(TEXT);
    const body = one.inPart ? { p: [{ v: value }] } : { v: value };
    const headers = [
      ["Authorization", `Basic ${Buffer.from("ann:x").toString("base64")}`],
    ] as const;
    const asks = [
      { of: "POST /users", body: { name: "ann" } },
      { of: "POST /things", body, headers },
    ];
    await answersOf(text, asks);
    const service = new Service(text, { hooks: { hash: () => KEPT } });
    service.request("POST", "/users", { body: '{"name":"ann"}' });
    const made = service.request("POST", "/things", {
      body: JSON.stringify(body),
      presented: [{ is: "basic", username: "ann", password: "x" }],
    });
    service.close();
    const { events } = made.outcome.effects;
    assert.equal(events.length, 2);
    const isTold = !one.isSecret && one.read === "yes";
    for (const { data } of events) {
      assert.equal(data?.includes(TEXT), isTold, `${data}`);
      assert.equal(data?.includes(KEPT), false, `${data}`);
    }
  });
}
