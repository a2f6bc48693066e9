/** Version tags: what `If-Match` may say for a strong and for a weak one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { document } from "./document.ts";
import { conversation } from "./replay.ts";
import { Service } from "./service.ts";

function serviceOf(strength: "strong" | "weak"): Service {
  return new Service(
    document({
      resources: `### \`Thing\`

- Version tag: \`version\`, ${strength}; none sent: \`bad\`; another sent: \`taken\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | integer | required | no | yes | key; unique, else \`taken\` |
| \`size\` | integer | required | optional | yes | none |
| \`version\` | integer | no | no | yes | counts up from 1 on every change |`,
      states: "- No states: `Thing`",
      endpoints: `### \`POST /things\`

- Body: new \`Thing\`

1. Create a \`Thing\` as \`thing\` from \`body\`.
2. Respond \`201\` with \`Thing\` of \`thing\`.

### \`PATCH /things/{id}\`

- Body: changed \`Thing\`
- Path \`id\`: \`thing\`, the \`Thing\` by \`id\`, else \`gone\`

1. Check the tag of \`thing\`.
2. Set \`thing\` from \`body\`, given members only.
3. Respond \`200\` with \`Thing\` of \`thing\`.`,
    }),
  );
}

/** Statuses of changes that send the tags one after another. */
function changed(strength: "strong" | "weak", tags: readonly (string | undefined)[]): number[] {
  const service = serviceOf(strength);
  try {
    const made = service.request("POST", "/things", { body: '{"id":1,"size":1}' });
    assert.equal(made.headers["ETag"], strength === "weak" ? 'W/"1"' : '"1"');
    return tags.map(
      (tag) =>
        service.request("PATCH", "/things/1", {
          body: '{"size":2}',
          headers: tag === undefined ? {} : { "if-match": tag },
        }).status,
    );
  } finally {
    service.close();
  }
}

test("a strong tag is found in the list that is sent; a weak form of it is another", () => {
  assert.deepEqual(
    changed("strong", [undefined, '"2"', 'W/"1"', '"x", "1"', '"1"', "*"]),
    [400, 409, 409, 200, 409, 200],
  );
});

test("a weak tag equals none: only `*` passes (RFC 9110 section 13.1.1)", () => {
  assert.deepEqual(changed("weak", ['W/"1"', '"1"', "*"]), [409, 409, 200]);
});

conversation(
  "where a gap hides whether the tag tells of all, who names the row's tag meets it",
  document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `### \`Thing\`

- Version tag: \`version\`, strong; none sent: \`bad\`; another sent: \`taken\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | integer | required | not shown | yes | key; unique, else \`taken\` |
| \`version\` | integer | no | no | yes | counts up from 1 on every change |`,
    states: "States and transitions: none.\n\n- No states: `Thing`",
    endpoints: `### \`POST /things\`

- Body: new \`Thing\`

1. Create a \`Thing\` as \`thing\` from \`body\`.
2. Respond \`204\` with no body.

### \`GET /things/{id}\`

- Path \`id\`: \`thing\`, the \`Thing\` by \`id\`, else \`gone\`

1. Respond \`200\` with \`Thing\` of \`thing\`.`,
  }),
  [
    { send: "POST /things", body: { id: 1 }, status: 204 },
    { send: "GET /things/1", status: 200 },
    { send: "GET /things/1", headers: { "If-None-Match": '"2"' }, status: 200 },
    { send: "GET /things/1", headers: { "If-None-Match": '"1"' }, status: 501 },
  ],
);
