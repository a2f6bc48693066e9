/** What the server refuses undoes the savepoint in which it was written, or all: never another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionOf, prepareStore } from "../../src/store/index.ts";
import { planOf } from "../histories/subjects.ts";
import { skip, testServer } from "./server.ts";

const { url } = testServer();
const BAD = "bad";

/** A store whose server refuses one title, and the titles that are there in the end. */
async function onStore(
  name: string,
  run: (todo: (title: string) => void, store: ReturnType<ReturnType<typeof prepareStore>>) => void,
): Promise<readonly string[]> {
  const place = { postgres: url(name) };
  const options = { store: place, mode: "write" } as const;
  const open = prepareStore(planOf("examples/todo/spec.md"), options);
  const store = open(undefined, undefined, await connectionOf(place));
  const { wire } = (await connectionOf(place)) ?? assert.fail();
  wire.ask(`ALTER TABLE "${name}"."r_Todo" ADD CHECK (f_title <> '${BAD}')`);
  try {
    store.begin("write");
    const todo = (title: string): void => {
      store.session.insert("Todo", [title, title, null, null, "open", 1n, null]);
    };
    run(todo, store);
    return wire
      .ask(`SELECT f_title FROM "${name}"."r_Todo" ORDER BY _key`)
      .map(([one]) => one ?? "");
  } finally {
    wire.close();
    store.close();
  }
}

test("a write that is refused behind the one who has written it fails the transaction", {
  skip,
}, async () => {
  const kept = await onStore("behind", (todo, store) => {
    const { session } = store;
    session.savepoint();
    todo(BAD);
    session.release();
    session.savepoint();
    todo("of another");
    assert.throws(() => session.all("Todo"), /check constraint/);
    session.rollback();
    assert.throws(() => session.all("Todo"), /check constraint/);
    assert.throws(() => store.commit(), /check constraint/);
    store.rollback();
  });
  assert.deepEqual(kept, []);
});

test("a write that is refused in its savepoint is undone with it alone", { skip }, async () => {
  const kept = await onStore("within", (todo, store) => {
    const { session } = store;
    session.savepoint();
    todo("before");
    session.release();
    session.savepoint();
    todo("undone with it");
    session.savepoint();
    todo("inner");
    assert.equal(session.all("Todo").length, 3);
    session.release();
    todo(BAD);
    assert.throws(() => session.all("Todo"), /check constraint/);
    session.rollback();
    session.savepoint();
    todo("behind");
    session.release();
    store.commit();
  });
  assert.deepEqual(kept, ["before", "behind"]);
});

test("what is undone before anything is asked for is never sent", { skip }, async () => {
  const kept = await onStore("unsent", (todo, store) => {
    const { session } = store;
    todo("first");
    session.savepoint();
    session.savepoint();
    todo(BAD);
    session.release();
    todo(BAD);
    session.rollback();
    session.savepoint();
    todo("second");
    session.release();
    store.commit();
  });
  assert.deepEqual(kept, ["first", "second"]);
});
