/** An answer that another caller was given under the same key breaks what says whose a key is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { itemOf } from "../../src/plan/index.ts";
import { repeated } from "../../src/verify/judge/blame.ts";
import type { Ran } from "../../src/verify/world/world.ts";
import { compiled, documentOf } from "./clauses/trial.ts";

const judged = compiled(documentOf("orders").text);
assert.ok(judged !== undefined);
const endpoint = judged.plan.endpoints.find(({ id }) => id === "endpoints/POST /orders");
const { idempotency } = endpoint ?? {};
assert.ok(endpoint !== undefined && idempotency !== undefined);
const own = [itemOf(idempotency.per), idempotency.id];

const asked = (key: string, caller: string, body: string, status = 201) => ({
  request: {
    ...{ method: "POST", target: "/v1/orders" },
    headers: [
      ["idempotency-key", key],
      ["Authorization", `Bearer ${caller}`],
    ] as const,
  },
  answer: { status, body },
});
const ran = (trace: Ran["trace"]): Pick<Ran, "endpoint" | "trace"> => ({ endpoint, trace });
const first = asked("k1", "ada", '{"number":1}');

test("the answer of another caller under the same key is blamed on whose keys are", () => {
  const again = asked("k1", "grace", '{"number":1}');
  assert.deepEqual(repeated(ran([]), again, [first]), own);
});

test("nothing is blamed on keys where the answer, or the key, is another, or it is the same one's", () => {
  const same = asked("k1", "ada", '{"number":1}');
  assert.deepEqual(repeated(ran([]), asked("k1", "grace", '{"number":2}'), [first]), []);
  assert.deepEqual(repeated(ran([]), asked("k2", "grace", '{"number":1}'), [first]), []);
  assert.deepEqual(repeated(ran([]), same, [first]), []);
  const refused = ["ada", "grace"].map((one) => asked("k1", one, "{}", 422));
  assert.deepEqual(repeated(ran([]), refused[1] ?? first, refused.slice(0, 1)), []);
  assert.deepEqual(repeated(ran([[idempotency.id, "failed"]]), same, [first]), []);
});
