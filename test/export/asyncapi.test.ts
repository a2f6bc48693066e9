/** Files in AsyncAPI are as its official schema says, read back, and give their document back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { exporters, restore } from "../../src/export/index.ts";
import { described } from "../openapi/described.ts";
import { asyncapiSchema } from "./asyncapi-schema.ts";
import { documents } from "./documents.ts";
import { exportableOf } from "./exported.ts";

type Json = { readonly [name: string]: Json } & readonly Json[] & string;

const isValid = asyncapiSchema("3.0.0");
if (isValid === undefined) test("@asyncapi/specs: not found, skipped", { skip: true }, () => {});

function written(name: string, bytes: Uint8Array): Json {
  const text = exporters["asyncapi"]?.(exportableOf(name, bytes), { openapi: "3.1" });
  assert.ok(text !== undefined);
  return JSON.parse(text);
}

test("the official schema refuses what is none", () => {
  if (isValid === undefined) return;
  assert.ok(!isValid({ asyncapi: "3.0.0" }));
  assert.ok(!isValid({ asyncapi: "3.0.0", info: { title: "a", version: "b" }, channel: {} }));
});

for (const [name, bytes] of documents()) {
  test(`${name} as AsyncAPI is as its schema says, is read, and gives the same plan`, () => {
    const file = written(name, bytes);
    if (isValid !== undefined) {
      assert.ok(isValid(file), JSON.stringify(isValid.errors?.slice(0, 5), undefined, 1));
    }
    const { async: model, problems } = described(JSON.stringify(file));
    assert.deepEqual(problems(), []);
    const { plan } = exportableOf(name, bytes);
    assert.equal(model?.operations.length, plan.webhooks.length + plan.streams.length);
    const sent = plan.events.flatMap(({ sentTo }) => (sentTo.is === "stated" ? sentTo.value : []));
    const messages = model?.operations.flatMap((each) => each.messages) ?? [];
    assert.equal(messages.length, sent.length);
    for (const each of messages) assert.ok(each.payload, each.name);
    const text = restore(file);
    assert.ok(text !== undefined);
    assert.deepEqual(exportableOf(name, new TextEncoder().encode(text)).plan, plan);
  });
}

const root = new URL("../../", import.meta.url);
const exported = (name: string): Json => {
  const [, bytes] = documents().find(([file]) => file === name) ?? [];
  assert.ok(bytes, `${name} below ${root.pathname}`);
  return written(name, bytes);
};

test("a webhook says what it signs, how often it tries and what it guarantees, at their lines", () => {
  const file = exported("examples/stripe/spec.md");
  const hooks = file["operations"]?.["hooks"];
  assert.equal(hooks?.["x-lacuna-guarantee"]?.["text"], "at least once");
  assert.equal(hooks?.["x-lacuna-order"]?.["text"], "free");
  assert.match(hooks?.["x-lacuna-signature"]?.["text"] ?? "", /^HMAC-SHA256 in hex of /);
  assert.equal(typeof hooks?.["x-lacuna-signature"]?.["line"], "number");
  assert.equal(hooks?.["bindings"]?.["http"]?.["method"], "POST");
  const channel = file["channels"]?.["hooks"];
  assert.equal(channel?.["address"], null);
  const message = channel?.["messages"]?.["refund.created"];
  const headers = message?.["bindings"]?.["http"]?.["headers"]?.["properties"];
  assert.deepEqual(Object.keys(headers ?? {}), ["Stripe-Signature"]);
  assert.deepEqual(message?.["payload"]?.["allOf"]?.[1]?.["properties"], {
    data: {
      type: "object",
      properties: { object: { $ref: "#/components/schemas/Refund" } },
    },
    type: { const: "refund.created" },
  });
});

test("a stream has its path, and who may open it", () => {
  const file = exported("examples/bank/spec.md");
  assert.equal(file["channels"]?.["feed"]?.["address"], "/feed");
  const feed = file["operations"]?.["feed"];
  assert.equal(feed?.["bindings"]?.["http"]?.["method"], "GET");
  assert.deepEqual(feed?.["x-lacuna-who"], ["manager", "teller"]);
  assert.equal(feed?.["x-lacuna-resume"]?.["text"], "from `Last-Event-ID`, kept 24 h");
  assert.equal(feed?.["security"]?.length, 1);
});

test("no events is said; events that are not shown are no empty list", () => {
  const none = exported("examples/todo/spec.md");
  assert.deepEqual([none["channels"], none["operations"]], [{}, {}]);
  const hidden = exported("examples/blank/spec.md");
  assert.deepEqual([hidden["channels"], hidden["operations"]], [undefined, undefined]);
  const parts = hidden["x-lacuna-gaps"]?.map((each) => each["part"]);
  assert.ok(parts?.includes("Events" as Json));
});

const HIDDEN = `### \`hooks\`, a webhook

- Receivers: not shown
- Address: not shown
- Sent as: not shown
- Signature: not shown
- Delivered when: not shown
- Attempts: not shown
- After the last attempt: not shown
- Guarantee: not shown
- Order of arrival: not shown
`;

test("a gap of a webhook stays a gap, with its line", () => {
  const [, bytes] = documents().find(([file]) => file === "examples/orders/spec.md") ?? [];
  const text = new TextDecoder().decode(bytes).replace(/### `hooks`[^#]*/, `${HIDDEN}\n`);
  const file = written("orders", new TextEncoder().encode(text));
  const line = text.split("\n").indexOf("- Guarantee: not shown") + 1;
  const hooks = file["operations"]?.["hooks"];
  assert.equal(hooks?.["x-lacuna-guarantee"]?.["x-lacuna-gap"]?.["line"], line);
  assert.equal(hooks?.["bindings"], undefined);
  const message = file["channels"]?.["hooks"]?.["messages"]?.["order.paid"];
  assert.equal(message?.["payload"], undefined);
  assert.ok(message?.["x-lacuna-gap"]);
});
