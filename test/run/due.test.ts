/** What is due is found by the store itself, also where the time of a row may be null. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { compile, type Session } from "../../src/run/index.ts";
import { openStore } from "../../src/store/index.ts";
import { shopPlan } from "../serve/calls/shop.ts";

test("no row is read to learn that nothing is due", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-due-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { plan } = shopPlan();
  const opened = openStore(plan, { store: { file: join(folder, "a.sqlite") }, mode: "write" });
  opened.begin("write");
  const { session } = opened;
  const at = plan.resources.find(({ name }) => name === "Order")?.fields ?? [];
  const row = (remindAt: bigint | null): void => {
    session.insert(
      "Order",
      at.map(({ name }) =>
        name === "remindAt"
          ? remindAt
          : name === "number" || name === "total"
            ? 1n
            : name === "state"
              ? "open"
              : name,
      ),
    );
  };
  row(null);
  row(50n);
  const watched = new Proxy(session, {
    get: (of, name) => {
      if (name === "all") return () => assert.fail("every row was read");
      const value: unknown = Reflect.get(of, name);
      return typeof value === "function" ? value.bind(of) : value;
    },
  }) as Session;
  const program = compile(plan);
  assert.equal(program.anyDue(watched, 49n), false);
  assert.equal(program.anyDue(watched, 50n), true);
  assert.equal(program.nextDue(watched, 0n), 50n);
  assert.equal(program.nextDue(watched, 50n), undefined);
  opened.rollback();
  opened.close();
});
