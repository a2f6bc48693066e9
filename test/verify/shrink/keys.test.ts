/** Idempotency keys of requests that are made again: others each time, or they were used. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "../../../src/serve/index.ts";
import { Session } from "../../../src/verify/session.ts";
import { namedRequests } from "../../../src/verify/shrink/named.ts";
import { Client, nowMicros } from "../../../src/verify/talk/client.ts";
import type { Request } from "../../../src/verify/world/message.ts";
import { compiled, documentOf, toldOf } from "../clauses/trial.ts";

const TAG = "v12345678";
const JSON_TYPE = ["Content-Type", "application/json"] as const;

/** Orders under these keys, one after the other, as they are named; undefined: no key was sent. */
async function namedUnder(keys: readonly string[]): Promise<readonly (string | undefined)[]> {
  const document = documentOf("orders");
  const found = compiled(document.text);
  assert.ok(found !== undefined);
  const { plan, occurring } = found;
  const { settings, rows } = document;
  const running = await serve(plan, {
    ...{ memory: true, inline: true, standIns: true, settings },
    ...(rows === undefined ? {} : { startRows: rows }),
  });
  try {
    const told = toldOf(document, plan);
    const given = { settings: told.settings, given: told.rows, occurring, now: nowMicros() };
    const session = new Session(plan, { tag: TAG, ...given });
    const client = new Client(new URL(running.address));
    const ask = async (request: Request): Promise<string> => {
      const answer = await client.ask(request);
      session.judged(request, answer);
      return answer.body ?? "";
    };
    const account = { method: "POST", target: "/v1/accounts", headers: [JSON_TYPE] };
    const opened = await ask({ ...account, body: `{"name":"${TAG} Ada"}` });
    const { key } = JSON.parse(opened) as { readonly key: string };
    for (const used of keys) {
      const lines = [{ sku: "TEA-100", quantity: 3, unitPrice: 4.5 }];
      const body = JSON.stringify({ currency: "EUR", lines });
      const headers = [JSON_TYPE, ["Authorization", `Bearer ${key}`], ["Idempotency-Key", used]];
      await ask({ method: "POST", target: "/v1/orders", headers: headers as never, body });
    }
    const { requests, originals } = namedRequests(session, TAG);
    assert.equal(requests.length, 1 + keys.length);
    return requests.slice(1).map(({ request }) => {
      const [, sent] = request.headers.find(([name]) => name === "Idempotency-Key") ?? [];
      const [, name = ""] = /^\{\{(new\d+)\}\}$/.exec(sent ?? "") ?? [];
      return originals.has(name) ? `as ${originals.get(name)}` : sent;
    });
  } finally {
    await running.stop();
  }
}

test("a key without the letters of the run is another one each time, the same where it was", async () => {
  assert.deepEqual(await namedUnder(["k", `${TAG}k`, "k", "first"]), [
    "as k",
    "{{tag}}k",
    "as k",
    "as first",
  ]);
});

test("a key that is refused is sent as it is", async () => {
  const long = "k".repeat(256);
  assert.deepEqual(await namedUnder([long]), [long]);
});
