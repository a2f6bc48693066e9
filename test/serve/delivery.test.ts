/** Webhooks: what is sent, when it is tried again, what follows, and where nothing is sent. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { isInside, placeOf } from "../../src/serve/client/address.ts";
import { movableClock } from "../../src/serve/index.ts";
import {
  bells,
  eventually,
  hook,
  isEnabled,
  post,
  quiet,
  SECOND,
  SECRET,
  START,
  started,
} from "./bells.ts";
import { receiver } from "./receiver.ts";

for (const inline of [true, false]) {
  test(`served: headings/webhook, bullets/webhook/receivers, bullets/webhook/address, bullets/webhook/sent as, bullets/webhook/signature, bullets/webhook/guarantee=at least once, bullets/webhook/order of arrival/none: what was committed is sent and signed, nothing else (${inline})`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-hooks-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const there = await receiver(t);
    const { address } = await started(t, bells(), { file: join(folder, "a.sqlite"), inline });
    assert.equal(await post(address, "/hooks", hook("a", `${there.address}/a?x=1`)), 201);
    assert.equal(await post(address, "/bells", { name: "cracked" }), 422);
    assert.equal(await post(address, "/bells", { name: "secret" }), 201);
    assert.equal(await post(address, "/bells", { name: "b" }), 201);
    const [one] = await there.until(1);
    assert.ok(one);
    assert.equal(one.path, "/a?x=1");
    assert.equal(one.headers["content-type"], "application/json");
    const headers = one.headers as Record<string, string>;
    // The library compares times with its own clock.
    t.mock.timers.enable({ apis: ["Date"], now: Number(START / 1000n) });
    const message = new Webhook(SECRET).verify(one.body, headers) as Record<string, unknown>;
    assert.throws(() => new Webhook(SECRET).verify(`${one.body} `, headers));
    t.mock.timers.reset();
    assert.deepEqual(Object.keys(message), ["type", "sentAt", "id", "data"]);
    assert.equal(message.type, "bell.made");
    assert.equal(message.id, headers["webhook-id"]);
    assert.equal(message.sentAt, "2027-01-15T08:00:00Z");
    assert.deepEqual(message.data, { name: "b", at: null, status: "quiet" });
    await quiet();
    assert.equal(there.got.length, 1);
  });
}

test("served: bullets/webhook/attempts, bullets/webhook/attempts[durations], bullets/webhook/after the last attempt: attempts are made when they are stated, then the step after the last", async (t) => {
  const there = await receiver(t);
  there.answer = () => 500;
  const { address, clock } = await started(t);
  await post(address, "/hooks", hook("a", there.address));
  await post(address, "/bells", { name: "b" });
  await there.until(1);
  await quiet();
  clock.move(4_999_999n);
  await quiet();
  assert.equal(there.got.length, 1);
  clock.move(1n);
  await there.until(2);
  await quiet();
  clock.move(10n * SECOND);
  await there.until(3);
  await eventually(async () => !(await isEnabled(address, "a")));
  const names = there.got.map((one) => one.headers["webhook-id"]);
  assert.equal(new Set(names).size, 1, "all attempts are of one message");
  clock.move(1_000n * SECOND);
  await quiet();
  assert.equal(there.got.length, 3);
});

test("served: bullets/webhook/answer: an answer with a step of its own ends the attempts", async (t) => {
  const there = await receiver(t);
  there.answer = () => 410;
  const { address, clock } = await started(t);
  await post(address, "/hooks", hook("a", there.address));
  await post(address, "/bells", { name: "b" });
  await eventually(async () => !(await isEnabled(address, "a")));
  clock.move(1_000n * SECOND);
  await quiet();
  assert.equal(there.got.length, 1);
});

test("one slow and one dead receiver delay no other", async (t) => {
  const there = await receiver(t);
  there.answer = ({ path }) => (path === "/slow" ? undefined : 204);
  const spec = bells({ "Delivered when": "any 2xx within 30 s" });
  const { address } = await started(t, spec, { bounds: { stopTimeoutMs: 100 } });
  await post(address, "/hooks", hook("slow", `${there.address}/slow`));
  await post(address, "/hooks", hook("dead", "http://127.0.0.1:1/"));
  await post(address, "/hooks", hook("well", `${there.address}/well`));
  const begin = performance.now();
  for (let i = 0; i < 20; i++) await post(address, "/bells", { name: `b${i}` });
  const all = await there.until(20, "/well");
  assert.ok(performance.now() - begin < 29_000, "all arrived before the slow one's time was over");
  assert.equal(new Set(all.map((one) => one.headers["webhook-id"])).size, 20);
  const slow = there.got.filter((one) => one.path === "/slow");
  assert.ok(slow.length >= 1 && slow.length <= 4, `${slow.length} under way`);
});

test("served: bullets/webhook/order of arrival: messages arrive in the order of their causes, where that is stated", async (t) => {
  const there = await receiver(t);
  let failing = true;
  there.answer = () => (failing ? 500 : 204);
  const spec = bells({ "Order of arrival": "as they happened" });
  const { address, clock } = await started(t, spec);
  await post(address, "/hooks", hook("a", there.address));
  for (let i = 0; i < 8; i++) await post(address, "/bells", { name: `b${i}` });
  await there.until(1);
  await quiet();
  assert.equal(there.got.length, 1, "the second waits for the first");
  failing = false;
  clock.move(5n * SECOND);
  const all = await there.until(9);
  const names = all.map((one) => (JSON.parse(one.body) as { data: { name: string } }).data.name);
  assert.deepEqual(names, ["b0", "b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7"]);
});

test("served: bullets/webhook/signature/none: what a timer emits is sent too", async (t) => {
  const there = await receiver(t);
  const { address, clock } = await started(t, bells({ Signature: "none" }));
  await post(address, "/hooks", hook("a", there.address));
  await post(address, "/bells", { name: "b", at: "2027-01-15T08:00:10Z" });
  await there.until(1);
  clock.move(10n * SECOND);
  const [, rung] = await there.until(2);
  const message = JSON.parse(rung?.body ?? "") as Record<string, unknown>;
  assert.deepEqual(
    { ...message, id: "" },
    {
      type: "bell.rung",
      sentAt: "2027-01-15T08:00:10Z",
      id: "",
      data: { name: "b", at: "2027-01-15T08:00:10.000000Z", status: "rung" },
    },
  );
  assert.equal(rung?.headers["webhook-signature"], undefined);
});

test("what was not delivered is delivered when the service runs again", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-hooks-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const there = await receiver(t);
  there.answer = () => 500;
  const first = await started(t, bells(), { file });
  await post(first.address, "/hooks", hook("a", there.address));
  await post(first.address, "/bells", { name: "b" });
  await there.until(1);
  await quiet();
  await first.stop();
  there.answer = () => 204;
  const clock = movableClock(START + 5n * SECOND);
  const again = await started(t, bells(), { file, clock });
  const [one, two] = await there.until(2);
  assert.equal(one?.headers["webhook-id"], two?.headers["webhook-id"]);
  assert.equal(await isEnabled(again.address, "a"), true);
});

test("served: bullets/webhook/guarantee=at most once: a message that may arrive but once is not sent again once it may have arrived", async (t) => {
  const there = await receiver(t);
  there.answer = () => 500;
  const { address } = await started(t, bells({ Guarantee: "at most once" }));
  await post(address, "/hooks", hook("a", there.address));
  await post(address, "/bells", { name: "b" });
  await eventually(async () => !(await isEnabled(address, "a")));
  assert.equal(there.got.length, 1);
});

test("nothing is sent into the host's own network", async (t) => {
  const there = await receiver(t);
  const spec = bells({ Attempts: "at once" });
  const { address } = await started(t, spec, { allowPrivateReceivers: false });
  await post(address, "/hooks", hook("a", there.address));
  await post(address, "/bells", { name: "b" });
  await eventually(async () => !(await isEnabled(address, "a")));
  assert.equal(there.got.length, 0);
});

test("addresses inside are known in every form", async () => {
  const inside = [
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fc00::1",
    "fd00:ec2::254",
    "::ffff:127.0.0.1",
    "::ffff:a00:1",
    "64:ff9b::a00:1",
    "2002:a00:1::",
    "2001::1",
    "ff02::1",
  ];
  for (const one of inside) assert.equal(isInside(one), true, one);
  const outside = ["8.8.8.8", "172.32.0.1", "192.169.0.1", "2606:4700::1111", "2a00:1450:4001::1"];
  for (const one of outside) assert.equal(isInside(one), false, one);
  const refused = [
    "http://2130706433/",
    "http://0x7f.1/",
    "http://127.1/",
    "http://[::1]:80/",
    "http://localhost/",
    "http://[::ffff:7f00:1]/",
    "ftp://8.8.8.8/",
    "no address",
  ];
  for (const one of refused)
    assert.equal(typeof (await placeOf(one, { allowPrivate: false })), "string", one);
});

test("a webhook that is not shown sends nothing, and the log says why", async (t) => {
  const there = await receiver(t);
  const { address, lines } = await started(t, bells({ Signature: "not shown" }));
  await post(address, "/hooks", hook("a", there.address));
  assert.equal(await post(address, "/bells", { name: "b" }), 201);
  await eventually(() => lines.some((line) => line.startsWith("gap: ")));
  assert.equal(there.got.length, 0);
});
