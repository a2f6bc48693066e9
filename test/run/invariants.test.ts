import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { document } from "./document.ts";
import { type Reply, Service } from "./service.ts";

function ok(reply: Reply, status = 200): unknown {
  assert.equal(reply.status, status, `${reply.text} ${reply.outcome.effects.fault ?? ""}`);
  return reply.json;
}

const BANK = document({
  resources: `### \`Account\`, many \`accounts\`

- Always: \`it.balance >= 0.00\`, else \`refused\` on \`balance\`
- Always: \`it.balance == sum(entries.filter(e, e.account == it).map(e, e.amount))\`
- Deleted: refused while \`it.balance != 0.00\`, else \`taken\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` on \`name\` |
| \`balance\` | decimal 2 | no | no | yes | starts \`0.00\` |
| \`parent\` | \`Account\` or null | optional | no | yes | starts \`null\`; its deletion is refused, else \`taken\` on \`parent\` |

### \`Entry\`, many \`entries\`

- Changed: never

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`number\` | integer | no | no | yes | counts up from 1 within \`account\` |
| \`account\` | \`Account\` | no | no | yes | deleted with it |
| \`amount\` | decimal 2 | no | no | yes | none |`,
  states: "- No states: `Account`, `Entry`",
  endpoints: `### \`POST /accounts\`

- Body: new \`Account\`

1. Create an \`Account\` as \`account\` from \`body\`.
2. Respond \`201\` with \`Account\` of \`account\`.

### \`POST /move/{name}\`

- Path \`name\`: \`account\`, the \`Account\` by \`name\`, else \`gone\`

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`amount\` | body | decimal 2 | yes | \`-1000.00\` to \`1000.00\` |
| \`cheat\` | body | decimal 2 | no | \`-1000.00\` to \`1000.00\`; absent means \`0.00\` |

1. Set \`account.balance\` = \`account.balance + body.amount + body.cheat\`.
2. Create an \`Entry\` as \`entry\` with \`account\` = \`account\` and \`amount\` = \`body.amount\`.
3. Respond \`200\` with \`Entry\` of \`entry\`.

### \`DELETE /accounts/{name}\`

- Path \`name\`: \`account\`, the \`Account\` by \`name\`, else \`gone\`

1. Delete \`account\`.
2. Respond \`200\` with \`{"entries": size(entries)}\`.

### \`POST /orphan/{name}\`

- Body: none
- Path \`name\`: \`account\`, the \`Account\` by \`name\`, else \`gone\`

1. Create an \`Entry\` with \`account\` = \`account\` and \`amount\` = \`1.00\`.
2. Respond \`204\` with no body.`,
});

for (const kind of ["memory", "sqlite"] as const) {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-invariants-"));
  let opened = 0;
  const open = () =>
    new Service(BANK, {
      store: kind === "memory" ? "memory" : { file: join(folder, `${opened++}.db`) },
    });
  after(() => rmSync(folder, { recursive: true }));
  test(`always: judged when the steps end, on what was touched (${kind})`, () => {
    const service = open();
    ok(service.request("POST", "/accounts", { body: `{"name":"a"}` }), 201);
    const move = (body: string) => service.request("POST", "/move/a", { body });
    assert.deepEqual(ok(move(`{"amount":5.00}`)), { number: 1, account: "a", amount: 5 });
    assert.deepEqual(ok(move(`{"amount":-6.00}`), 422), { error: "refused", field: "balance" });
    assert.deepEqual(ok(move(`{"amount":-5.00}`)), { number: 2, account: "a", amount: -5 });
    const cheated = move(`{"amount":1.00,"cheat":0.01}`);
    assert.equal(cheated.status, 500, "an invariant without an error is a fault");
    assert.equal(
      service.request("POST", "/orphan/a").status,
      500,
      "an invariant of a row that a touched row refers to is judged",
    );
  });

  test(`deleting: refused while, with what refers to it, cascading (${kind})`, () => {
    const service = open();
    ok(service.request("POST", "/accounts", { body: `{"name":"a"}` }), 201);
    ok(service.request("POST", "/accounts", { body: `{"name":"b","parent":"a"}` }), 201);
    ok(service.request("POST", "/move/a", { body: `{"amount":5.00}` }));
    ok(service.request("POST", "/move/b", { body: `{"amount":7.00}` }));
    const remove = (name: string) => service.request("DELETE", `/accounts/${name}`);
    assert.deepEqual(ok(remove("b"), 409), { error: "taken", field: null });
    ok(service.request("POST", "/move/b", { body: `{"amount":-7.00}` }));
    ok(service.request("POST", "/move/a", { body: `{"amount":-5.00}` }));
    assert.deepEqual(ok(remove("a"), 409), { error: "taken", field: "parent" });
    assert.deepEqual(ok(remove("b")), { entries: 2 });
    assert.deepEqual(ok(remove("a")), { entries: 0 });
  });

  test(`a reference that names no row and has no answer is a silent gap (${kind})`, () => {
    const service = open();
    const met = service.request("POST", "/accounts", { body: `{"name":"b","parent":"zz"}` });
    assert.equal(met.status, 501);
    assert.equal(met.outcome.effects.gap?.silent, true);
  });
}

