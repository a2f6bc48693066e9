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

test("a call that is gone or another is told: calls that are not settled name it", () => {
  const [, plan] = plans.find(([, one]) => one.calls.length > 0) ?? [];
  const [call] = plan?.calls ?? [];
  assert.ok(plan && call);
  const told = (calls: Plan["calls"]): readonly unknown[] =>
    keptChanges(plan, { ...plan, calls }).map(({ relation, waiting }) => [relation, waiting]);
  const others = plan.calls.filter((one) => one !== call);
  const waits = [["other", { is: "calls", name: call.name }]];
  assert.deepEqual(told(others), waits);
  const type = { type: { kind: "boolean" }, orNull: false, orAbsent: false } as const;
  const more = { ...call, given: [...call.given, { name: "more", type }] };
  assert.deepEqual(told([more, ...others]), waits);
  const less = { ...call, given: [] };
  assert.deepEqual(told([less, ...others]), call.given.length === 0 ? [] : waits);
  const kind = { is: "stated", id: call.id, value: "pure" } as const;
  const effect = { is: "stated", id: call.id, value: "effect" } as const;
  const [pure, acts] = [
    { ...call, kind },
    { ...call, kind: effect },
  ];
  const changed = keptChanges({ ...plan, calls: [pure] }, { ...plan, calls: [acts] });
  assert.equal(changed.length, 1);
});

test("an event that a stream told and that is gone is said", () => {
  const [, plan] =
    plans.find(([, { events }]) =>
      events.some(({ sentTo }) => sentTo.is === "stated" && sentTo.value[0]?.to === "stream"),
    ) ?? [];
  assert.ok(plan);
  const [change] = keptChanges(plan, { ...plan, events: [] });
  assert.deepEqual([change?.relation, change?.subject.is], ["wider", "event"]);
});
