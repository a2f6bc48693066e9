/** However much falls due at once, nobody sees a row that is past its time. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { DueReach } from "../../src/serve/engine/due-reach.ts";
import { movableClock, serve } from "../../src/serve/index.ts";
import { document } from "../run/document.ts";
import { planOf } from "../run/service.ts";
import { cases } from "../whole.ts";
import { document as documentOf } from "./document.ts";

const JOBS = cases(12_000, 20_000);
const START = 1_800_000_000_000_000n;
const HOUR = 3_600_000_000n;

const plan = planOf(
  document({
    about: "- One request: all or nothing, as if alone",
    resources: `### \`Job\`, many \`jobs\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`endsAt\` | timestamp | no | no | yes | none |
| \`step\` | state | no | no | yes | none |`,
    states: `### \`Job\`

- Held in: \`step\`
- States: \`open\` (initial), \`over\` (final), \`paid\` (final)
- Any other transition: refused with \`refused\`
- Clock: no later than 10 s after
- At the same time: free

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`end\` | \`open\` | \`over\` | time \`endsAt\` | none | none |
| \`pay\` | \`open\` | \`paid\` | step | none | none |`,
    endpoints: `### \`POST /jobs\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`ids\` | body | list of integer | yes | none |

1. For each \`i\` in \`body.ids\`:
   1. Create a \`Job\` with \`endsAt\` = \`now + duration("1h")\`.
2. Respond \`204\` with no body.

### \`GET /jobs\`

1. Respond \`200\` with \`{"open": jobs.filter(j, j.step == "open").map(j, j.id)}\`.

### \`POST /jobs/{id}/pay\`

- Body: none
- Path \`id\`: \`job\`, the \`Job\` by \`id\`, else \`gone\`

1. Fire \`pay\` on \`job\`.
2. Respond \`204\` with no body.

### \`GET /ping\`

1. Respond \`204\` with no body.`,
  }),
);

test("only requests that can meet rows of it wait for what is due", () => {
  const reach = new DueReach(plan);
  assert.deepEqual(
    plan.endpoints.map((one) => [one.id, reach.has(one)]),
    [
      ["endpoints/POST /jobs", true],
      ["endpoints/GET /jobs", true],
      ["endpoints/POST /jobs/{id}/pay", true],
      ["endpoints/GET /ping", false],
    ],
  );
  assert.ok(reach.has(undefined));
  const fair = documentOf(readFileSync(join(import.meta.dirname, "../fair/spec.md"), "utf8")).plan;
  const met = fair.endpoints.filter((one) => new DueReach(fair).has(one)).map(({ id }) => id);
  assert.deepEqual(met, ["endpoints/POST /jobs/many", "endpoints/GET /jobs/open"]);
});

for (const inline of [true, false]) {
  test(`many timers due at once, written ${inline ? "in this thread" : "in another"}`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-due-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, "a.sqlite");
    const first = await serve(plan, { file, inline, clock: movableClock(START) });
    const made = await fetch(`${first.address}/jobs`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ids: Array.from({ length: JOBS }, (_, i) => i) }),
    });
    assert.equal(made.status, 204, await made.text());
    const openIn = async (address: string): Promise<readonly string[]> =>
      ((await (await fetch(`${address}/jobs`)).json()) as { open: string[] }).open;
    const open = await openIn(first.address);
    assert.equal(open.length, JOBS);
    await first.stop();
    const again = await serve(plan, { file, inline, clock: movableClock(START + 2n * HOUR) });
    t.after(() => again.stop());
    assert.equal((await fetch(`${again.address}/ping`)).status, 204);
    const paid = await fetch(`${again.address}/jobs/${open.at(-1)}/pay`, { method: "POST" });
    assert.equal(paid.status, 422, "its time has passed");
    assert.deepEqual(await openIn(again.address), []);
  });
}
