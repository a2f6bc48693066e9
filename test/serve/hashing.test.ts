/** Slow hashes hold up nobody else, and what a request with one does happens once. */
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import type { ServeOptions } from "../../src/serve/index.ts";
import { serve } from "../../src/serve/index.ts";
import {
  hashLater,
  hashSecret,
  verifyLater,
  verifySecret,
} from "../../src/serve/secrets/secrets.ts";
import { mayHash } from "../../src/serve/secrets/slow.ts";
import { document as passages } from "../run/document.ts";
import { compiledExample } from "../served/example.ts";
import { document } from "./document.ts";

const SLOW = "kept as Argon2id with 19456 KiB, 3 passes and 1 lanes";

function accounts(kept: string, limits = "") {
  return document(
    passages({
      about: "- Cross-origin: none\n- One request: all or nothing, as if alone",
      resources: `### \`User\`, many \`users\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`n\` | integer | no | no | yes | counts up from 1 |
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`password\` | secret | required | no | no | ${kept} |
| \`pin\` | secret or null | optional | no | no | starts \`null\`; ${kept} |`,
      states: "- No states: `User`",
      every:
        "- Who: none\n- Header `Asked`: `request.method + request.url`\n\n1. Check the limits.\n2. Check the inputs.\n3. Check the paths.",
      endpoints: `### \`POST /users\`

- Body: new \`User\`

1. Create a \`User\` as \`user\` from \`body\`.
2. Emit \`joined\` of \`user\`.
3. Respond \`201\` with \`User\` of \`user\`.

### \`GET /users\`

1. Respond \`200\` with \`{"users": size(users)}\`.

### \`POST /logins\`

- Body: \`name\`, string
- Body: \`password\`, secret

1. Let \`user\` be the \`User\` where \`it.name == body.name\`, else \`gone\`.
2. Require \`password_matches(user.password, body.password)\`, else \`refused\`.
3. Respond \`200\` with \`User\` of \`user\`.`,
      events:
        "| Event | About | Data | Sent to |\n|---|---|---|---|\n| `joined` | `User` | none | none |",
      errors: "| `slow_down` | 429 | `Problem` |",
      limits,
    }),
  );
}

async function started(t: TestContext, spec = accounts(SLOW), options: ServeOptions = {}) {
  const where = options.file === undefined ? { memory: true } : {};
  const running = await serve(spec.plan, { ...where, ...options });
  t.after(() => running.stop());
  const post = async (path: string, body: object): Promise<[number, { n?: number }]> => {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(`${running.address}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return [answer.status, (await answer.json()) as { n?: number }];
  };
  const count = async (): Promise<number> =>
    ((await (await fetch(`${running.address}/users`)).json()) as { users: number }).users;
  return { post, count };
}

const user = (name: string) => ({ name, password: `the password of ${name}`, pin: "00" });
const login = (name: string) => ({ name, password: user(name).password });

for (const inline of [true, false]) {
  test(`reads and logins go on while passwords are hashed (${inline})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-hash-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const { post, count } = await started(t, accounts(SLOW), { file: join(folder, "a"), inline });
    const begin = performance.now();
    assert.equal((await post("/users", user("first")))[0], 201);
    const oneMs = performance.now() - begin;
    let done = 0;
    const hashing = Array.from({ length: 6 }, (_, i) =>
      post("/users", user(`u${i}`)).finally(() => {
        done++;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
    const read = performance.now();
    assert.ok((await count()) >= 1);
    const readMs = performance.now() - read;
    assert.ok(done < 6, "the hashes are not all made yet");
    assert.ok(readMs < Math.max(oneMs, 100), `a read took ${readMs} ms, a hash ${oneMs} ms`);
    const all = await Promise.all(hashing);
    assert.ok(all.every(([status]) => status === 201));
    assert.equal(new Set(all.map(([, { n }]) => n)).size, 6);
    assert.equal(await count(), 7);
    assert.equal((await post("/logins", login("u3")))[0], 200);
    assert.equal((await post("/logins", { name: "u3", password: "another" }))[0], 422);
    assert.equal((await post("/logins", login("nobody")))[0], 404);
    assert.equal((await post("/users", user("u3")))[0], 409);
  });
}

test("a request that is run again is counted once, and counts up once", async (t) => {
  const limits =
    "- Sent with every answer: none\n\n" +
    "| Limit | Counts | Per | Amount | Window | When passed |\n|---|---|---|---|---|---|\n" +
    "| `pace` | requests to `POST /users` | everyone | 4 | 1 h, sliding | `slow_down` |";
  const spec = accounts("kept as scrypt with N 1024, r 8 and p 1", limits);
  const { post, count } = await started(t, spec);
  const all = await Promise.all(Array.from({ length: 8 }, (_, i) => post("/users", user(`u${i}`))));
  assert.deepEqual(all.map(([status]) => status).sort(), [201, 201, 201, 201, 429, 429, 429, 429]);
  assert.deepEqual(all.flatMap(([, { n }]) => n ?? []).sort(), [1, 2, 3, 4]);
  assert.equal(await count(), 4);
});

test("a request that is refused for too many hashes has the headers of every answer", async (t) => {
  const { plan } = accounts(SLOW);
  const bounds = { hashesMax: 1, hashesWaitingMax: 1 };
  const running = await serve(plan, { memory: true, bounds });
  t.after(() => running.stop());
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      fetch(`${running.address}/users`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(user(`u${i}`)),
      }),
    ),
  );
  assert.ok(made.some(({ status }) => status === 503));
  for (const one of made) assert.equal(one.headers.get("asked"), "POST/users", String(one.status));
});

