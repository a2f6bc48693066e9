/** Streams about one row: who may open them, what is seen there, and when they end. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { movableClock, serve } from "../../src/serve/index.ts";
import { document as passages } from "../run/document.ts";
import { document } from "./document.ts";
import { listen, pause } from "./listen.ts";

const SECOND = 1_000_000n;
const START = 1_800_000_000n * SECOND;

/** Orders that are noted upon, closed and deleted; a stream for each. */
function orders(
  bullets: Partial<Record<string, string>> = {},
  { unique = "unique", rows = "" } = {},
) {
  const said = {
    "Path `name`": "the `Order` as `order` where `!it.hidden`, else `gone`",
    Sees: "`it == order && (!it.quiet || order.loud)`",
    Resume: "from `Last-Event-ID`, kept 1 h",
    Ends: "after `order.closed`, at the latest after 1 h",
    ...bullets,
  };
  return document(
    passages({
      about: "- One request: all or nothing, as if alone",
      resources: `### \`Person\`, many \`people\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; unique, else \`taken\` |
| \`secret\` | secret | required | no | no | kept as SHA-256 |

### \`Order\`, many \`orders\`
${rows}
| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`name\` | string | required | no | yes | key; ${unique}, else \`taken\` |
| \`hidden\` | boolean | no | optional | yes | starts \`false\` |
| \`loud\` | boolean | no | optional | yes | starts \`false\` |
| \`quiet\` | boolean | no | optional | yes | starts \`false\` |`,
      states: "- No states: `Person`, `Order`",
      every: "- Who: none\n\n1. Check the inputs.\n2. Check the paths.",
      endpoints: `### \`POST /people\`

- Body: new \`Person\`

1. Create a \`Person\` as \`person\` from \`body\`.
2. Respond \`204\` with no body.

### \`POST /orders\`

- Body: new \`Order\`

1. Create an \`Order\` as \`order\` from \`body\`.
2. Respond \`204\` with no body.

### \`PATCH /orders/{name}\`

- Path \`name\`: \`order\`, the \`Order\` by \`name\`, else \`gone\`
- Body: changed \`Order\`

1. Set \`order\` from \`body\`, given members only.
2. Emit \`order.changed\` of \`order\`.
3. Respond \`204\` with no body.

### \`POST /orders/{name}/close\`

- Path \`name\`: \`order\`, the \`Order\` by \`name\`, else \`gone\`
- Body: none

1. Emit \`order.closed\` of \`order\`.
2. Respond \`204\` with no body.

### \`DELETE /orders/{name}\`

- Path \`name\`: \`order\`, the \`Order\` by \`name\`, else \`gone\`

1. Emit \`order.changed\` of \`order\`.
2. Delete \`order\`.
3. Respond \`204\` with no body.`,
      events: `| Event | About | Data | Sent to |
|---|---|---|---|
| \`order.changed\` | \`Order\` | \`Order\` of \`it\` | stream \`order\` |
| \`order.closed\` | \`Order\` | none | stream \`order\` |

### \`order\`, a stream

- Path: \`GET /orders/{name}/stream\`
- Who: \`anybody\` or \`person\`
${Object.entries(said)
  .map(([key, value]) => `- ${key}: ${value}`)
  .join("\n")}`,
      authentication: `| Actor | Holds when |
|---|---|
| \`anybody\` | always |
| \`person\` | \`true\` |

### \`key\`, a scheme

- Sent in: header \`X-Key\`, form \`{credential}\`
- Credential: opaque
- Caller: the \`Person\` where \`password_matches(it.secret, credential)\`, else \`gone\`
- Revocation: by the Caller condition`,
      failures:
        "| unknown method | `gone` |\n| no credentials | `gone` |\n| bad credentials | `gone` |\n" +
        "| not permitted | `gone` |",
    }),
  );
}

