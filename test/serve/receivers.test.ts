/** Receivers of webhooks that are slow, dead, hostile or many; faults of the service in between. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { Caller } from "../../src/serve/calls/caller.ts";
import { Courier } from "../../src/serve/delivery/courier.ts";
import { send } from "../../src/serve/delivery/send.ts";
import { movableClock } from "../../src/serve/index.ts";
import type { AskResult } from "../../src/serve/jobs/ask.ts";
import { machineMs } from "../../src/serve/jobs/deadlines.ts";
import type { Result, Sending } from "../../src/serve/jobs/job.ts";
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

/** A peer that answers each connection with bytes of its own, or keeps it open. */
async function peer(
  t: TestContext,
  bytes: string,
): Promise<{ address: string; count: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count++;
    socket.on("error", () => {});
    socket.once("data", () => socket.write(bytes));
    t.after(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}`, count: () => count };
}

const sending = (address: string, withinMs = 300): Sending => ({
  message: {
    number: 1,
    webhook: "hooks",
    receiver: 1,
    name: "msg_1",
    body: "{}",
    attempts: 0,
    due: 0n,
    event: "bell.made",
    sent: 0n,
  },
  method: "POST",
  address,
  contentType: "application/json",
  secret: SECRET,
  withinMs,
});

const options = { allowPrivate: true, signal: new AbortController().signal, now: START };

test("answers that are none count as none, and none outlives its time", async (t) => {
  const answers = [
    "",
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    "nonsense\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\n",
    `HTTP/1.1 204 No${"o".repeat(100_000)}`,
    `HTTP/1.1 200 OK\r\nX: ${"x".repeat(100_000)}\r\n\r\n`,
  ];
  for (const bytes of answers) {
    const { address } = await peer(t, bytes);
    const begin = performance.now();
    const result = await send(sending(address), options);
    assert.equal(result.status, undefined, bytes.slice(0, 40));
    assert.equal(result.arrived, true);
    assert.ok(performance.now() - begin < 1_000, bytes.slice(0, 40));
  }
  const endless = await peer(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n");
  assert.equal((await send(sending(endless.address), options)).status, 200);
});

test("a redirect is an answer like any other", async (t) => {
  const there = await receiver(t);
  const { address } = await peer(
    t,
    `HTTP/1.1 307 Go\r\nLocation: ${there.address}/\r\nContent-Length: 0\r\n\r\n`,
  );
  assert.equal((await send(sending(address), options)).status, 307);
  await quiet();
  assert.equal(there.got.length, 0);
});

test("a host is looked up once for an attempt, and what was judged is where it goes", async (t) => {
  const there = await receiver(t);
  const port = new URL(there.address).port;
  let asked = 0;
  const lookup = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "8.8.8.8", family: 4 }];
  const url = `http://hooks.example:${port}/a`;
  const result = await send(sending(url), { ...options, lookup });
  assert.deepEqual([result.status, asked], [204, 1]);
  assert.equal(there.got[0]?.headers.host, `hooks.example:${port}`);
  // A name that is outside when it is judged and inside when it is used again.
  asked = 0;
  const back = async () => [{ address: asked++ === 0 ? "198.51.100.1" : "127.0.0.1", family: 4 }];
  const refused = await send(sending(url), { ...options, allowPrivate: false, lookup: back });
  assert.deepEqual([refused.status, refused.arrived, asked], [undefined, false, 1]);
  const mixed = async () => [
    { address: "10.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ];
  const inside = await send(sending(url), { ...options, allowPrivate: false, lookup: mixed });
  assert.deepEqual([inside.status, inside.arrived], [undefined, false]);
  assert.equal(there.got.length, 1);
});

test("finding the receiver counts towards its time", async () => {
  const never = (): Promise<never> => new Promise(() => {});
  const begin = performance.now();
  const result = await send(sending("http://slow.example/", 100), { ...options, lookup: never });
  assert.deepEqual([result.status, result.arrived], [undefined, false]);
  assert.ok(performance.now() - begin < 1_000);
});

test("an address that cannot be used is a failed attempt, whatever it is", async () => {
  const many = [
    "",
    "http://",
    "mailto:a@b",
    "http://[::1",
    "http://a b/",
    "javascript:1",
    "http://\u0000/",
    "file:///etc/passwd",
    "http://127.0.0.1:0/",
    `http://${"a".repeat(300)}/`,
  ];
  for (const address of many) {
    const result = await send(sending(address), options);
    assert.deepEqual([result.status, result.arrived], [undefined, false], address);
  }
});

test("many slow receivers delay no other, and none has its messages twice", async (t) => {
  const there = await receiver(t);
  there.answer = ({ path }) => (path.startsWith("/slow") ? undefined : 204);
  const folder = mkdtempSync(join(tmpdir(), "lacuna-hooks-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const options = { file: join(folder, "a.sqlite"), bounds: { stopTimeoutMs: 100 } };
  const { address } = await started(
    t,
    bells({ Attempts: "at once", "Delivered when": "any 2xx within 60 s" }),
    options,
  );
  for (let i = 0; i < 150; i++) {
    await post(address, "/hooks", hook(`s${i}`, `${there.address}/slow${i}`));
  }
  await post(address, "/hooks", hook("well", `${there.address}/well`));
  for (let i = 0; i < 8; i++) await post(address, "/bells", { name: `b${i}` });
  // All of it comes before the time of the slow ones is over, which take every place they may.
  const well = await there.until(8, "/well");
  assert.equal(new Set(well.map((one) => one.headers["webhook-id"])).size, 8);
});

test("what steps after the attempts do is done once, and messages that wait go on", async (t) => {
  const there = await receiver(t);
  there.answer = () => 500;
  const { address, clock } = await started(t, bells({ Attempts: "at once, then after 5 s" }));
  await post(address, "/hooks", hook("a", there.address));
  for (let i = 0; i < 12; i++) await post(address, "/bells", { name: `b${i}` });
  await there.until(12);
  await quiet();
  clock.move(5n * SECOND);
  await there.until(24);
  await eventually(async () => !(await isEnabled(address, "a")));
  assert.equal(await post(address, "/bells", { name: "late" }), 201);
  clock.move(1_000n * SECOND);
  await quiet();
  assert.equal(there.got.length, 24, "nothing is sent to who no longer receives");
});

test("a receiver that is gone gets nothing more, and the others do", async (t) => {
  const there = await receiver(t);
  there.answer = ({ path }) => (path === "/a" ? 500 : 204);
  const { address, clock } = await started(t);
  await post(address, "/hooks", hook("a", `${there.address}/a`));
  for (let i = 0; i < 20; i++) await post(address, "/bells", { name: `b${i}` });
  await there.until(20, "/a");
  await quiet();
  const gone = await fetch(`${address}/hooks/a`, { method: "DELETE" });
  assert.equal(gone.status, 204);
  await post(address, "/hooks", hook("b", `${there.address}/b`));
  clock.move(5n * SECOND);
  await post(address, "/bells", { name: "last" });
  await there.until(1, "/b");
  await quiet();
  assert.equal(there.got.filter((one) => one.path === "/a").length, 20);
});

test("a service that stops between attempts makes those that are left", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-hooks-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const there = await receiver(t);
  there.answer = () => 500;
  const spec = bells({
    "Order of arrival": "as they happened",
    Attempts: "at once, then after 5 s",
  });
  for (let i = 0; i < 3; i++) {
    const clock = movableClock(START + BigInt(i) * 5n * SECOND);
    const running = await started(t, spec, { file, clock });
    if (i === 0) {
      await post(running.address, "/hooks", hook("a", there.address));
      for (const name of ["x", "y"]) await post(running.address, "/bells", { name });
    }
    await there.until(i === 0 ? 1 : i * 2 + (i === 1 ? 1 : 0));
    await quiet();
    await running.stop();
  }
  const names = there.got.map(
    (one) => (JSON.parse(one.body) as { data: { name: string } }).data.name,
  );
  // The first message takes two attempts, then the second one its own two.
  assert.deepEqual(names, ["x", "x", "y", "y"]);
});

test("attempts whose outcome cannot be kept are not made again and again", async () => {
  const clock = movableClock(START);
  const message = sending("").message;
  let [made, told, fails] = [0, 0, true];
  const courier = new Courier(
    {
      deliver: async (_, results, underWay) => {
        if (results.length > 0) {
          told++;
          assert.equal(results[0]?.message.number, message.number);
          if (fails) return { kept: false, sendings: [], due: undefined };
        }
        const sendings = underWay?.busy.length === 0 && fails ? [sending("mailto:nobody")] : [];
        made += sendings.length;
        return { kept: true, sendings, due: undefined };
      },
    },
    clock,
    { allowPrivate: true, most: 8 },
  );
  courier.wake();
  await quiet();
  assert.deepEqual([made, told], [1, 1]);
  clock.move(SECOND);
  await quiet();
  assert.deepEqual([made, told], [1, 2]);
  fails = false;
  clock.move(SECOND);
  await quiet();
  assert.deepEqual([made, told], [1, 3]);
  await courier.stop(1_000);
});

test("an attempt that comes when another node may have taken over is none", async (t) => {
  const there = await receiver(t);
  const results: (readonly Result[])[] = [];
  let untilMs = machineMs() - 1;
  const courier = new Courier(
    {
      deliver: async (_, ended, underWay) => {
        if (ended.length > 0) results.push(ended);
        const isNext = underWay?.busy.length === 0 && results.length < 2;
        const sendings = isNext ? [sending(there.address)] : [];
        if (results.length === 1) untilMs = machineMs() + 10_000;
        return { kept: true, sendings, due: undefined, untilMs };
      },
    },
    movableClock(START),
    { allowPrivate: true, most: 8 },
  );
  courier.wake();
  await there.until(1);
  await quiet();
  await courier.stop(1_000);
  const [first, second] = results.flat();
  assert.deepEqual([first?.isUnmade, first?.arrived], [true, false]);
  assert.equal(second?.isUnmade, undefined);
  assert.equal(there.got.length, 1);
});

test("a call that no request waits for is not begun when another node may have taken over", async () => {
  const made: string[] = [];
  const told: AskResult[] = [];
  const door = {
    ask: async ({ key }: { readonly key: string }) => {
      made.push(key);
      return { is: "said", text: '{"word":"done"}' } as const;
    },
    close: () => {},
  };
  const ask = (key: string, patient: boolean) => {
    return { key, call: "run", given: "{}", repeatable: true, patient };
  };
  const caller = new Caller({
    door,
    clock: movableClock(START),
    writer: {
      calls: async (_, asked) => {
        told.push(...asked);
        const asks = told.length === 0 ? [ask("own", false), ask("led", true)] : [];
        return { asks, due: undefined, untilMs: machineMs() - 1 };
      },
    },
  });
  caller.wake();
  await quiet();
  caller.stop();
  assert.deepEqual(made, ["own"]);
  assert.deepEqual(told.find(({ key }) => key === "led")?.told, { is: "later" });
});

test("a service that stops finishes the attempts that it began, and keeps what became of them", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-hooks-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.sqlite");
  const late = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => setTimeout(() => socket.end("HTTP/1.1 204 No Content\r\n\r\n"), 400));
  });
  await new Promise<void>((resolve) => late.listen(0, "127.0.0.1", resolve));
  t.after(() => late.close());
  let count = 0;
  late.on("connection", () => count++);
  const { port } = late.address() as AddressInfo;
  const spec = bells({ Guarantee: "at most once" });
  const first = await started(t, spec, { file });
  await post(first.address, "/hooks", hook("a", `http://127.0.0.1:${port}/`));
  for (const name of ["x", "y"]) await post(first.address, "/bells", { name });
  await eventually(() => count === 2);
  await first.stop();
  const again = await started(t, spec, { file });
  await quiet();
  assert.equal(count, 2);
  assert.equal(await isEnabled(again.address, "a"), true, "both have arrived");
});

