/** Sign-up to lost password, with code that reads the mail: the secret given is the one kept. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { serve } from "../../src/serve/index.ts";

test("served: a mailed code confirms, tokens are refreshed once, a new password works", async (t) => {
  const planned = plan(check(read(readFileSync(join(import.meta.dirname, "auth.md")))));
  assert.ok(planned);
  const mails: { template: string; code: string }[] = [];
  const running = await serve(planned.plan, {
    memory: true,
    inline: true,
    settings: { jwt_key: "0123456789".repeat(4) },
    code: {
      mail: (given: unknown) => {
        mails.push(given as { template: string; code: string });
        return { word: "sent" };
      },
    },
  });
  t.after(() => running.stop());
  const ask = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await fetch(running.address + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const members = (text === "" ? {} : JSON.parse(text)) as Record<string, string>;
    return { status: answer.status, members };
  };
  const login = { email: "ann@example.org", password: "correct horse" };
  assert.equal((await ask("POST", "/signup", { ...login, name: "Ann" })).status, 201);
  assert.equal((await ask("POST", "/login", login)).status, 403);
  assert.equal(mails[0]?.template, "confirm");
  assert.equal((await ask("POST", "/confirmation", { code: mails[0]?.code })).status, 204);
  assert.equal((await ask("POST", "/confirmation", { code: mails[0]?.code })).status, 422);
  const first = await ask("POST", "/login", login);
  assert.equal(first.status, 200);
  const { refresh_token: refresh } = first.members;
  const second = await ask("POST", "/refresh", { refresh_token: refresh });
  assert.equal(second.status, 200);
  assert.equal((await ask("GET", "/me", undefined, first.members.access_token)).status, 401);
  assert.equal((await ask("GET", "/me", undefined, second.members.access_token)).status, 200);
  assert.equal((await ask("POST", "/refresh", { refresh_token: refresh })).status, 401);
  assert.equal((await ask("GET", "/me", undefined, second.members.access_token)).status, 401);
  assert.equal((await ask("POST", "/password-reset", { email: login.email })).status, 202);
  const reset = { code: mails[1]?.code, password: "another good one" };
  assert.equal((await ask("PUT", "/password-reset", reset)).status, 204);
  assert.equal((await ask("POST", "/login", login)).status, 401);
  const again = await ask("POST", "/login", { ...login, password: reset.password });
  assert.equal(again.status, 200);
});
