/** What one answer has told is looked for once more elsewhere; steps are come to. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type Exploring, featuresOf } from "../../src/verify/generate/explore.ts";
import { Random } from "../../src/verify/generate/random.ts";
import type { Request } from "../../src/verify/index.ts";
import { cameTo, isCome, mutantsOf } from "../../src/verify/rivals/mutants.ts";
import { Nearness } from "../../src/verify/rivals/near.ts";
import { Rivals } from "../../src/verify/rivals/rivals.ts";
import { Walking } from "../../src/verify/rivals/walking.ts";
import { World } from "../../src/verify/world/world.ts";
import { documentOf, tagOf } from "./clauses/trial.ts";
import { sessionOf } from "./edited.ts";

const NOW = 1_700_000_000_000_000n;
const KEYS = readFileSync(join(import.meta.dirname, "keys.md"), "utf8");

/** `text` stands in the place of that of the document. */
function exploringOf(name: string, text = documentOf(name).text): Exploring {
  const { judge, gapsMet } = sessionOf(documentOf(name), text, NOW);
  return {
    ...{ judge, gapsMet, tag: tagOf(1), taken: new Map(), random: new Random(1), before: [] },
    ...{ seen: new Set<string>(), clock: () => NOW, features: () => [] },
  };
}

function posted(target: string, body: object, method = "POST"): Request {
  const headers = [["Content-Type", "application/json"]] as const;
  return { method, target, headers, body: JSON.stringify(body) };
}

test("what one answer has told is to be told by another, too, when nothing else is left", async () => {
  const exploring = exploringOf("todo", KEYS);
  const { world } = exploring.judge;
  world.begin();
  world.run(posted("/notes", { text: "one" }), { now: NOW });
  world.keep();
  const rivals = new Rivals(exploring, { tries: 1, again: 1, rounds: 2 });
  const toldAt = (target: string) => {
    const { rivals: told } = rivals.toldBy({ method: "GET", target, headers: [] }, false);
    return new Map([...told].filter(([{ mutant }]) => mutant.item === "resources/Note/text"));
  };
  const told = toldAt("/notes");
  assert.ok(told.size > 0);
  rivals.leave(told);
  assert.equal(toldAt("/first").size, 0);
  while (!rivals.isDone) {
    await rivals.next(() => false);
    rivals.followed(false);
  }
  assert.deepEqual([...toldAt("/first").keys()], [...told.keys()]);
  assert.equal(toldAt("/notes").size, 0);
});

test("of requests that are about a step most come to it", () => {
  const exploring = exploringOf("unseen/tracker");
  const { world } = exploring.judge;
  const { plan } = world;
  const { headers, ...repo } = posted("/api/v3/user/repos", { name: "tea" });
  const asAnn = [...headers, ["Authorization", "token ann-token"]] as const;
  world.begin();
  const { outcome } = world.run({ ...repo, headers: asAnn }, { now: NOW });
  assert.equal(outcome.response.status, 201);
  world.keep();
  const nearness = new Nearness(plan);
  const walking = new Walking(exploring, nearness);
  const step = mutantsOf(plan).find(({ item }) =>
    item.startsWith("endpoints/POST /repos/{owner}/{repo}/issues/step"),
  );
  assert.ok(step !== undefined);
  const asked = Array.from({ length: 80 }, () => walking.walk(step, false))
    .flat()
    .filter(
      ({ ran }) => ran.endpoint !== undefined && nearness.of(step).shows.includes(ran.endpoint),
    );
  const come = asked.filter(({ ran }) => isCome(step.item, cameTo(ran.trace)));
  assert.ok(asked.length > 60, String(asked.length));
  assert.ok(come.length > asked.length * 0.85, `${come.length} of ${asked.length}`);
});

test("a field that is filled and one that is emptied are new at each endpoint", () => {
  const { judge } = exploringOf("todo");
  const world = new World(judge.world.plan);
  const featuresAt = (request: Request): readonly string[] => {
    const ran = world.run(request, { now: NOW });
    return featuresOf(ran, { gone: [], method: request.method }).filter((one) =>
      / Todo\./.test(one),
    );
  };
  const { outcome } = world.run(posted("/todos", { title: "tea" }), { now: NOW });
  const { id } = JSON.parse(outcome.response.body ?? "{}");
  const patched = (body: object) => featuresAt(posted(`/todos/${id}`, body, "PATCH"));
  const at = "endpoints/PATCH /todos/{id}";
  assert.deepEqual(patched({ note: "hot", title: "tea" }), [`${at} Todo.note filled`]);
  assert.deepEqual(patched({ note: "cold", due: "2026-01-01" }), [`${at} Todo.due filled`]);
  assert.deepEqual(patched({ note: null }), [`${at} Todo.note emptied`]);
});
