/** The same seed asks a service that answers alike the same, however many were verified before. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { verify } from "../../src/verify/index.ts";
import { compiled, documentOf, tagOf } from "./clauses/trial.ts";

const REQUESTS = 30;

test("the same seed makes the same requests, and another one others", async (t) => {
  const judged = compiled(documentOf("todo").text);
  assert.ok(judged !== undefined);
  const service = createServer((asked, answer) => {
    asked.resume().on("end", () => answer.writeHead(404, { Date: "now" }).end());
  }).listen(0, "127.0.0.1");
  t.after(() => service.close());
  await once(service, "listening");
  const url = new URL(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  const asked = async (seed: number): Promise<readonly unknown[]> => {
    const bounds = { requestsMax: REQUESTS, secondsMax: 20, shrinkMax: 0, breaksMax: REQUESTS };
    const options = { seed, tag: tagOf(1), occurring: judged.occurring, ...bounds };
    const { session } = await verify(judged.plan, url, options);
    return session.exchanges.map(({ request }) => request);
  };
  const [first, second, other] = [await asked(1), await asked(1), await asked(2)];
  assert.equal(first.length, REQUESTS);
  assert.deepEqual(second, first);
  assert.notDeepEqual(other, first);
});
