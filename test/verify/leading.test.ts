/** Rows are led to transitions, and callers are let in, and come again when they are no more. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Plan, type Scheme, touchesOf } from "../../src/plan/index.ts";
import { credentialsFor } from "../../src/verify/generate/credentials.ts";
import type { Exploring } from "../../src/verify/generate/explore.ts";
import { makingOf } from "../../src/verify/generate/explore.ts";
import { Random } from "../../src/verify/generate/random.ts";
import { doorsOf } from "../../src/verify/generate/scarce.ts";
import { Lead, statesBefore } from "../../src/verify/rivals/leading.ts";
import { mutantsOf } from "../../src/verify/rivals/mutants.ts";
import { transitionOf } from "../../src/verify/rivals/near.ts";
import { Walk } from "../../src/verify/rivals/walk.ts";
import { Session } from "../../src/verify/session.ts";
import { compiled, documentOf, tagOf, toldOf } from "./clauses/trial.ts";

const NOW = 1_700_000_000_000_000n;
const JSON_TYPE = ["Content-Type", "application/json"] as const;
let asks = 0;

function exploringOf(name: string): Exploring & { readonly plan: Plan } {
  const document = documentOf(name);
  const found = compiled(document.text);
  assert.ok(found !== undefined);
  const { plan, occurring } = found;
  const tag = tagOf(1);
  const { rows: given } = toldOf(document, plan);
  const { judge, gapsMet } = new Session(plan, { tag, occurring, given, now: NOW });
  return {
    ...{ plan, judge, tag, gapsMet, taken: new Map(), random: new Random(1), before: [] },
    ...{ seen: new Set<string>(), clock: () => NOW, features: () => [] },
  };
}

/** Asks the model, which is told what it has made; the body of what it answers. */
function ask({ judge }: Exploring, target: string, body: object, key?: string) {
  const own = key === undefined ? [] : [["Authorization", `Bearer ${key}`] as const];
  const once = ["Idempotency-Key", `k${asks++}`] as const;
  const request = { method: "POST", target, headers: [JSON_TYPE, once, ...own] };
  const ran = judge.world.run({ ...request, body: JSON.stringify(body) }, { now: NOW });
  const { status, body: text = "" } = ran.outcome.response;
  assert.equal(status, 201, text);
  const texts = ran.made.map((mark, i) => [mark, `made${asks}n${i}`] as const);
  judge.world.learn(new Map(texts));
  const shown = texts.reduce((all, [mark, own]) => all.replaceAll(mark, own), text);
  return JSON.parse(shown) as { readonly key: string };
}

const LINES = { currency: "EUR", lines: [{ sku: "TEA-100", quantity: 3, unitPrice: 4.5 }] };

test("an order is two transitions away from its way to the customer, of which one comes first", () => {
  const exploring = exploringOf("orders");
  const { plan, random, judge } = exploring;
  const machine = plan.machines.find(({ resource }) => resource === "Order");
  const [ship, pay] = ["ship", "pay"].map((name) =>
    machine?.transitions.find((one) => one.name === name),
  );
  assert.ok(machine !== undefined && ship !== undefined && pay !== undefined);
  const before = statesBefore(ship, machine.transitions);
  assert.deepEqual(
    [...before],
    [
      ["paid", 0],
      ["open", 1],
    ],
  );
  const hints = { names: new Set(["customer"]), values: [] };
  const of = { world: judge.world, random, hints };
  assert.equal(Lead.to(ship, of), undefined);
  const { key } = ask(exploring, "/v1/accounts", { name: "Ada" });
  ask(exploring, "/v1/orders", LINES, key);
  const lead = Lead.to(ship, of);
  assert.equal(lead?.away, 1);
  assert.deepEqual(lead.nearer, [pay]);
  assert.deepEqual(
    lead.rows.map(({ resource }) => resource),
    ["Order", "Account"],
  );
});

test("what leads a row is mostly about it, and not about another one", () => {
  const exploring = exploringOf("orders");
  const { plan, judge } = exploring;
  for (const name of ["Ada", "Grace"]) {
    const { key } = ask(exploring, "/v1/accounts", { name });
    for (let i = 0; i < 5; i++) ask(exploring, "/v1/orders", LINES, key);
  }
  const mutant = mutantsOf(plan).find(({ item }) => item.startsWith("states/Order/ship"));
  const ship = mutant && transitionOf(plan, mutant.item);
  const payment = plan.endpoints.find(({ id }) => id === "endpoints/POST /orders/{id}/payment");
  assert.ok(mutant !== undefined && ship !== undefined && payment !== undefined);
  let [paid, led] = [0, 0];
  for (let i = 0; i < 200; i++) {
    const walk = new Walk(exploring, { mutant, many: 1, again: undefined });
    judge.world.begin();
    const lead = walk.lead(ship);
    if (walk.stride(payment, { wrong: 0, isSetup: true, isLed: true })) paid += 1;
    if (lead?.away === 0) led += 1;
    judge.world.undo();
  }
  assert.ok(paid >= 20, String(paid));
  assert.ok(led >= 0.6 * paid, `${led} of ${paid}`);
});

test("where one may log in a few times, that lets callers in, and a logout ends it", () => {
  const lobby = exploringOf("lobby").plan;
  const names = (all: readonly { readonly id: string }[]): readonly string[] =>
    all.map(({ id }) => id.slice("endpoints/".length));
  assert.deepEqual(names(doorsOf(lobby).opening), ["POST /sessions"]);
  assert.deepEqual(names(doorsOf(lobby).ending), ["DELETE /sessions"]);
  assert.deepEqual(doorsOf(exploringOf("todo").plan), { opening: [], ending: [] });
});

test("what the caller is changed in is a row of that kind, and of no other", () => {
  const { plan } = exploringOf("lobby");
  const logout = plan.endpoints.find(({ id }) => id === "endpoints/DELETE /sessions");
  const [scheme] = plan.schemes;
  assert.ok(scheme !== undefined);
  const touched = (beside: readonly Scheme[]) =>
    [...touchesOf({ ...plan, schemes: [scheme, ...beside] }, logout)].map(([name, { fields }]) => [
      name,
      ...fields,
    ]);
  const own = [["Session"], ["Player", "access"]];
  assert.deepEqual(touched([]), own);
  const { id } = scheme;
  // A scheme without one lets nobody in as a row; of one that is not shown it may be any.
  assert.deepEqual(touched([{ ...scheme, caller: { is: "none", id } }]), own);
  const all = touched([{ ...scheme, caller: { is: "gap", gap: id } }]);
  assert.equal(all.length, plan.resources.length);
});

test("a credential that is good no more comes again, one of many that is good is kept", () => {
  const exploring = exploringOf("orders");
  const { plan } = exploring;
  const endpoint = plan.endpoints.find(({ id }) => id === "endpoints/GET /orders");
  assert.ok(endpoint !== undefined);
  const keys = Array.from({ length: 20 }, (_, i) =>
    ask(exploring, "/v1/accounts", { name: `${i}` }),
  );
  const [scheme] = plan.schemes;
  const asked = (credential: string): number => {
    const all = Array.from({ length: 100 }, () => {
      const persona = new Map([[scheme?.id ?? "", credential]]);
      return credentialsFor({ ...makingOf(exploring), wrong: 0, persona }, endpoint);
    });
    return all.filter(({ row, headers }) => {
      return row === undefined && headers.some(([, value]) => value.endsWith(credential));
    }).length;
  };
  assert.ok(asked("gone") > 20);
  for (const { key } of keys) assert.equal(asked(key), 0);
});
