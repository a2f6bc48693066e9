/** No request asks for what would keep its own caller out, were a service to do it wrongly. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mayLockOut } from "../../src/verify/generate/lockout.ts";
import type { Request } from "../../src/verify/index.ts";
import { nowMicros } from "../../src/verify/talk/client.ts";
import { World } from "../../src/verify/world/world.ts";
import { compiled, documentOf, trial } from "./clauses/trial.ts";

const orders = documentOf("orders");
const REFUSAL = "Require `account != caller`, else `not_oneself`";
const found = compiled(orders.text);
assert.ok(found !== undefined && orders.rows !== undefined);
const [staff] = (JSON.parse(orders.rows) as { Account: { key: string }[] }).Account;
const KEY = staff?.key ?? "";

/** The bodies of changes, and whether they would change the row of who asks. */
const bodies: readonly (readonly [body: object, isOther: boolean])[] = [
  [{ blocked: true }, true],
  [{ tier: "gold" }, true],
  [{ blocked: false, tier: "gold" }, true],
  [{ blocked: false }, false],
];

function asked(method: string, target: string, body?: object, key = KEY): Request {
  const headers = [["Authorization", `Bearer ${key}`]] as [string, string][];
  if (body !== undefined) headers.push(["Content-Type", "application/json"]);
  return { method, target, headers, ...(body && { body: JSON.stringify(body) }) };
}

test("it is told from the values that are there, and from those who may be changed", () => {
  const world = new World(found.plan);
  const now = nowMicros();
  const { Account } = JSON.parse(orders.rows ?? "");
  const given = (Account as object[]).map((row) => new Map(Object.entries(row)));
  world.start(now, new Map([["Account", given]]));
  const run = (request: Request) => world.run(request, { now });
  const idOf = (request: Request): string =>
    JSON.parse(run(request).outcome.response.body ?? "").id as string;
  const own = idOf(asked("GET", "/v1/account"));
  const other = idOf(asked("POST", "/v1/accounts", { name: "Ada" }));
  for (const [body, isOther] of bodies) {
    const request = asked("PATCH", `/v1/accounts/${own}`, body);
    const ran = run(request);
    assert.equal(ran.outcome.error, "not_oneself");
    assert.equal(mayLockOut(world, request, ran), isOther, JSON.stringify(body));
    const theirs = asked("PATCH", `/v1/accounts/${other}`, body);
    assert.equal(mayLockOut(world, theirs, run(theirs)), false);
  }
});

test("a service that lets callers change themselves is found, and nobody is kept out", async () => {
  assert.ok(orders.text.includes(REFUSAL));
  const wrong = compiled(orders.text.replace(REFUSAL, "Let `nothing` be `1`"));
  assert.ok(wrong !== undefined);
  const bounds = { requests: 120, seconds: 10, seed: 1 };
  const tried = await trial(orders, { served: wrong, judged: found }, bounds);
  assert.ok(tried !== undefined);
  const { breaks, exchanges } = tried.session;
  assert.ok(breaks.some(({ items }) => items.some((one) => one.includes("not_oneself"))));
  const ofStaff = exchanges.filter(({ request }) =>
    request.headers.some(([, value]) => value === `Bearer ${KEY}`),
  );
  assert.ok(ofStaff.length > 1);
  assert.ok(ofStaff.every(({ answer }) => answer.status !== 401));
});
