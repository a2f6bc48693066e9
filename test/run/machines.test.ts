import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { document } from "./document.ts";
import { type Reply, Service } from "./service.ts";

function ok(reply: Reply, status = 200): unknown {
  assert.equal(reply.status, status, `${reply.text} ${reply.outcome.effects.fault ?? ""}`);
  return reply.json;
}

const JOBS = document({
  resources: `### \`Job\`, many \`jobs\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`number\` | integer | no | no | yes | key; counts up from 1 |
| \`cost\` | integer | required | no | yes | 0 to 1000 |
| \`runAt\` | timestamp or null | optional | no | yes | starts \`null\` |
| \`status\` | state | no | no | yes | none |
| \`why\` | string or null | no | no | yes | starts \`null\` |

### \`Purse\`, many \`purses\`

- Always: \`it.left >= 0\`, else \`taken\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`number\` | integer | no | no | yes | key; counts up from 1 |
| \`left\` | integer | required | no | yes | 0 to 1000 |

### \`Note\`, many \`notes\`

- Kept: 10 s after \`at\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`number\` | integer | no | no | yes | key; counts up from 1 |
| \`job\` | \`Job\` | no | no | yes | deleted with it |
| \`status\` | state | no | no | yes | none |
| \`at\` | timestamp | no | no | yes | set to \`now\` on create |`,
  states: `- No states: \`Purse\`

### \`Job\`

- Held in: \`status\`
- States: \`waiting\` (initial), \`ran\` (final), \`failed\` (final), \`dropped\` (final)
- Any other transition: refused with \`refused\`
- Clock: no later than 5 s after
- At the same time: in order of \`it.cost\` descending

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`run\` | \`waiting\` | \`ran\` | time \`runAt\` | none | do \`spend\` with \`job\` = \`it\` |
| \`miss\` | \`waiting\` | \`failed\` | \`run\` refused | none | set \`it.why\` = \`error.name\` |
| \`drop\` | \`waiting\` | \`dropped\` | step | \`it.cost < 100\` | set \`it.runAt\` = \`null\` |

### \`Note\`

- Held in: \`status\`
- States: \`fresh\` (initial), \`stale\` (final)
- Any other transition: refused with \`refused\`

| Transition | From | To | On | When | Then |
|---|---|---|---|---|---|
| \`age\` | \`fresh\` | \`stale\` | transition \`drop\` of \`Job\` | none | none |`,
  endpoints: `### \`spend\`, steps

- Given \`job\`: \`Job\`

1. For each \`purse\` in \`purses\`:
   1. Set \`purse.left\` = \`purse.left - job.cost\`.

### \`POST /purses\`

- Body: new \`Purse\`

1. Create a \`Purse\` as \`purse\` from \`body\`.
2. Respond \`201\` with \`Purse\` of \`purse\`.

### \`GET /purses/{number}\`

- Path \`number\`: \`purse\`, the \`Purse\` by \`number\`, else \`gone\`

1. Respond \`200\` with \`Purse\` of \`purse\`.

### \`POST /jobs\`

- Body: new \`Job\`

1. Create a \`Job\` as \`job\` from \`body\`.
2. Create a \`Note\` with \`job\` = \`job\`.
3. Respond \`201\` with \`Job\` of \`job\`.

### \`GET /jobs/{number}\`

- Path \`number\`: \`job\`, the \`Job\` by \`number\`, else \`gone\`

1. Respond \`200\` with \`Job\` of \`job\`.

### \`GET /notes\`

1. Let \`found\` be every \`Note\`.
2. Respond \`200\` with list of \`Note\` of \`found\`.

### \`DELETE /jobs/{number}\`

- Path \`number\`: \`job\`, the \`Job\` by \`number\`, else \`gone\`

1. Require that \`job\` may \`drop\`.
2. Fire \`drop\` on \`job\`.
3. Respond \`204\` with no body.`,
});

const SECOND = 1_000_000n;

function at(now: bigint): string {
  return new Date(Number(now / 1000n)).toISOString();
}