test("one name is given once, whoever hashes first", async (t) => {
  const { post, count } = await started(t, accounts("kept as scrypt with N 1024, r 8 and p 1"));
  const all = await Promise.all(Array.from({ length: 10 }, () => post("/users", user("same"))));
  assert.equal(all.filter(([status]) => status === 201).length, 1);
  assert.equal(all.filter(([status]) => status === 409).length, 9);
  assert.equal(await count(), 1);
});

test("a hash that cannot be made is a fault inside, and no more", async (t) => {
  const { post, count } = await started(t, accounts("kept as scrypt with N 1000, r 8 and p 1"));
  assert.equal((await post("/users", user("a")))[0], 500);
  assert.equal(await count(), 0);
});

test("hashes made at once and beside are of one form", async () => {
  const random = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(7);
  for (const hash of [
    { kind: "argon2id", memoryKiB: 64, passes: 2, lanes: 2 },
    { kind: "scrypt", n: 16, r: 8, p: 1 },
  ] as const) {
    const [now, later] = [hashSecret(hash, "a", random), await hashLater(hash, "a")];
    assert.equal(now.split("$").length, later.split("$").length);
    for (const stored of [now, later]) {
      for (const [secret, is] of [
        ["a", true],
        ["b", false],
        ["", false],
      ] as const) {
        assert.equal(verifySecret(stored, secret), is);
        assert.equal(await verifyLater(stored, secret), is);
      }
    }
  }
});

test("as many hashes are made for who is no user as for who is one", async (t) => {
  const { post } = await started(t, accounts("kept as Argon2id with 32 KiB, 1 passes and 1 lanes"));
  assert.equal((await post("/users", user("ann")))[0], 201);
  let count = 0;
  const { argon2 } = crypto;
  crypto.argon2 = ((...given: Parameters<typeof argon2>) => {
    count++;
    argon2(...given);
  }) as typeof argon2;
  syncBuiltinESMExports();
  t.after(() => {
    crypto.argon2 = argon2;
    syncBuiltinESMExports();
  });
  const hashesOf = async (body: object): Promise<number> => {
    const before = count;
    await post("/logins", body);
    return count - before;
  };
  assert.equal(await hashesOf({ name: "ann", password: "wrong" }), 1);
  assert.equal(await hashesOf(login("ann")), 1);
  assert.equal(await hashesOf(login("bob")), 1);
});

test("endpoints at which no secret is made or compared run as ever", () => {
  const { plan } = compiledExample("conduit", (path) => readFileSync(path));
  const found = plan.endpoints
    .filter((one) => mayHash(plan, one))
    .map((one) => one.id)
    .sort();
  assert.deepEqual(
    found,
    ["POST /users", "POST /users/login", "PUT /user"].map((one) => `endpoints/${one}`),
  );
});
