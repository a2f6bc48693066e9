/** Who has opened a stream is judged again while it is open, idle streams too. */
import assert from "node:assert/strict";
import crypto from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { movableClock, serve } from "../../src/serve/index.ts";
import { document as passages } from "../run/document.ts";
import { document } from "./document.ts";

const START = 1_800_000_000_000_000n;
const KEPT = "kept as Argon2id with 32 KiB, 1 passes and 1 lanes";

/** Users with a key, a password and tokens, who hear of all notes; clerks alone hear the other. */
const TEXT = passages({
  about:
    "- Setting `jwt_key`: secret\n- Cross-origin: none\n- One request: all or nothing, as if alone",
  resources: `### \`User\`, many \`users\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`secret\` | secret | required | no | no | kept as SHA-256; unique, else \`taken\` |
| \`password\` | secret | required | required | no | ${KEPT} |
| \`active\` | boolean | no | no | yes | starts \`true\` |
| \`role\` | string | required | no | yes | none |

### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`text\` | string | required | no | yes | none |

### \`Token\`, a shape

- Given \`user\`: \`User\`

| Field | Type | Value |
|---|---|---|
| \`token\` | string | \`token(user)\` |`,
  states: "- No states: `User`, `Note`",
  every: "1. Check the caller.\n2. Check the inputs.\n3. Check the paths.",
  endpoints: `### \`POST /users\`

- Who: none
- Body: new \`User\`

1. Create a \`User\` as \`user\` from \`body\`.
2. Respond \`201\` with \`Token\` where \`user\` = \`user\`.

### \`POST /users/{name}/block\`

- Who: none
- Body: none
- Path \`name\`: \`user\`, the \`User\` by \`name\`, else \`gone\`

1. Set \`user.active\` = \`false\`.
2. Respond \`204\` with no body.

### \`POST /users/{name}/dismiss\`

- Who: none
- Body: none
- Path \`name\`: \`user\`, the \`User\` by \`name\`, else \`gone\`

1. Set \`user.role\` = \`"none"\`.
2. Respond \`204\` with no body.

### \`PATCH /users/{name}\`

- Who: none
- Path \`name\`: \`user\`, the \`User\` by \`name\`, else \`gone\`
- Body: changed \`User\`

1. Set \`user\` from \`body\`, given members only.
2. Respond \`204\` with no body.

### \`DELETE /users/{name}\`

- Who: none
- Path \`name\`: \`user\`, the \`User\` by \`name\`, else \`gone\`

1. Delete \`user\`.
2. Respond \`204\` with no body.

### \`POST /notes\`

- Who: none
- Body: new \`Note\`

1. Create a \`Note\` as \`note\` from \`body\`.
2. Emit \`note.made\` of \`note\`.
3. Respond \`201\` with \`Note\` of \`note\`.`,
  authentication: `| Actor | Holds when |
|---|---|
| \`user\` | \`caller.active\` |
| \`clerk\` | \`caller.role == "clerk"\` |

### \`key\`, a scheme

- Sent in: header \`X-Key\`, form \`{credential}\`
- Credential: opaque
- Caller: the \`User\` where \`password_matches(it.secret, credential) && it.active\`, else \`refused\`
- Revocation: by the Caller condition

### \`login\`, a scheme

- Sent in: HTTP Basic
- Credential: user name and password
- Caller: the \`User\` where \`it.name == username && password_matches(it.password, password)\`, else \`refused\`
- Revocation: by the Caller condition

### \`session\`, a scheme

- Sent in: header \`Authorization\`, form \`Bearer {credential}\`
- Credential: JWT signed with \`HS256\`, key \`setting.jwt_key\`
- Caller: the \`User\` where \`it.name == claims.sub\`, else \`refused\`
- Lifetime: 1 min
- Issuer: none
- Audience: none
- Subject: \`it.name\`
- Clock skew: 5 s
- Rotation: none
- Revocation: by the Caller condition`,
  events: `| Event | About | Data | Sent to |
|---|---|---|---|
| \`note.made\` | \`Note\` | \`Note\` of \`it\` | stream \`feed\`; stream \`desk\` |

### \`feed\`, a stream

- Path: \`GET /feed\`
- Who: \`user\`
- Sees: \`true\`
- Resume: none
- Ends: none

### \`desk\`, a stream

- Path: \`GET /desk\`
- Who: \`clerk\`
- Sees: \`true\`
- Resume: none
- Ends: none`,
  failures:
    "| unknown method | `gone` |\n| no credentials | `refused` |\n| bad credentials | `refused` |\n" +
    "| not permitted | `refused` |",
});
const SPEC = document(TEXT);
/** Whose name is sent does not matter: each password is compared until one matches. */
const BY_PASSWORD = document(
  TEXT.replace(
    "`it.name == username && password_matches(it.password, password)`",
    "`it.active && it.name == first_or_null(users.filter(u, password_matches(u.password, password)).map(u, u.name))`",
  ),
);