test("a service that stops waits for no receiver longer than it may", async (t) => {
  const there = await receiver(t);
  there.answer = () => undefined;
  const { address, stop } = await started(t, bells(), { bounds: { stopTimeoutMs: 200 } });
  await post(address, "/hooks", hook("a", there.address));
  await post(address, "/bells", { name: "b" });
  await there.until(1);
  const begin = performance.now();
  await stop();
  assert.ok(performance.now() - begin < 900, "the attempt alone would have taken a second");
});

test("served: bullets/webhook/delivered when, bullets/webhook/guarantee/none, bullets/webhook/order of arrival/free: any 2xx in time is a delivery, and nothing else", async (t) => {
  const there = await receiver(t);
  const answers: Record<string, number | undefined> = {
    "/200": 200,
    "/299": 299,
    "/300": 300,
    "/404": 404,
    "/never": undefined,
  };
  there.answer = ({ path }) => answers[path];
  const spec = bells({
    Attempts: "at once",
    Guarantee: "none",
    "Order of arrival": "free",
    "Delivered when": "any 2xx within 200 ms",
  });
  const { address } = await started(t, spec);
  for (const path of Object.keys(answers)) {
    await post(address, "/hooks", hook(path.slice(1), `${there.address}${path}`));
  }
  await post(address, "/bells", { name: "b" });
  await there.until(5);
  for (const name of ["300", "404", "never"]) {
    await eventually(async () => !(await isEnabled(address, name)));
  }
  for (const name of ["200", "299"]) assert.equal(await isEnabled(address, name), true, name);
});
