/** Of requests of which few are let through some are for what no other request shows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exploring } from "../../src/verify/generate/explore.ts";
import { pickOfKind } from "../../src/verify/generate/pick.ts";
import { Random } from "../../src/verify/generate/random.ts";
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
    const drawn = Array.from({ length: 200 }, () =>
      pickOfKind({ plan: tracker.plan, random, hints }, rows as never),
    );
    return drawn.filter((one) => one?.key === 7).length / drawn.length;
  };
  assert.ok(share(["locked"]) > 0.3, String(share(["locked"])));
  assert.ok(share(["locked"]) > share([]) + 0.1, String(share([])));
});