const basic = (name: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`,
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

async function until(what: string, holds: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !holds(); i++) await pause();
  assert.ok(holds(), what);
}

/** What comes over a stream, as it comes. */
function heardFrom(answer: Response) {
  assert.equal(answer.status, 200);
  const heard = { text: "", ended: false };
  void (async () => {
    for await (const some of answer.body ?? []) heard.text += Buffer.from(some).toString();
    heard.ended = true;
  })().catch(() => {});
  return heard;
}

for (const inline of [true, false]) {
  test(`whoever may not come in any more hears nothing more (${inline})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-standing-"));
    const clock = movableClock(START);
    const settings = { jwt_key: "0123456789abcdef0123456789abcdef" };
    const running = await serve(SPEC.plan, {
      ...{ file: join(folder, "a"), inline, clock, settings },
      ...(inline ? { random: (count: number) => new Uint8Array(crypto.randomBytes(count)) } : {}),
    });
    t.after(async () => {
      await running.stop();
      rmSync(folder, { recursive: true });
    });
    let hashes = 0;
    const { argon2 } = crypto;
    crypto.argon2 = ((...given: Parameters<typeof argon2>) => {
      hashes++;
      argon2(...given);
    }) as typeof argon2;
    syncBuiltinESMExports();
    t.after(() => {
      crypto.argon2 = argon2;
      syncBuiltinESMExports();
    });

    const ask = async (method: string, path: string, body?: object) => {
      const headers = body === undefined ? {} : { "Content-Type": "application/json" };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${running.address}${path}`, { method, headers, ...sent });
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.status}`);
      return answer.status === 204 ? {} : ((await answer.json()) as { token?: string });
    };
    const enrol = async (name: string) => {
      const secrets = { secret: `key of ${name}`, password: `password of ${name}` };
      const { token } = await ask("POST", "/users", { name, ...secrets, role: "clerk" });
      return { key: { "X-Key": secrets.secret }, token: { Authorization: `Bearer ${token}` } };
    };
    const listen = async (headers: Record<string, string>, path = "/feed") => {
      const aborting = new AbortController();
      t.after(() => aborting.abort());
      const { signal } = aborting;
      return heardFrom(await fetch(`${running.address}${path}`, { headers, signal }));
    };
    const write = (text: string) => ask("POST", "/notes", { text });

    const [ann, bob, cat] = [await enrol("ann"), await enrol("bob"), await enrol("cat")];
    const stays = await listen(ann.key);
    const [blocked, dismissed] = [await listen(bob.key), await listen(bob.key, "/desk")];
    const basicOne = await listen(basic("cat", "password of cat"));
    const expiring = await listen(cat.token);
    await write("one");
    const all = [stays, blocked, dismissed, basicOne, expiring];
    await until("all hear", () => all.every((one) => one.text.includes('"one"')));

    // An idle stream ends when its caller is blocked, or is an actor no more.
    await ask("POST", "/users/bob/dismiss");
    await until("not permitted", () => dismissed.ended);
    assert.equal(blocked.ended, false);
    await ask("POST", "/users/bob/block");
    await until("blocked", () => blocked.ended);

    // No slow hash is made again for what is heard; another password is another stored form.
    const before = hashes;
    for (const text of ["two", "three", "four"]) {
      await write(text);
      await until("still heard", () => basicOne.text.includes(`"${text}"`));
    }
    assert.equal(hashes, before);
    await ask("PATCH", "/users/cat", { password: "password of cat" });
    await write("five");
    await until("the same password, kept anew", () => basicOne.text.includes('"five"'));
    await ask("PATCH", "/users/cat", { password: "another" });
    await until("another password", () => basicOne.ended);

    // A token ends at the moment that it states, and what it states about clocks.
    clock.move(64_999_000n);
    await pause();
    assert.equal(expiring.ended, false);
    clock.move(1_001_000n);
    await until("expired", () => expiring.ended);

    await write("six");
    await until("who may listen does", () => stays.text.includes('"six"'));
    for (const one of [blocked, dismissed, basicOne, expiring]) {
      assert.doesNotMatch(one.text, /six/);
    }
    assert.equal(stays.ended, false);
  });
}

test("a stream that many stored passwords are compared for is sent what happens, and ends", async (t) => {
  const settings = { jwt_key: "0123456789abcdef0123456789abcdef" };
  const running = await serve(BY_PASSWORD.plan, { memory: true, inline: true, settings });
  t.after(() => running.stop());
  const post = async (path: string, body: object, method = "POST") => {
    const headers = { "Content-Type": "application/json" };
    const sent = { method, headers, body: JSON.stringify(body) };
    assert.ok((await fetch(`${running.address}${path}`, sent)).ok, path);
  };
  for (let i = 0; i < 7; i++) {
    const secrets = { secret: `key ${i}`, password: `password ${i}` };
    await post("/users", { name: `n${i}`, ...secrets, role: "clerk" });
  }
  const headers = basic("any", "password 6");
  const heard = heardFrom(await fetch(`${running.address}/feed`, { headers }));
  for (const text of ["one", "two"]) {
    await post("/notes", { text });
    await until(`hears ${text}`, () => heard.text.includes(`"${text}"`));
    // Stored forms that are not known yet.
    for (const name of ["n0", "n1"]) await post(`/users/${name}`, { password: text }, "PATCH");
  }
  await fetch(`${running.address}/users/n6/block`, { method: "POST" });
  await until("blocked", () => heard.ended);
});