for (const kind of ["memory", "sqlite"] as const) {
  const withService = (name: string, run: (service: Service, again: () => Service) => void) =>
    test(`${name} (${kind})`, () => {
      const folder = mkdtempSync(join(tmpdir(), "lacuna-machines-"));
      const store = kind === "memory" ? kind : { file: join(folder, "store.db") };
      let service = new Service(JOBS, { store });
      const again = () => {
        const { now } = service;
        service.close();
        service = new Service(JOBS, { store });
        service.now = now;
        return service;
      };
      try {
        run(service, again);
      } finally {
        service.close();
        rmSync(folder, { recursive: true });
      }
    });
  const job = (service: Service, n: number) =>
    ok(service.request("GET", `/jobs/${n}`)) as { status: string; why: string | null };
  const add = (service: Service, cost: number, runAt: string | null) =>
    ok(service.request("POST", "/jobs", { body: JSON.stringify({ cost, runAt }) }), 201);

  withService("fire: From, guard, effects; any other transition is refused", (service) => {
    add(service, 5, null);
    add(service, 100, null);
    assert.equal(service.request("DELETE", "/jobs/1").status, 204);
    assert.equal(job(service, 1).status, "dropped");
    assert.deepEqual(ok(service.request("DELETE", "/jobs/1"), 422), {
      error: "refused",
      field: null,
    });
    assert.deepEqual(
      ok(service.request("DELETE", "/jobs/2"), 422),
      { error: "refused", field: null },
      "its guard does not hold",
    );
    const notes = ok(service.request("GET", "/notes")) as { job: number; status: string }[];
    assert.deepEqual(
      notes.map((one) => [one.job, one.status]),
      [
        [1, "stale"],
        [2, "fresh"],
      ],
      "a transition of another resource fires on the rows that refer to the row",
    );
  });

  withService(
    "time: on its instant, once, in the stated order; refused takes its row",
    (service) => {
      ok(service.request("POST", "/purses", { body: `{"left":10}` }), 201);
      const due = service.now + 30n * SECOND;
      for (const cost of [3, 9, 8]) add(service, cost, at(due));
      add(service, 1, null);
      const { session } = service.store;
      assert.equal(service.program.nextDue(session, service.now), service.now + 10n * SECOND);
      service.now += 15n * SECOND;
      assert.deepEqual(
        service.fire().map((one) => [one.resource, one.transition]),
        Array.from({ length: 4 }, () => ["Note", undefined]),
        "what is kept for a time is deleted",
      );
      service.now = due - 1n;
      assert.equal(service.program.anyDue(session, service.now), false);
      assert.equal(service.program.nextDue(session, service.now), due);
      service.now = due;
      assert.equal(service.program.anyDue(session, service.now), true);
      const fired = service.fire();
      assert.deepEqual(
        fired.map((one) => [one.key, one.transition, one.refused]),
        [
          [2, "run", false],
          [3, "miss", true],
          [1, "miss", true],
        ],
      );
      assert.deepEqual(
        [1, 2, 3, 4].map((n) => [job(service, n).status, job(service, n).why]),
        [
          ["failed", "taken"],
          ["ran", null],
          ["failed", "taken"],
          ["waiting", null],
        ],
      );
      assert.deepEqual(ok(service.request("GET", "/purses/1")), { number: 1, left: 1 });
      assert.equal(service.program.anyDue(session, service.now + 1000n * SECOND), false);
      assert.equal(service.fire().length, 0);
      assert.equal(service.program.nextDue(session), undefined);
    },
  );

  if (kind === "sqlite") {
    withService("time: fires after the store was closed and opened again", (service, again) => {
      ok(service.request("POST", "/purses", { body: `{"left":10}` }), 201);
      add(service, 3, at(service.now + SECOND));
      const reopened = again();
      reopened.now += 2n * SECOND;
      assert.deepEqual(
        reopened.fire().map((one) => one.transition),
        ["run"],
      );
      assert.equal(again().fire().length, 0);
    });
  }
}