const TENANTS = document({
  resources: `### \`Member\`, many \`members\`

- Rows at the start: given when the service starts

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`key\` | secret | no | no | no | kept as SHA-256; unique, else \`taken\` |
| \`tenant\` | string | no | no | yes | none |

### \`Box\`, many \`boxes\`

- Rows: only those where \`it.tenant == caller.tenant\`; any other is as if not there

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | unique, else \`taken\` |
| \`tenant\` | string | no | no | no | set to \`caller == null ? "" : caller.tenant\` on create |`,
  states: "- No states: `Member`, `Box`",
  every: "- Who: `member`\n\n1. Check the caller.\n2. Check the inputs.\n3. Check the paths.",
  endpoints: `### \`POST /boxes\`

- Body: new \`Box\`

1. Create a \`Box\` as \`box\` from \`body\`.
2. Respond \`201\` with \`Box\` of \`box\`.

### \`GET /boxes\`

1. Let \`found\` be every \`Box\`.
2. Respond \`200\` with \`{"a": found.map(b, b.name), "b": [string(size(boxes))], "c": boxes.filter(b, b.name != "").map(b, b.name)}\`.

### \`GET /boxes/{name}\`

- Path \`name\`: \`box\`, the \`Box\` by \`name\`, else \`gone\`

1. Respond \`200\` with \`Box\` of \`box\`.`,
  authentication: `| Actor | Holds when |
|---|---|
| \`member\` | \`true\` |

### \`key\`, a scheme

- Sent in: header \`X-Key\`, form \`{credential}\`
- Credential: opaque
- Caller: the \`Member\` where \`password_matches(it.key, credential)\`, else \`bad\`
- Revocation: none`,
});

test("rows: others are as if not there, in lists, collections and paths", () => {
  const member = (key: string, tenant: string) =>
    new Map([
      ["key", key],
      ["tenant", tenant],
    ]);
  const hash = (_: unknown, text: string) => createHash("sha256").update(text).digest("hex");
  const service = new Service(TENANTS, {
    hooks: { hash },
    rows: new Map([["Member", [member("k1", "t1"), member("k2", "t2")]]]),
  });
  const as = (credential: string) => ({ presented: [{ is: "opaque" as const, credential }] });
  for (const [key, name] of [
    ["k1", "x"],
    ["k2", "y"],
    ["k1", "z"],
  ] as const) {
    ok(service.request("POST", "/boxes", { ...as(key), body: JSON.stringify({ name }) }), 201);
  }
  assert.deepEqual(ok(service.request("GET", "/boxes", as("k1"))), {
    a: ["x", "z"],
    b: ["2"],
    c: ["x", "z"],
  });
  assert.deepEqual(ok(service.request("GET", "/boxes", as("k2"))), {
    a: ["y"],
    b: ["1"],
    c: ["y"],
  });
  assert.equal(service.request("GET", "/boxes/y", as("k1")).status, 404);
  assert.equal(service.request("GET", "/boxes/y", as("k2")).status, 200);
  assert.equal(service.request("GET", "/boxes", as("k3")).status, 400);
  assert.equal(service.request("GET", "/boxes").status, 501, "no credentials: not answered here");
});
