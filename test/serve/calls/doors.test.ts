/** The ways to code: an address, a module in a thread; what happens when they fail. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { serve } from "../../../src/serve/index.ts";
import { example } from "../document.ts";
import { child } from "./process.ts";
import { client, shop, until } from "./shop.ts";
import { type Asked, web } from "./web.ts";

const BOOK = { item: "book", total: 12.5 };
const SETTLED = { word: "settled", reference: "r", fee: "0.10" };
const NAMES: Record<string, unknown> = {
  charge: SETTLED,
  refund: { word: "done" },
  rate: { word: "known", points: 3 },
  send: { word: "sent", parcel: "p1" },
  write: { word: "written" },
};
const LONG = (text: string): string => text.replace("- Time-out: 600 ms", "- Time-out: 60 s");

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-doors-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("an address is asked by POST, with the key in a header", async (t) => {
  const there = await web(t, ({ call }) => NAMES[call]);
  const one = await shop(t, {}, { code: `${there.address}/` });
  await one.post("/flags", { name: "closed" });
  assert.equal((await one.post("/orders", BOOK)).json.error, "closed");
  await until(() => there.asked.length === 2);
  const [charge, refund] = there.asked as [Asked, Asked];
  assert.deepEqual(charge.given, { amount: "12.50", order: "1" });
  assert.equal(charge.headers["content-type"], "application/json");
  assert.ok(charge.key.length > 10);
  assert.equal(refund.call, "refund");
  assert.equal(refund.undoes, charge.key);
});

test("served: bullets/call/same key=first answer again: an address that cannot be reached is asked again", async (t) => {
  const first = await web(t, () => undefined);
  await first.close();
  const one = await shop(t, {}, { code: first.address, edit: LONG });
  const waiting = one.post("/orders", BOOK);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const there = await web(
    t,
    ({ call }, response) => {
      if (there.asked.length > 2) return NAMES[call];
      response.statusCode = there.asked.length === 1 ? 503 : 500;
      response.end();
      return undefined;
    },
    first.port,
  );
  assert.equal((await waiting).status, 201);
  assert.equal(new Set(there.asked.map(({ key }) => key)).size, 1);
  assert.equal(there.asked.length, 3);
});

test("served: bullets/call/same key=done again: what may have arrived is not made again", async (t) => {
  const there = await web(t, ({ call }, response) => {
    if (call !== "charge") return NAMES[call];
    response.destroy();
    return undefined;
  });
  const one = await shop(
    t,
    {},
    { code: there.address, edit: (text) => LONG(text).replace("first answer again", "done again") },
  );
  const got = await one.post("/orders", BOOK);
  assert.equal(got.json.error, "unavailable");
  assert.equal(there.asked.filter(({ call }) => call === "charge").length, 1);
  await until(() => there.asked.some(({ call }) => call === "refund"));
});

test("a refusal of the address is a fault inside", async (t) => {
  const there = await web(t, ({ call }, response) => {
    if (call === "refund") return NAMES[call];
    response.statusCode = 404;
    response.end("{}");
    return undefined;
  });
  const one = await shop(t, {}, { code: there.address });
  assert.equal((await one.post("/orders", BOOK)).status, 500);
  assert.match(one.log.join("\n"), /the code answered 404/);
});

test("served: bullets/call/time-out/none: an undo that fails is made again until it is done", async (t) => {
  let failures = 0;
  const there = await web(t, ({ call }, response) => {
    if (call === "refund" && failures++ < 3) {
      response.statusCode = failures === 1 ? 500 : 400;
      response.end();
      return undefined;
    }
    return call === "charge" ? { word: "declined" } : NAMES[call];
  });
  const one = await shop(t, {}, { code: there.address });
  assert.equal((await one.post("/orders", BOOK)).status, 402);
  await until(() => there.asked.length === 5);
  assert.equal(new Set(there.asked.slice(1).map(({ key }) => key)).size, 1);
});

test("a long call is accepted by 202 and asked for again", async (t) => {
  const there = await web(t, ({ call }, response) => {
    if (call !== "send" || there.asked.filter((one) => one.call === "send").length > 2) {
      return NAMES[call];
    }
    response.statusCode = 202;
    response.end();
    return undefined;
  });
  const one = await shop(t, {}, { code: there.address });
  const { json } = await one.post("/orders", BOOK);
  await one.post(`/orders/${json.id}/parcel`);
  await until(async () => (await one.get(`/orders/${json.id}`)).json.state === "shipped");
  assert.equal((await one.get(`/orders/${json.id}`)).json.parcel, "p1");
});

function module(t: TestContext, text: string): string {
  const file = join(folderOf(t), "code.mjs");
  writeFileSync(file, text);
  return file;
}

const MODULE = `
export const refund = () => ({ word: "done" });
export const rate = () => ({ word: "known", points: 3 });
export const send = async () => ({ word: "sent", parcel: "p1" });
export const write = () => ({ word: "written" });
`;

test("a module is loaded into a thread of its own, and is not slow for others", async (t) => {
  const code = module(
    t,
    `${MODULE}
    export function charge({ amount }) {
      const end = Date.now() + 500;
      while (Date.now() < end);
      return { word: "settled", reference: amount, fee: 0 };
    }`,
  );
  const one = await shop(t, {}, { code, edit: LONG });
  const waiting = one.post("/orders", BOOK);
  await new Promise((resolve) => setTimeout(resolve, 100));
  const beginMs = performance.now();
  assert.equal((await one.post("/flags", { name: "x" })).status, 204);
  assert.ok(performance.now() - beginMs < 300);
  assert.equal((await waiting).json.payment, "12.50");
});

test("code that ends its thread is started again, and the call made again", async (t) => {
  const mark = join(folderOf(t), "mark");
  const code = module(
    t,
    `${MODULE}
    import { existsSync, writeFileSync } from "node:fs";
    export async function charge() {
      if (!existsSync(${JSON.stringify(mark)})) {
        writeFileSync(${JSON.stringify(mark)}, "");
        Promise.reject(new Error("nobody waits for this"));
        await new Promise(() => {});
      }
      return { word: "settled", reference: "again", fee: 0 };
    }`,
  );
  const one = await shop(t, {}, { code, edit: LONG });
  assert.equal((await one.post("/orders", BOOK)).json.payment, "again");
  assert.match(one.log.join("\n"), /the code has ended: .*nobody waits/);
});

test("a module that cannot be loaded, or lacks a function, is not served", async (t) => {
  await assert.rejects(shop(t, {}, { code: "/nowhere/code.mjs" }), /There is no file/);
  const code = module(t, MODULE);
  await assert.rejects(shop(t, {}, { code }), /no function `charge`/);
  const one = await shop(t, {}, { code, standIns: true });
  assert.equal((await one.get("/ratings/x")).text, '{"points":3}');
});

test("killed between the call and the commit, the service undoes the call when it is back", async (t) => {
  const file = join(folderOf(t), "shop.sqlite");
  const there = await web(t, ({ call }) => (call === "charge" ? undefined : NAMES[call]));
  const first = await child(t, file, there.address);
  const lost = client(first.address)
    .post("/orders", BOOK)
    .catch(() => "lost");
  await until(() => there.asked.length === 1);
  first.process.kill("SIGKILL");
  assert.equal(await lost, "lost");
  there.answer = ({ call }) => NAMES[call];
  const second = await child(t, file, there.address);
  await until(() => there.asked.length === 2);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.deepEqual(
    there.asked.map(({ call, undoes }) => [call, undoes]),
    [
      ["charge", undefined],
      ["refund", there.asked[0]?.key],
    ],
  );
  // And nothing of the order is there, but a new one can be made.
  const got = await client(second.address).post("/orders", BOOK);
  assert.equal(got.json.number, 1);
});

test("killed while an undo is made, the service makes it again with its key", async (t) => {
  const file = join(folderOf(t), "shop.sqlite");
  const there = await web(t, ({ call }) => (call === "charge" ? { word: "declined" } : undefined));
  const first = await child(t, file, there.address);
  assert.equal((await client(first.address).post("/orders", BOOK)).status, 402);
  await until(() => there.asked.length === 2);
  first.process.kill("SIGKILL");
  there.answer = ({ call }) => NAMES[call];
  await child(t, file, there.address);
  await until(() => there.asked.length === 3);
  assert.deepEqual(
    there.asked.map(({ call }) => call),
    ["charge", "refund", "refund"],
  );
  assert.equal(there.asked[1]?.key, there.asked[2]?.key);
});

test("killed while a long call waits, the service makes it again and takes the answer", async (t) => {
  const file = join(folderOf(t), "shop.sqlite");
  const there = await web(t, ({ call }) => (call === "send" ? undefined : NAMES[call]));
  const first = await child(t, file, there.address);
  const { json } = await client(first.address).post("/orders", BOOK);
  await client(first.address).post(`/orders/${json.id}/parcel`);
  await until(() => there.asked.length === 2);
  first.process.kill("SIGKILL");
  there.answer = ({ call }) => NAMES[call];
  const { get } = client((await child(t, file, there.address)).address);
  await until(async () => (await get(`/orders/${json.id}`)).json.state === "shipped");
  const sends = there.asked.filter(({ call }) => call === "send");
  assert.equal(new Set(sends.map(({ key }) => key)).size, 1);
});

test("the code of the example of payments does what its document says", async (t) => {
  const { plan } = example("payments");
  const code = fileURLToPath(new URL("../../../examples/payments/calls.mjs", import.meta.url));
  const running = await serve(plan, { memory: true, code, environment: {} });
  t.after(() => running.stop());
  const { get, post } = client(running.address);
  const { status, json } = await post("/orders", { item: "organ" });
  assert.equal(status, 201);
  assert.equal(json.payment, "pay-1");
  assert.equal((await post("/orders", { item: "organ" })).json.error, "sold_out");
  await post(`/orders/${json.id}/parcel`);
  await until(async () => (await get(`/orders/${json.id}`)).json.status === "arrived");
  assert.equal((await get(`/orders/${json.id}`)).json.parcel, "organ-1");
});
