/** What leads the search to a clause: pages that are just full, cases, and who reads what is written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exploring } from "../../src/verify/generate/explore.ts";
import { Paged } from "../../src/verify/generate/paged.ts";
import { Random } from "../../src/verify/generate/random.ts";
import { mutantsOf } from "../../src/verify/rivals/mutants.ts";
import { Nearness } from "../../src/verify/rivals/near.ts";
import { Session } from "../../src/verify/session.ts";
import type { Request } from "../../src/verify/world/message.ts";
import { compiled, documentOf, tagOf } from "./clauses/trial.ts";

const BEGAN = 1_700_000_000_000_000n;

function planOf(name: string) {
  const found = compiled(documentOf(name).text);
  assert.ok(found !== undefined);
  return found;
}

/** Adds todos and asks for them by that query; the queries that follow from the answer. */
function queriesBehind(paged: Paged, exploring: Exploring, query: string): readonly string[] {
  const { world } = exploring.judge;
  const request: Request = { method: "GET", target: `/todos${query}`, headers: [] };
  const ran = world.run(request, { now: BEGAN });
  const { status, headers, body } = ran.outcome.response;
  assert.equal(status, 200);
  paged.took(request, ran, { status, headers, body, sent: BEGAN, received: BEGAN });
  const found: string[] = [];
  for (let one = paged.next(); one !== undefined; one = paged.next()) found.push(one.target);
  return found;
}

test("lists are asked for with their size, and one less, as numbers of the query, once each", () => {
  const { plan, occurring } = planOf("todo");
  const tag = tagOf(1);
  const { judge, gapsMet } = new Session(plan, { tag, occurring, now: BEGAN });
  const exploring: Exploring = {
    ...{ judge, tag, gapsMet, random: new Random(1), before: [] },
    ...{ seen: new Set<string>(), taken: new Map(), clock: () => BEGAN, features: () => [] },
  };
  const paged = new Paged(exploring);
  assert.deepEqual(queriesBehind(paged, exploring, ""), []);
  const add = (title: string): void => {
    const headers = [["Content-Type", "application/json"]] as const;
    const body = JSON.stringify({ title });
    judge.world.run({ method: "POST", target: "/todos", headers, body }, { now: BEGAN });
  };
  add("one");
  assert.deepEqual(queriesBehind(paged, exploring, "?limit=7&status=open"), [
    "/todos?status=open&limit=1",
    "/todos?limit=7&status=open&offset=1",
  ]);
  add("two");
  add("three");
  const three = ["limit=3", "limit=2", "offset=3", "offset=2"].map((one) => `/todos?${one}`);
  assert.deepEqual(queriesBehind(paged, exploring, ""), three);
  assert.deepEqual(queriesBehind(paged, exploring, ""), []);
});

test("a step in a case is sought by what the case is about", () => {
  const { plan, lines } = planOf("unseen/tracker");
  const own = mutantsOf(plan).filter(({ item }) => lines.get(item) === 300);
  assert.ok(own.length > 0);
  for (const { hints } of own) {
    assert.ok(hints.values.includes('"comments"') && hints.values.includes('"asc"'));
    assert.ok(hints.names.has("sort") && hints.names.has("direction"));
  }
});

test("what is written shows where it is read, by way of steps that endpoints share, too", () => {
  const { plan } = planOf("unseen/tracker");
  const path = "PUT /repos/{owner}/{repo}/collaborators/{login}";
  const [mutant] = mutantsOf(plan).filter(({ item }) => item.includes(`${path}/step Set`));
  assert.ok(mutant !== undefined);
  const reads = new Nearness(plan).of(mutant).reads.map(({ id }) => id);
  assert.ok(reads.includes("endpoints/POST /repos/{owner}/{repo}/labels" as never));
  assert.ok(!reads.includes("endpoints/POST /user/repos" as never));
});