async function started(t: TestContext, spec = orders(), isKept = false) {
  const clock = movableClock(START);
  const folder = mkdtempSync(join(tmpdir(), "lacuna-rows-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const where = isKept ? { file: join(folder, "a.sqlite") } : { memory: true };
  const running = await serve(spec.plan, { clock, ...where });
  t.after(() => running.stop());
  const send = async (method: string, path: string, body?: object): Promise<number> => {
    const headers = { "Content-Type": "application/json" };
    const content = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    return (await fetch(`${running.address}${path}`, { method, ...content })).status;
  };
  for (const name of ["a", "b"]) assert.equal(await send("POST", "/orders", { name }), 204);
  const open = async (name: string, headers: Record<string, string> = {}) => {
    const one = listen(t, running.address, headers, `/orders/${name}/stream`);
    await one.opened;
    return one;
  };
  return { ...running, clock, send, open };
}

for (const isKept of [false, true]) {
  test(`served: bullets/stream/path, bullets/stream/path as, bullets/stream/ends after, bullets/stream/ends after[time]: a stream tells of its row, and ends behind the stated event (${isKept})`, async (t) => {
    for (const by of [
      "the `Order` as `order`, else `gone`",
      "`order`, the `Order` by `name`, else `gone`",
    ]) {
      const { send, open, clock } = await started(t, orders({ "Path `name`": by }), isKept);
      assert.equal(await send("GET", "/orders/c/stream"), 404);
      const [a, b] = [await open("a"), await open("b")];
      await send("PATCH", "/orders/a", { quiet: true });
      await send("PATCH", "/orders/a", { loud: true });
      await send("PATCH", "/orders/b", { loud: true });
      await send("POST", "/orders/a/close");
      await send("PATCH", "/orders/a", { quiet: false });
      await a.reading;
      assert.ok(a.ended);
      assert.deepEqual(a.heard.map(({ event }) => event).slice(-2), [
        ...["order.changed", "order.closed"],
      ]);
      assert.ok(a.heard.every(({ data }) => !data.includes('"b"')));
      await b.until(1);
      await pause();
      assert.equal(b.ended, false);
      clock.move(3_600n * SECOND);
      await b.reading;
      assert.ok(b.ended);
      const last = a.heard.at(-1)?.id ?? "";
      const again = await open("a", { "Last-Event-ID": last });
      assert.equal((await again.opened).status, 204, "there is nothing more to come");
      const before = await open("a", { "Last-Event-ID": a.heard[0]?.id ?? "" });
      await before.reading;
      assert.equal(before.heard.at(-1)?.event, "order.closed");
    }
  });
}

for (const what of ["the condition of its path", "`Rows`"] as const) {
  test(`a stream ends when a row is made by which ${what} hides what it is about`, async (t) => {
    const hides = "`!people.exists(p, p.name == it.name)`";
    const isPath = what !== "`Rows`";
    const { send, open } = await started(
      t,
      orders(
        {
          "Path `name`": `the \`Order\` as \`order\`${isPath ? ` where ${hides}` : ""}, else \`gone\``,
          Sees: "`it == order`",
        },
        {
          rows: isPath ? "" : `\n- Rows: only those where ${hides}; any other is as if not there\n`,
        },
      ),
    );
    assert.equal(await send("POST", "/people", { name: "z", secret: "z" }), 204);
    const [a, b] = [await open("a", { "X-Key": "z" }), await open("b", { "X-Key": "z" })];
    assert.equal(await send("POST", "/people", { name: "a", secret: "a" }), 204);
    await a.reading;
    assert.ok(a.ended);
    await pause();
    assert.equal(b.ended, false);
  });
}

test("a stream whose row is deleted sends what happened to it, and ends", async (t) => {
  const { send, open } = await started(t);
  const [a, b] = [await open("a"), await open("b")];
  await send("DELETE", "/orders/a");
  await a.reading;
  assert.ok(a.ended);
  assert.deepEqual(
    a.heard.map(({ event }) => event),
    ["order.changed"],
  );
  await pause();
  assert.equal(b.ended, false);
  assert.equal(await send("GET", "/orders/a/stream"), 404);
});

test("served: bullets/stream/path[where], bullets/stream/path as[where]: a stream ends when its row is no longer one that the path names", async (t) => {
  for (const by of [
    "the `Order` as `order` where `!it.hidden`, else `gone`",
    "`order`, the `Order` by `name` where `!it.hidden`, else `gone`",
  ]) {
    const { send, open } = await started(t, orders({ "Path `name`": by }));
    const a = await open("a");
    await send("PATCH", "/orders/a", { hidden: true });
    await a.reading;
    assert.ok(a.ended);
    assert.deepEqual(a.heard, []);
  }
});

test("served: bullets/stream/path=in any case, bullets/stream/path as=in any case: a stream about a row whose name is looked up in any case", async (t) => {
  for (const by of [
    "the `Order` as `order` in any case, else `gone`",
    "`order`, the `Order` by `name` in any case, else `gone`",
  ]) {
    const { send, open } = await started(
      t,
      orders({ "Path `name`": by }, { unique: "unique in any case" }),
    );
    assert.equal(await send("GET", "/orders/C/stream"), 404);
    const a = await open("A");
    await send("PATCH", "/orders/a", { loud: true });
    await a.until(1);
    assert.equal(a.heard[0]?.event, "order.changed");
  }
});

test("served: bullets/stream/heartbeat: a comment is sent where nothing was for so long", async (t) => {
  const { send, open, clock } = await started(t, orders({ Heartbeat: "every 15 s" }));
  const a = await open("a");
  clock.move(10n * SECOND);
  await send("PATCH", "/orders/a", { loud: true });
  await a.until(1);
  clock.move(14n * SECOND);
  await pause();
  assert.equal(a.beats, 0);
  clock.move(SECOND);
  for (let i = 0; i < 100 && a.beats < 1; i++) await pause(20);
  clock.move(15n * SECOND);
  for (let i = 0; i < 100 && a.beats < 2; i++) await pause(20);
  assert.equal(a.beats, 2);
  assert.equal(a.heard.length, 1);
});

test("served: bullets/stream/heartbeat/none: without one nothing is sent", async (t) => {
  const { open, clock } = await started(t, orders({ Heartbeat: "none" }));
  const a = await open("a");
  clock.move(600n * SECOND);
  await pause();
  assert.equal(a.beats, 0);
});

test("what is not shown of a stream keeps it shut", async (t) => {
  const hidden = [
    { "Path `name`": "not shown" },
    { Heartbeat: "not shown" },
    { Ends: "not shown" },
  ];
  for (const one of hidden) {
    const { send } = await started(t, orders({ Sees: "`it.name == path.name`", ...one }));
    assert.equal(await send("GET", "/orders/a/stream"), 501, JSON.stringify(one));
  }
});
