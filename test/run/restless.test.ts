/** A row whose state may have changed at an unknown time: who asks for its state meets that gap. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { document } from "./document.ts";
import { Service } from "./service.ts";

const DOORS = document({
  about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
  resources: `### \`Door\`, many \`doors\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`status\` | state | no | no | yes | none |`,
  states: `### \`Door\`

- Held in: \`status\`
- States: \`open\` (initial), \`shut\`, \`gone\` (final)
- Any other transition: refused with \`refused\`
- Clock: no later than 5 s after

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`shut\` | \`open\` | \`shut\` | step | none | none |
| \`fall\` | \`open\` | \`gone\` | not shown | none | none |
| \`lift\` | \`shut\` | \`gone\` | step | none | none |`,
  endpoints: `### \`POST /doors\`

- Body: new \`Door\`

1. Create a \`Door\` as \`door\` from \`body\`.
2. Respond \`204\` with no body.

### \`POST /doors/{name}/may\`

- Body: none
- Path \`name\`: \`door\`, the \`Door\` by \`name\`, else \`gone\`

1. Require that \`door\` may \`shut\`.
2. Respond \`204\` with no body.

### \`POST /doors/{name}/shut\`

- Body: none
- Path \`name\`: \`door\`, the \`Door\` by \`name\`, else \`gone\`

1. Fire \`shut\` on \`door\`.
2. Respond \`204\` with no body.

### \`POST /doors/{name}/lift\`

- Body: none
- Path \`name\`: \`door\`, the \`Door\` by \`name\`, else \`gone\`

1. Fire \`lift\` on \`door\`.
2. Respond \`204\` with no body.`,
});

for (const what of ["may", "shut", "lift"]) {
  test(`a step that asks for the state of such a row meets the gap: ${what}`, (t) => {
    const service = new Service(DOORS);
    t.after(() => service.close());
    const made = service.request("POST", "/doors", { body: '{"name": "a"}' });
    assert.equal(made.status, 204, made.text);
    const met = service.request("POST", `/doors/a/${what}`);
    assert.equal(met.status, 501, met.text);
    assert.match(met.text ?? "", /On of `fall`: not shown/);
  });
}
