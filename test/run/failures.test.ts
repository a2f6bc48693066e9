/** What an error's shape sees in `failures`: inputs that a row answers `on its name`, and no other. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { serve } from "../../src/serve/index.ts";

const folder = join(import.meta.dirname, "../../examples/conduit");
const bytes = (name: string): Buffer => readFileSync(join(folder, name));

test("a failure whose row names no member is not among them, and needs no text", async (t) => {
  const assumptions = bytes("assumptions.md").toString("utf8");
  const row = "| no member given | `invalid` | `is missing` |";
  assert.ok(assumptions.includes(row));
  const without = Buffer.from(assumptions.replace(row, "| no member given | `invalid` | none |"));
  const planned = plan(check(read(bytes("spec.md")), read(without)));
  assert.ok(planned !== undefined);
  const running = await serve(planned.plan, {
    memory: true,
    inline: true,
    settings: { jwt_key: "k".repeat(32) },
  });
  t.after(() => running.stop());
  const send = async (method: string, path: string, body: object, token?: string) => {
    const answer = await fetch(`${running.address}/api${path}`, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(token === undefined ? {} : { Authorization: `Token ${token}` }),
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const user = { username: "ann", email: "ann@example.com", password: "long enough" };
  const made = await send("POST", "/users", { user });
  const { token } = made.body["user"] as { token: string };
  const empty = await send("PUT", "/user", { user: {} }, token);
  assert.deepEqual(empty, { status: 422, body: { errors: { body: ["is invalid"] } } });
  const named = await send("POST", "/users", { user: { ...user, username: "" } });
  assert.deepEqual(named, { status: 422, body: { errors: { username: ["can't be blank"] } } });
});
