/** Calls that no request waits for: of timed transitions, of deliveries, of answers themselves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { movableClock } from "../../../src/serve/index.ts";
import { receiver } from "../receiver.ts";
import { held, shop, until } from "./shop.ts";

const START = 1_800_000_000_000_000n;
const MINUTE = 60_000_000n;
const BOOK = { item: "book", total: 12.5 };

test("a timed transition calls, and is done when the answer is there", async (t) => {
  const gate = held<unknown>();
  const clock = movableClock(START);
  const one = await shop(t, { write: () => gate.promise }, { clock });
  const { json } = await one.post("/drafts", BOOK);
  const other = await one.post("/drafts", { ...BOOK, item: "pen" });
  clock.move(MINUTE);
  await until(() => one.made.length === 2);
  // It is not done yet, and delays no request and no other transition.
  assert.equal((await one.get(`/orders/${json.id}`)).json.state, "open");
  assert.equal((await one.post("/flags", { name: "x" })).status, 204);
  gate.give({ word: "written" });
  await until(async () => (await one.get(`/orders/${json.id}`)).json.state === "reminded");
  await until(async () => (await one.get(`/orders/${other.json.id}`)).json.state === "reminded");
  assert.equal((await one.get(`/orders/${json.id}`)).json.remindAt, null);
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.deepEqual(one.made.map(({ given }) => given.text).sort(), ["book", "pen"]);
});

test("a row that has moved on while its timed transition waits has the call undone", async (t) => {
  const gate = held<unknown>();
  const clock = movableClock(START);
  const one = await shop(
    t,
    { write: () => gate.promise },
    {
      clock,
      edit: (text) =>
        text
          .replace("- Undo: none\n- Stand-in: `written`", "- Undo: `erase`\n- Stand-in: `written`")
          .replace(
            "### `write`, a call",
            `### \`erase\`, a call

- Given \`text\`: string
- Kind: effect
- Same key: first answer again
- Time-out: none
- Undo: none
- Stand-in: \`erased\`

| Says | Data | Meaning |
|---|---|---|
| \`erased\` | none | it is as if never written |

### \`write\`, a call`,
          )
          .replace(
            "### `GET /orders/{id}`: one order",
            `### \`POST /orders/{id}/payment\`: pay

- Body: none
- Path \`id\`: \`order\`, the \`Order\` by \`id\`, else \`not_found\`

1. Fire \`pay\` on \`order\`.
2. Respond \`204\` with no body.

### \`GET /orders/{id}\`: one order`,
          ),
      code: {
        charge: () => null,
        refund: () => null,
        rate: () => null,
        send: () => null,
        write: ((_: never, { key }: { key: string }) => {
          made.push(`write ${key}`);
          return gate.promise;
        }) as never,
        erase: ((_: never, { undoes }: { undoes: string }) => {
          made.push(`erase ${undoes}`);
          return { word: "erased" };
        }) as never,
      },
    },
  );
  const made: string[] = [];
  const { json } = await one.post("/drafts", BOOK);
  clock.move(MINUTE);
  await until(() => made.length === 1);
  assert.equal((await one.post(`/orders/${json.id}/payment`)).status, 204);
  gate.give({ word: "written" });
  await until(() => made.length === 2);
  assert.equal(made[1], made[0]?.replace("write", "erase"));
  assert.equal((await one.get(`/orders/${json.id}`)).json.state, "paid");
});

const NOTICE = `## Events

| Event | About | Data | Sent to |
|---|---|---|---|
| \`order.made\` | \`Order\` | \`Order\` of \`it\` | webhook \`news\` |

Notifications: none.

### \`news\`, a webhook

- Receivers: each \`Flag\` where \`receiver.name != ""\`
- Address: \`receiver.name\`
- Sent as: \`POST\` with \`Notice\`
- Signature: none
- Delivered when: any 2xx within 1 s
- Attempts: at once
- After the last attempt: call \`write\` with \`text\` = \`receiver.name\`
- Guarantee: at least once
- Order of arrival: free

### \`Notice\`, a shape

| Field | Type | Value |
|---|---|---|
| \`data\` | json | \`data\` |
`;

test("steps after the last attempt of a delivery call", async (t) => {
  const there = await receiver(t);
  there.answer = () => 500;
  const one = await shop(
    t,
    {},
    {
      allowPrivateReceivers: true,
      edit: (text) =>
        text
          .replace(/## Events\n[^#]*/, `${NOTICE}\n`)
          .replace(
            "2. Set `order.remindAt`",
            "2. Emit `order.made` of `order`.\n3. Set `order.remindAt`",
          )
          .replace(
            "3. Respond `201` with `Order` of `order`.\n\n### `GET /ratings",
            "4. Respond `201` with `Order` of `order`.\n\n### `GET /ratings",
          )
          .replaceAll("1 to 40 characters", "1 to 80 characters"),
    },
  );
  await one.post("/flags", { name: there.address });
  assert.equal((await one.post("/drafts", BOOK)).status, 201);
  await until(() => one.names().includes("write"));
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.deepEqual(
    one.made.map(({ given }) => given.text),
    [there.address],
  );
  assert.equal(there.got.length, 1);
});

test("a transition that an answer has caused may call again", async (t) => {
  const one = await shop(
    t,
    {},
    {
      edit: (text) =>
        text.replace(
          "| none | set `it.parcel` = `said.parcel` |",
          "| none | set `it.parcel` = `said.parcel`; call `write` with `text` = `said.parcel` |",
        ),
    },
  );
  const { json } = await one.post("/orders", BOOK);
  await one.post(`/orders/${json.id}/parcel`);
  await until(async () => (await one.get(`/orders/${json.id}`)).json.state === "shipped");
  assert.deepEqual(one.names(), ["charge", "send", "write"]);
  assert.equal(one.made[2]?.given.text, "p1");
});

test("a long answer that is not as stated changes nothing, is told, and asked for again", async (t) => {
  let count = 0;
  const one = await shop(t, {
    send: () => (count++ < 2 ? { word: "sent" } : { word: "sent", parcel: "p2" }),
  });
  const { json } = await one.post("/orders", BOOK);
  await one.post(`/orders/${json.id}/parcel`);
  await until(() => one.log.some((line) => line.includes("`parcel` is absent")));
  assert.equal((await one.get(`/orders/${json.id}`)).json.state, "paid");
  await until(async () => (await one.get(`/orders/${json.id}`)).json.parcel === "p2");
});
