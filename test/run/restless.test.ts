/** A row whose state may have changed at an unknown time: who asks for its state meets that gap. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { plan } from "../../src/check/index.ts";
import { checkBytes } from "../../src/cli/pipeline.ts";
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

/** Tasks that are closed at a time, kept for a while after they have ended. */
const tasks = (closes: string, ends: string): string =>
  document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `### \`Task\`, many \`tasks\`

- Kept: 7 days after \`ended\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`closes\` | ${closes} | no | no | yes | starts \`null\` |
| \`ended\` | ${ends} | no | no | yes | starts \`null\` |
| \`status\` | state | no | no | yes | none |`,
    states: `### \`Task\`

- Held in: \`status\`
- States: \`open\` (initial), \`shut\` (final)
- Any other transition: refused with \`refused\`
- Clock: no later than 5 s after

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`close\` | \`open\` | \`shut\` | time \`closes\` | none | none |`,
    endpoints: `### \`POST /tasks\`

- Body: new \`Task\`

1. Create a \`Task\` as \`task\` from \`body\`.
2. Respond \`204\` with no body.`,
  });

test("a time field whose type is not shown is a time that is not known", () => {
  const shown = "timestamp or null";
  const planOf = (text: string) => {
    const made = plan(checkBytes(new TextEncoder().encode(text)))?.plan;
    assert.ok(made !== undefined);
    return made;
  };
  const triggerOf = (text: string) => planOf(text).machines[0]?.transitions[0]?.on;
  const keptOf = (text: string) => planOf(text).resources[0]?.invariants[0];
  assert.deepEqual(triggerOf(tasks(shown, shown)), { is: "time", field: "closes" });
  assert.equal(keptOf(tasks(shown, shown))?.kind, "kept for");
  const gap = { is: "gap", gap: "resources/Task/closes/type" };
  assert.deepEqual(triggerOf(tasks("not shown", shown)), gap);
  const kept = keptOf(tasks(shown, "not shown"));
  assert.ok(kept?.kind === "gap" && kept.of === "kept");
  assert.equal(kept.gap, "resources/Task/ended/type");
});
