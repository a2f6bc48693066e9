/** Which items are named for an answer that is wrong: each case edits one answer of a right shop. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Session } from "../../src/verify/session.ts";
import { Client, nowMicros } from "../../src/verify/talk/client.ts";
import type { Answer, Request } from "../../src/verify/world/message.ts";
import { exportableOf } from "../export/exported.ts";
import { running } from "./faults/shop.ts";

const { plan, occursAt } = exportableOf(join(import.meta.dirname, "faults", "shop.md"));

type Edit = (answer: Answer) => Answer;

const edited =
  (from: string | RegExp, to: string): Edit =>
  (answer) => ({ ...answer, body: answer.body?.replace(from, to) });

/** A shop that answers right, with a session that watches what becomes of its answers. */
class Watched {
  readonly session = new Session(plan, { tag: "named", occurring: occursAt, now: nowMicros() });
  readonly #client: Client;
  #key = "";

  constructor(address: string) {
    this.#client = new Client(new URL(address));
  }

  async send(method: string, target: string, sent: unknown, edit: Edit = (same) => same) {
    const headers: [string, string][] = [["Api-Version", "2"]];
    if (this.#key !== "") headers.push(["Authorization", `Bearer ${this.#key}`]);
    if (target === "/shop/orders") headers.push(["Idempotency-Key", "key-1"]);
    const body = sent === undefined ? undefined : JSON.stringify(sent);
    if (body !== undefined) headers.push(["Content-Type", "application/json"]);
    const request: Request = { method, target, headers, body };
    const whole = await this.#client.ask(request);
    const { body: text = "" } = whole;
    this.session.judged(request, edit(whole));
    return text === "" ? undefined : JSON.parse(text);
  }

  /** A shop with a product of which some are there. */
  async open() {
    const { key } = await this.send("POST", "/shop/shops", { shop: "named", name: "named" });
    this.#key = key;
    const made = { sku: "AA-1", title: "named", price: 2 };
    const { id } = await this.send("POST", "/shop/products", made);
    await this.send("PUT", `/shop/products/${id}/stock`, { stock: 9 });
    return id as string;
  }
}

let service: Awaited<ReturnType<typeof running>> | undefined;
before(async () => {
  service = await running([]);
});
after(() => service?.stop());

const STOCK = "endpoints/PUT /products/{id}/stock/step Set product.stock = body.stock";

const cases: Readonly<
  Record<string, readonly [act: (at: Watched, id: string) => Promise<unknown>, string[]]>
> = {
  "a field that a step sets": [
    (at, id) =>
      at.send("PUT", `/shop/products/${id}/stock`, { stock: 3 }, edited('"stock":3', '"stock":12')),
    ["resources/Product/stock", STOCK],
  ],
  "an answer that is not given again under its key": [
    async (at, id) => {
      await at.send("POST", "/shop/orders", { product: id, quantity: 1 });
      const other = edited(/"number":1/, '"number":2');
      await at.send("POST", "/shop/orders", { product: id, quantity: 1 }, other);
    },
    ["endpoints/POST /orders/same key and same body", "endpoints/POST /orders/idempotency key"],
  ],
  "a refusal by what did not hold": [
    (at, id) =>
      at.send("POST", "/shop/orders", { product: id, quantity: 1 }, (answer) => ({
        ...answer,
        status: 422,
        body: '{"error":"key_reused","message":"The key was used for another body","field":null}',
      })),
    ["endpoints/POST /orders/same key and other body/else", "endpoints/POST /orders/key per"],
  ],
  "a member of an error": [
    (at) => at.send("GET", "/shop/products/prd_nobody", undefined, edited("no such thing", "!")),
    ["errors/Problem/message"],
  ],
  "an error without a body": [
    (at) =>
      at.send("GET", "/shop/products/prd_nobody", undefined, (answer) => ({
        ...answer,
        body: undefined,
      })),
    ["errors/Problem"],
  ],
};

for (const [name, [act, items]] of Object.entries(cases)) {
  test(`named: ${name}`, async () => {
    const at = new Watched(service?.address ?? "");
    await act(at, await at.open());
    const { breaks } = at.session;
    assert.equal(breaks.length, 1, JSON.stringify(breaks.map(({ differences }) => differences)));
    const named: readonly string[] = breaks[0]?.items ?? [];
    assert.deepEqual(
      items.filter((one) => !named.includes(one)),
      [],
      named.join("\n"),
    );
  });
}
