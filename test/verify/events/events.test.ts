/** Messages of a service are judged: of a right one nothing, of each fault the item that it breaks. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { plan as compile, occurrencesOf } from "../../../src/check/index.ts";
import { type Verified, verify } from "../../../src/verify/index.ts";
import { sampled } from "../../whole.ts";
import { checkedSpec } from "./checked.ts";
import { type Fault, service } from "./service.ts";

const planned = compile(checkedSpec);
assert.ok(planned !== undefined);
const { plan } = planned;

async function verified(fault?: Fault): Promise<Verified> {
  const served = await service(fault);
  try {
    return await verify(plan, served.url, {
      ...{ seed: 1, tag: "t7", requestsMax: 48, secondsMax: 300, patienceMs: 900 },
      ...{ shrinkMax: 0, breaksMax: 25 },
      occurring: occurrencesOf(checkedSpec.service),
    });
  } finally {
    await served.stop();
  }
}

const faults: readonly [Fault, item: string][] = [
  // One that is never over must not keep a run from ending.
  ["never gives up", "events/hooks/attempts"],
  ["wrong signature", "events/hooks/signature"],
  ["sends twice", "events/hooks/guarantee"],
  ["sends twice under two names", "events/hooks/guarantee"],
  ["out of order", "events/hooks/order of arrival"],
  ["sends nothing of what is ended", "events/note.ended"],
  ["wrong data", "events/note.made"],
  ["no signature", "events/hooks/signature"],
  ["wrong time of signature", "events/hooks/signature"],
  ["sends for what is refused", "events/note.made"],
  ["tries again at once", "events/hooks/attempts"],
  ["tries again late", "events/hooks/attempts"],
  ["never tries again", "events/hooks/attempts"],
  ["does not mind 410", "events/hooks/answer 410"],
  ["stays enabled", "events/hooks/after the last attempt"],
  ["takes late answers", "events/hooks/delivered when"],
  ["wrong method", "events/hooks/sent as"],
];

// Most of the time of a case is waiting.
describe("messages", { concurrency: 3 }, () => {
  test("of a right service nothing is broken, and what it states is held", async () => {
    const { session } = await verified();
    assert.deepEqual(
      session.breaks.map(({ items, differences }) => [items, differences]),
      [],
    );
    assert.deepEqual(
      session.eventBreaks.map(({ text }) => text),
      [],
    );
    const stated = ["receivers", "address", "sent as", "signature", "attempts", "delivered when"];
    const more = ["after the last attempt", "answer 410", "order of arrival"];
    for (const one of [...stated, ...more]) {
      assert.equal(session.verdicts.of(`events/hooks/${one}`).verdict, "held", one);
    }
  });

  for (const [fault, item] of sampled(faults, 17)) {
    test(`broken and named: ${fault}`, async () => {
      const { session } = await verified(fault);
      const named = session.eventBreaks.flatMap(({ items }) => items);
      const [changed] = fault === "stays enabled" ? session.breaks : [];
      if (changed === undefined) assert.ok(named.includes(item), JSON.stringify(named));
      else assert.equal(session.verdicts.of(item).verdict, "broken");
    });
  }
});
