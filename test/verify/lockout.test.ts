/** No request asks for what would keep its own caller out, were a service to do it wrongly. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Exploring, foreseen } from "../../src/verify/generate/explore.ts";
import { mayLockOut } from "../../src/verify/generate/lockout.ts";
import type { Request } from "../../src/verify/index.ts";
import { nowMicros } from "../../src/verify/talk/client.ts";
import { marksIn } from "../../src/verify/world/texts.ts";
import { World } from "../../src/verify/world/world.ts";
import { compiled, documentOf } from "./clauses/trial.ts";

const orders = documentOf("orders");
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
  const judge = { world, foresee: (request: Request) => run(request) };
  const exploring = { judge, clock: () => now, gapsMet: new Set() } as unknown as Exploring;
  const unseen = idOf(asked("GET", "/v1/account"));
  world.learn(new Map(marksIn(unseen).map((mark) => [mark, "1k19fp0hq08w1a4wdnyr47ka3s"])));
  const own = world.shown(unseen);
  const other = idOf(asked("POST", "/v1/accounts", { name: "Ada" }));
  for (const [body, isOther] of bodies) {
    const request = asked("PATCH", `/v1/accounts/${own}`, body);
    const ran = run(request);
    assert.equal(ran.outcome.error, "not_oneself");
    assert.equal(mayLockOut(world, request, ran), isOther, JSON.stringify(body));
    assert.equal(foreseen(exploring, request) === undefined, isOther);
    const theirs = asked("PATCH", `/v1/accounts/${other}`, body);
    assert.equal(mayLockOut(world, theirs, run(theirs)), false);
  }
});
