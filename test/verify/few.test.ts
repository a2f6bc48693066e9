/** Of requests of which few are let through some are for what no other request shows. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Plan } from "../../src/plan/index.ts";
import type { Exploring } from "../../src/verify/generate/explore.ts";
import type { Making } from "../../src/verify/generate/making.ts";
import { pickOfKind } from "../../src/verify/generate/pick.ts";
import { Random } from "../../src/verify/generate/random.ts";
import { lastSharesOf } from "../../src/verify/probe/probe.ts";
import { Few } from "../../src/verify/rivals/few.ts";
import { mutantsOf } from "../../src/verify/rivals/mutants.ts";
import { Nearness } from "../../src/verify/rivals/near.ts";
import { Session } from "../../src/verify/session.ts";
import { compiled, documentOf, tagOf } from "./clauses/trial.ts";

const NOW = 1_700_000_000_000_000n;
const PATH = "POST /accounts";

const found = compiled(documentOf("orders").text);
assert.ok(found !== undefined);
const { plan, occurring } = found;
const nearness = new Nearness(plan);
const bounds = mutantsOf(plan).filter(({ item }) =>
  item.startsWith("resources/Account/name/rule 1 to 80"),
);

function exploringOf(): Exploring {
  const tag = tagOf(1);
  const { judge, gapsMet } = new Session(plan, { tag, occurring, now: NOW });
  const endpoint = plan.endpoints.find(({ id }) => id === `endpoints/${PATH}`);
  assert.ok(endpoint !== undefined);
  const taken = new Map([[endpoint.id, { method: "POST", target: "/v1/accounts", headers: [] }]]);
  return {
    ...{ judge, tag, gapsMet, taken, random: new Random(1), before: [] },
    ...{ seen: new Set<string>(), clock: () => NOW, features: () => [] },
  };
}

test("the bounds of a field show where it may be given, and nowhere else", () => {
  assert.ok(bounds.length > 0);
  for (const one of bounds) {
    const shows = nearness.of(one).shows.map(({ id }) => id as string);
    assert.deepEqual(shows, [`endpoints/${PATH}`]);
  }
});

const shownAt = (start: string): readonly string[] => {
  const mutant = mutantsOf(plan).find(({ item }) => item.startsWith(start));
  assert.ok(mutant !== undefined, start);
  return nearness.of(mutant).shows.map(({ id }) => id.slice("endpoints/".length));
};

test("a transition shows where it is fired, and so does an error that refuses there", () => {
  assert.deepEqual(shownAt("states/Order/ship"), ["POST /orders/{id}/shipment"]);
  assert.deepEqual(shownAt("errors/wrong_amount"), ["POST /orders/{id}/payment"]);
});

test("only what leads to the state from which a transition goes is done before it", () => {
  const mutant = mutantsOf(plan).find(({ item }) => item.startsWith("states/Order/ship"));
  assert.ok(mutant !== undefined);
  const leads = nearness.of(mutant).leads.map(({ id }) => id.slice("endpoints/".length));
  for (const one of ["POST /orders", "POST /orders/{id}/payment"])
    assert.ok(leads.includes(one), one);
  const others = ["POST /orders/{id}/cancellation", "POST /orders/{id}/shipment"];
  for (const one of others) assert.ok(!leads.includes(one), one);
});

test("an error of a limit on rows shows where they are made, behind as many as may be kept", () => {
  const mutant = mutantsOf(plan).find(({ item }) => item === "errors/too_many_hooks");
  assert.ok(mutant !== undefined);
  const { sizes, shows } = nearness.of(mutant);
  assert.deepEqual(sizes, [10]);
  assert.ok(shows.some(({ id }) => id === "endpoints/POST /hooks"));
  assert.ok(shows.length < plan.endpoints.length / 2, String(shows.length));
});

test("a quarter of twenty is for them, the request first that tells most of those tried", () => {
  const few = new Few(exploringOf(), nearness);
  const sizes: number[] = [];
  for (let i = 0; i < 8; i++) {
    // The longer the name, the more it tells.
    const request = few.next(bounds, (one) => sizeOf(one.request.body));
    if (request !== undefined) sizes.push(sizeOf(request.body));
  }
  assert.equal(sizes.length, 5);
  assert.ok(
    sizes.every((size) => size >= 79),
    sizes.join(),
  );
});

test("an endpoint at which nothing is told is left alone", () => {
  const few = new Few(exploringOf(), nearness);
  let asked = 0;
  const tellsNothing = (): number => {
    asked += 1;
    return 0;
  };
  for (let i = 0; i < 8; i++) assert.equal(few.next(bounds, tellsNothing), undefined);
  const before = asked;
  assert.equal(
    few.next(bounds, () => 1),
    undefined,
  );
  assert.ok(before > 0 && asked === before);
});

const sizeOf = (body = "{}"): number => String(JSON.parse(body).name ?? "").length;

test("rows are mostly of a kind that the request is about", () => {
  const tracker = compiled(documentOf("unseen/tracker").text);
  const fields = tracker?.plan.resources.find(({ name }) => name === "Issue")?.fields ?? [];
  assert.ok(tracker !== undefined);
  const locked = fields.findIndex(({ name }) => name === "locked");
  const rows = Array.from({ length: 40 }, (_, key) => ({
    resource: "Issue",
    key,
    values: fields.map((_, place) => (place === locked ? key === 7 : null)),
  }));
  const share = (names: readonly string[]): number => {
    const random = new Random(1);
    const hints = { names: new Set(names), values: [] };
    const { world } = exploringOf().judge;
    const drawn = Array.from({ length: 200 }, () =>
      pickOfKind({ plan: tracker.plan, world, random, hints }, rows as never),
    );
    return drawn.filter((one) => one?.key === 7).length / drawn.length;
  };
  assert.ok(share(["locked"]) > 0.3, String(share(["locked"])));
  assert.ok(share(["locked"]) > share([]) + 0.1, String(share([])));
});

const SHOP = readFileSync(join(import.meta.dirname, "faults", "shop.md"), "utf8");

function shopOf(text: string): Plan {
  const shop = compiled(text);
  assert.ok(shop !== undefined);
  return shop.plan;
}

const shop = shopOf(SHOP);
const fragile = mutantsOf(shop).find(
  ({ item, member }) => item.startsWith("states/Order/return") && member === "when",
);

test("what makes or changes the rows that a guard comes to by a field is done before, too", () => {
  assert.ok(fragile !== undefined);
  const feeds = new Nearness(shop).of(fragile).feeds.map(({ id }) => id as string);
  assert.ok(feeds.includes("endpoints/PATCH /products/{id}"), feeds.join());
  assert.ok(!feeds.includes("endpoints/POST /products/{id}/reviews"), feeds.join());
});

test("rows are mostly such as refer to one of the kind that the request is about", () => {
  const [orders, products] = ["Order", "Product"].map(
    (name) => shop.resources.find((one) => one.name === name)?.fields ?? [],
  );
  const rows = Array.from({ length: 40 }, (_, key) => ({
    resource: "Order",
    key,
    values: orders?.map(({ name }) => (name === "product" ? (key === 7 ? 2 : 1) : null)),
  }));
  const values = (key: number) => products?.map(({ name }) => name === "fragile" && key === 2);
  const world = { session: { get: (_: string, key: number) => ({ values: values(key) }) } };
  const share = (names: readonly string[]): number => {
    const making = { plan: shop, world, random: new Random(1) } as never as Making;
    const hints = { names: new Set(names), values: [] };
    const drawn = Array.from({ length: 200 }, () =>
      pickOfKind({ ...making, hints }, rows as never),
    );
    return drawn.filter((one) => one?.key === 7).length / drawn.length;
  };
  assert.ok(share(["product", "fragile"]) > 0.3, String(share(["product", "fragile"])));
  for (const one of [["fragile"], ["product"], []]) assert.ok(share(one) < 0.2, one.join());
});

test("few requests are kept for limits that few reach", () => {
  const bounds = { patienceMs: 5_000, requestsMax: 3_000 };
  const { requests, time } = lastSharesOf(shop, bounds);
  assert.ok(requests > 12 / 3_000 && requests < 0.05, String(requests));
  assert.ok(time > 0 && time < 0.1, String(time));
  const more = shopOf(SHOP.replace("| caller | 6 | 1 min", "| caller | 600 | 1 min"));
  assert.ok(lastSharesOf(more, bounds).requests > 0.3);
});
