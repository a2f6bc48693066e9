/** What several jobs will ask for is asked at once, and holds only as long as nobody changes it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OpenStore } from "../../src/store/index.ts";
import { connectionOf, prepareStore } from "../../src/store/index.ts";
import { campaign } from "../histories/campaign.ts";
import { planOf, writtenSubjects } from "../histories/subjects.ts";
import { testSeed } from "../random.ts";
import { cases } from "../whole.ts";
import { skip, testServer } from "./server.ts";

const { url } = testServer();
const SILENT = { messages: false, events: false, calls: false };

/** The values of a row of `Todo`. */
const todo = (title: string) => [title, title, null, null, "open", 1n, null];

/** Runs in a transaction on a store with three rows, and gives its round trips. */
async function inStore(
  name: string,
  run: (store: OpenStore, shared: NonNullable<OpenStore["shared"]>) => Promise<void>,
): Promise<readonly (readonly string[])[]> {
  const place = { postgres: url(name), node: name, explains: true };
  const options = { store: place, mode: "write" } as const;
  const open = prepareStore(planOf("examples/todo/spec.md"), options);
  const store = open(undefined, undefined, await connectionOf(place));
  const shared = store.shared ?? assert.fail();
  try {
    store.begin("write");
    for (const title of ["a", "b", "c"]) store.session.insert("Todo", todo(title));
    store.commit();
    await shared.begin();
    await run(store, shared);
    await shared.commit(SILENT);
    return shared.trips() ?? [];
  } finally {
    store.close();
  }
}

const titles = ({ session }: OpenStore): readonly unknown[] =>
  [1, 2, 3].map((key) => session.get("Todo", key)?.values[1]);

test("what several jobs ask for takes one round trip, whatever they write", { skip }, async () => {
  const trips = await inStore("once", async (store, shared) => {
    const { session } = store;
    await shared.foresee([1, 2, 3].map((key) => () => session.get("Todo", key)));
    const { answers } = shared.waits();
    for (const key of [1, 2, 3]) {
      assert.equal(session.get("Todo", key)?.key, key);
      session.update("Todo", key, todo(`new ${key}`));
      assert.deepEqual(session.get("Todo", key)?.values, todo(`new ${key}`));
    }
    assert.equal(shared.waits().answers, answers);
  });
  assert.equal(trips.length, 3, JSON.stringify(trips, undefined, 1));
});

test("what a job has written and not kept is seen by none behind it", { skip }, async () => {
  await inStore("undone", async (store, shared) => {
    const { session } = store;
    await shared.foresee([1, 2, 3].map((key) => () => session.get("Todo", key)));
    session.savepoint();
    session.update("Todo", 1, todo("undone"));
    session.delete("Todo", 2);
    assert.deepEqual(titles(store), ["undone", undefined, "c"]);
    session.rollback();
    assert.deepEqual(titles(store), ["a", "b", "c"]);
  });
});

test("runs that are made for what they ask write nothing, and take no number", {
  skip,
}, async () => {
  await inStore("looked", async (store, shared) => {
    const { session } = store;
    const run = () => {
      session.savepoint();
      session.insert("Todo", todo("never"));
      session.update("Todo", 1, todo("never"));
      session.delete("Todo", 2);
      assert.equal(session.get("Todo", 3)?.values[1], "c");
    };
    await shared.foresee([run, run]);
    assert.deepEqual(titles(store), ["a", "b", "c"]);
    assert.equal(session.insert("Todo", todo("d")), 4);
  });
});

test("what the server refuses to look up is no fault of those who do not ask for it", {
  skip,
}, async () => {
  await inStore("refused", async (store, shared) => {
    const { session } = store;
    await shared.foresee([() => session.get("Todo", 1), () => session.getMany("Todo", [2 ** 70])]);
    assert.deepEqual(titles(store), ["a", "b", "c"]);
  });
});

const STEPS = cases(300, 1_500);

test(`${STEPS} steps of random histories, several in one transaction (seed ${testSeed})`, {
  skip,
}, async () => {
  const { differences, steps } = await campaign({
    seed: testSeed,
    steps: STEPS,
    length: 40,
    subjects: writtenSubjects(),
    made: true,
    store: url("together").split("?")[0] as `postgres://${string}`,
    together: true,
    failuresMax: 1,
    say: () => {},
  });
  assert.deepEqual(differences, [], `SEED=${testSeed}\n${differences.join("\n")}`);
  assert.ok(steps >= STEPS);
});
