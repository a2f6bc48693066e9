/** Rows that a request names together, and values of theirs that it is compared with. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { joinedTo } from "../../src/verify/generate/kin.ts";
import type { Making } from "../../src/verify/generate/making.ts";
import { Random } from "../../src/verify/generate/random.ts";
import { requestTo } from "../../src/verify/generate/requests.ts";
import type { Request } from "../../src/verify/index.ts";
import { mutantsOf } from "../../src/verify/rivals/mutants.ts";
import { World } from "../../src/verify/world/world.ts";
import { compiled, documentOf, tagOf, toldOf } from "./clauses/trial.ts";

const tracker = documentOf("unseen/tracker");
const found = compiled(tracker.text);
assert.ok(found !== undefined);
const { plan } = found;
const NOW = 1_700_000_000_123_000n;
const DRAWN = 400;

/** A repository of ann's with two labels and a report; bob works along, and eve has her own. */
function worldOf(): World {
  const world = new World(plan);
  world.start(NOW, toldOf(tracker, plan).rows);
  const ask = (method: string, target: string, body: object, who = "ann"): void => {
    const headers = [
      ["Authorization", `token ${who}-token`],
      ["Content-Type", "application/json"],
    ] as const;
    const request = { method, target: `/api/v3${target}`, headers, body: JSON.stringify(body) };
    const { response } = world.run(request, { now: NOW }).outcome;
    assert.ok(response.status < 300, `${method} ${target}: ${response.status}`);
  };
  ask("POST", "/user/repos", { name: "tea" });
  ask("POST", "/user/repos", { name: "own" }, "eve");
  for (const name of ["bug", "hot"]) {
    ask("POST", "/repos/ann/tea/labels", { name, color: "ff0000" });
  }
  ask("PUT", "/repos/ann/tea/collaborators/bob", { permission: "read" });
  ask("POST", "/repos/ann/tea/issues", { title: "Too hot" });
  return world;
}

/** Requests to an endpoint, with hints at members. */
function drawn(
  world: World,
  id: string,
  { names = [], ...more }: { readonly names?: readonly string[]; readonly isTame?: true } = {},
): readonly Request[] {
  const endpoint = plan.endpoints.find((one) => one.id === `endpoints/${id}`);
  assert.ok(endpoint !== undefined);
  const making: Making = {
    ...{ plan, world, random: new Random(1), tag: tagOf(1), wrong: 0, before: [] },
    ...{ now: NOW + 60_000_000n, hints: { names: new Set(names), values: [], ...more } },
  };
  return Array.from({ length: DRAWN }, () => requestTo(making, endpoint));
}

test("a row of a path that no condition joins to the others may be any", () => {
  const all = drawn(worldOf(), "PUT /repos/{owner}/{repo}/collaborators/{login}");
  const names = new Set(
    all.flatMap(({ target }) => /\/ann\/tea\/collaborators\/(.*)$/.exec(target)?.[1] ?? []),
  );
  for (const name of ["ann", "bob", "eve"]) assert.ok(names.has(name), name);
});

test("callers name rows that a third row joins with them", () => {
  const world = worldOf();
  const [, bob] = world.rows("User");
  assert.ok(bob !== undefined);
  const [tea] = world.rows("Repo");
  assert.deepEqual([...joinedTo({ plan, world }, "Repo", bob)], [tea?.key]);
  const own = drawn(world, "POST /repos/{owner}/{repo}/labels").filter(({ headers }) =>
    headers.some(([, value]) => value === "token bob-token"),
  );
  assert.ok(own.length > 0 && own.some(({ target }) => target.endsWith("/ann/tea/labels")));
});

test("a path names nobody where requests are about that, and nothing was deleted", () => {
  const world = worldOf();
  const endpoint = plan.endpoints.find(({ method }) => method === "PUT");
  assert.ok(endpoint !== undefined);
  const making: Making = {
    ...{ plan, world, random: new Random(1), tag: tagOf(1), wrong: 0, before: [], now: NOW },
    ...{ again: 0, gone: 1 },
  };
  for (let i = 0; i < 20; i++) {
    assert.match(requestTo(making, endpoint).target, /\/repos\/nobody\/nobody\//);
  }
});

test("a list of keys has several that are there", () => {
  const path = "/repos/{owner}/{repo}/issues";
  const lists = drawn(worldOf(), `POST ${path}`, {
    names: ["labels"],
    isTame: true,
  }).map(({ body = "{}" }) => JSON.stringify(JSON.parse(body).labels));
  assert.ok(lists.includes('["bug","hot"]') && lists.includes('["hot","bug"]'));
});

test("an input that is compared with a row's time is that time, as it is shown", () => {
  const all = drawn(worldOf(), "GET /repos/{owner}/{repo}/issues", { names: ["since"] });
  const shown = `since=${encodeURIComponent("2023-11-14T22:13:20Z")}`;
  assert.ok(all.filter(({ target }) => target.includes(shown)).length > DRAWN / 20);
});

test("steps that are shared, or hang on a condition, may refuse in another order", () => {
  const path = "endpoints/POST /repos/{owner}/{repo}/issues/{number}/comments";
  const at = plan.endpoints.findIndex(({ id }) => id === path);
  const kinds = mutantsOf(plan).flatMap((mutant) => {
    if (mutant.member !== "steps" || mutant.endpoints?.has(at) !== true) return [];
    const steps = mutant.plan().endpoints[at]?.steps ?? [];
    return [
      steps
        .slice(0, 2)
        .map(({ kind }) => kind)
        .join(),
    ];
  });
  assert.ok(kinds.includes("when,do"), kinds.join(" "));
});
