/** What is kept is compared by names: a document beside itself, in another order, and by halves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keptChanges } from "../../src/change/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { checkedText, readyOf } from "../gaps/static.ts";
import { subjects } from "../gaps/subjects.ts";

const plans = subjects().map((subject) => {
  const ready = readyOf(checkedText(new TextDecoder().decode(subject.bytes), subject), subject);
  assert.ok(ready, subject.name);
  return [subject.name, ready.plan] as const;
});

/** The plan with all that has a name in the opposite order. */
function turned(plan: Plan): Plan {
  const resources = plan.resources.map((one) => ({ ...one, fields: one.fields.toReversed() }));
  const partTypes = plan.partTypes.map((one) => ({ ...one, fields: one.fields.toReversed() }));
  const machines = plan.machines.map((one) => ({ ...one, states: one.states.toReversed() }));
  return {
    ...plan,
    resources: resources.toReversed(),
    partTypes: partTypes.toReversed(),
    machines: machines.toReversed(),
    endpoints: plan.endpoints.toReversed(),
  };
}

for (const [name, plan] of plans) {
  test(`${name}: beside itself, and in another order, nothing has changed`, () => {
    assert.deepEqual(keptChanges(plan, plan), []);
    assert.deepEqual(keptChanges(plan, turned(plan)), []);
    assert.deepEqual(keptChanges(turned(plan), plan), []);
  });

  test(`${name}: each field that is gone, and each that is new, is told at its line`, () => {
    for (const [at, resource] of plan.resources.entries()) {
      for (const field of resource.fields) {
        const fields = resource.fields.filter((one) => one !== field);
        const resources = plan.resources.with(at, { ...resource, fields });
        const less = { ...plan, resources };
        const gone = keptChanges(plan, less).filter(({ before }) => before === field.id);
        assert.deepEqual(
          gone.map(({ relation }) => relation),
          ["other"],
          field.id,
        );
        const added = keptChanges(less, plan).filter(({ now }) => now === field.id);
        assert.equal(added.length, 1, field.id);
        assert.ok(added.every(({ relation }) => relation === "wider" || relation === "other"));
      }
    }
  });
}

test("receivers of another resource are told: messages that wait name rows", () => {
  const [, plan] = plans.find(([name]) => name === "orders") ?? [];
  assert.ok(plan);
  const webhooks = plan.webhooks.map((one) => {
    assert.ok(one.receivers.is === "stated");
    const value = { ...one.receivers.value, resource: "Customer" };
    return { ...one, receivers: { ...one.receivers, value } };
  });
  const [change, ...others] = keptChanges(plan, { ...plan, webhooks });
  assert.deepEqual(others, []);
  assert.equal(change?.relation, "other");
  assert.deepEqual(change.waiting, { is: "messages", name: webhooks[0]?.name });
});
