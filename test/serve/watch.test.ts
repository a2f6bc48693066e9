/** What an operator sees of a service: its port, its figures, its log, whose a request is. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { movableClock, type Running, serve } from "../../src/serve/index.ts";
import { readinessOf } from "../../src/serve/watch/health.ts";
import { openTraces } from "../../src/serve/watch/traces.ts";
import { document } from "../run/document.ts";
import { planOf } from "../run/service.ts";

const plan = planOf(
  document({
    resources: `### \`Thing\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |`,
    states: "- No states: `Thing`",
    every: "- Who: none\n\n1. Check the limits.\n2. Check the inputs.\n3. Check the paths.",
    endpoints: `### \`GET /things/{id}\`: look

- Path \`id\`: \`thing\`, the \`Thing\` by \`id\`, else \`gone\`

1. Respond \`200\` with \`Thing\` of \`thing\`.

### \`GET /holes\`: look into a gap

1. When \`1 == 1\`, not shown.
2. Respond \`204\` with no body.`,
    limits: `- Sent with every answer: none

| Limit | Counts | Per | Amount | Window | When passed |
|---|---|---|---|---|---|
| \`pace\` | requests | address | 3 | 1 min, sliding | \`refused\` |`,
  }),
);

interface Line extends Readonly<Record<string, unknown>> {
  readonly event: string;
}

const lines: Line[] = [];
let service: Running;

before(async () => {
  service = await serve(plan, {
    memory: true,
    clock: movableClock(1_800_000_000_000_000n),
    admin: { host: "127.0.0.1", port: 0, version: "9.9.9" },
    log: (line) => void lines.push(JSON.parse(line)),
    logAs: "json",
    trustProxy: ["127.0.0.1"],
    linesLost: () => 4,
  });
});
after(() => service.stop());

async function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  const answer = await fetch(url, { headers });
  await answer.clone().arrayBuffer();
  return answer;
}
const ask = (path: string, headers?: Record<string, string>): Promise<Response> =>
  get(`${service.address}${path}`, headers);
const look = (path: string): Promise<Response> => get(`${service.admin}${path}`);

async function figure(name: string): Promise<string[]> {
  const text = await (await look("/metrics")).text();
  return text.split("\n").filter((one) => one.startsWith(name));
}

test("the port says that it lives, is ready, which version it is, and what is there", async () => {
  assert.deepEqual(await (await look("/live")).json(), { live: true });
  const ready = await look("/ready");
  assert.equal(ready.status, 200);
  assert.equal(((await ready.json()) as { ready: boolean }).ready, true);
  const version = (await (await look("/version")).json()) as Record<string, unknown>;
  assert.deepEqual([version["version"], version["title"]], ["9.9.9", plan.title]);
  assert.equal((await look("/nothing")).status, 404);
  assert.equal((await look("/__proto__")).status, 404);
  const posted = await fetch(`${service.admin}/live`, { method: "POST" });
  assert.deepEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD"]);
});

test("a line of the log and the figures name the endpoint, never what a stranger wrote", async () => {
  lines.length = 0;
  const via = { "X-Forwarded-For": "203.0.113.1", "X-Request-Id": "abc-1" };
  assert.equal((await ask("/things/s3cret", via)).status, 404);
  assert.equal((await ask("/s3cret", { ...via, "X-Request-Id": "a b" })).status, 501);
  const [found, lost] = lines;
  assert.equal(found?.["id"], "abc-1");
  assert.match(String(lost?.["id"]), /^[0-9a-f]{12}-/);
  assert.deepEqual(
    [found?.["endpoint"], found?.["status"], found?.["address"], found?.["level"]],
    ["GET /things/{id}", 404, "203.0.113.1", "info"],
  );
  assert.equal(lost?.["endpoint"], null);
  assert.equal(typeof found?.["ms"], "number");
  assert.ok(!Number.isNaN(Date.parse(String(found?.["time"]))));
  const text = await (await look("/metrics")).text();
  assert.doesNotMatch(JSON.stringify(lines) + text, /s3cret/);
  assert.deepEqual(await figure('lacuna_requests_total{endpoint="GET /things/{id}"'), [
    'lacuna_requests_total{endpoint="GET /things/{id}",method="GET",status="404"} 1',
  ]);
});

test("a gap that was met is in the log once, and is counted by its line", async () => {
  lines.length = 0;
  assert.equal((await ask("/holes", { "X-Forwarded-For": "203.0.113.2" })).status, 501);
  assert.equal(lines.length, 1);
  assert.deepEqual([lines[0]?.event, lines[0]?.["level"]], ["request", "warn"]);
  const gap = String(lines[0]?.["gap"]);
  const gaps = (await (await look("/gaps")).json()) as { id: string; met: number }[];
  assert.equal(gaps.find(({ id }) => id === gap)?.met, 1);
  assert.equal(gaps.length, plan.gaps.length);
  assert.deepEqual(await figure("lacuna_gaps_open"), [`lacuna_gaps_open ${plan.gaps.length}`]);
  const met = (await figure("lacuna_gaps_met_total")).filter((one) => one.endsWith(" 1"));
  assert.ok(met.some((one) => one.includes(`gap="${gap}"`)));
  assert.deepEqual(await figure("lacuna_log_lines_lost"), ["lacuna_log_lines_lost 4"]);
});

test("a limit per address counts clients behind a trusted proxy apart", async () => {
  const from = async (address: string): Promise<number> =>
    (await ask("/things/x", { "X-Forwarded-For": address })).status;
  const many = await Promise.all([1, 2, 3, 4].map(() => from("203.0.113.9")));
  assert.deepEqual(many.toSorted(), [404, 404, 404, 422]);
  assert.equal(await from("203.0.113.10"), 404);
  // What the client writes before the proxy's own word changes nothing.
  assert.equal(await from("203.0.113.77, 203.0.113.9"), 422);
});

test("it is not ready where its disk, its writer or its clock is not", async () => {
  const well = {
    file: undefined,
    freeBytesMin: 1,
    waitingMax: 10,
    waiting: () => 0,
    store: async () => ({ messages: 0, messagesLate: 0, timersLate: 0 }),
    drift: () => 0n,
    stopping: () => false,
  };
  const failing = async (change: Partial<Parameters<typeof readinessOf>[0]>): Promise<string[]> => {
    const { ready, checks } = await readinessOf({ ...well, ...change });
    const wrong = Object.entries(checks).filter(([, { ok }]) => !ok);
    assert.equal(ready, wrong.length === 0);
    return wrong.map(([name]) => name);
  };
  assert.deepEqual(await failing({}), []);
  assert.deepEqual(await failing({ file: "/tmp/x.sqlite" }), []);
  assert.deepEqual(await failing({ file: "/tmp/x.sqlite", freeBytesMin: 2 ** 60 }), ["disk"]);
  assert.deepEqual(await failing({ file: "/no/such/folder/x.sqlite" }), ["disk"]);
  assert.deepEqual(await failing({ store: async () => undefined }), ["writer"]);
  assert.deepEqual(await failing({ store: () => new Promise(() => {}) }), ["writer"]);
  assert.deepEqual(await failing({ waiting: () => 10 }), ["writer"]);
  assert.deepEqual(await failing({ drift: () => -7_000_000n }), ["clock"]);
  assert.deepEqual(await failing({ stopping: () => true }), ["running"]);
});

test("a proxy that is none, and a port that is taken, keep the service from starting", async () => {
  const port = Number(new URL(service.admin ?? "").port);
  const cases: [options: Partial<Parameters<typeof serve>[1]>, says: RegExp][] = [
    [{ trustProxy: ["proxy"] }, /`proxy` is no address of a proxy/],
    [{ admin: { host: "127.0.0.1", port, version: "" } }, /--admin.*the address is in use/],
  ];
  for (const [options, says] of cases) {
    await assert.rejects(serve(plan, { memory: true, ...options }), says);
  }
});

test("a span for each answer names the endpoint and its parent, and nothing that was sent", async () => {
  const spans: unknown[] = [];
  const ended: string[] = [];
  const loaded: Record<string, unknown> = {
    "@opentelemetry/sdk-node": {
      NodeSDK: class {
        start(): void {
          ended.push("start");
        }
        async shutdown(): Promise<void> {
          ended.push("shutdown");
        }
      },
    },
    "@opentelemetry/api": {
      ROOT_CONTEXT: {},
      SpanKind: { SERVER: 1 },
      SpanStatusCode: { ERROR: 2 },
      propagation: { extract: (_: object, carrier: object) => carrier },
      trace: {
        getTracer: () => ({
          startSpan: (name: string, { attributes }: { attributes: object }, parent: object) => {
            const span = { name, attributes, parent, code: 0 };
            spans.push(span);
            return {
              setStatus: ({ code }: { code: number }) => {
                span.code = code;
              },
              end: () => {},
            };
          },
        }),
      },
    },
  };
  const traces = await openTraces("1", async (name) => loaded[name]);
  const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };
  const told = { method: "GET", path: "/things/s3cret", address: "a", id: "1", tookMs: 2, trace };
  traces.answered({ ...told, endpoint: "GET /things/{id}", status: 404, gap: undefined });
  const gap = { id: "g", place: "spec.md:1:1" };
  traces.answered({
    ...told,
    method: "-",
    endpoint: undefined,
    status: 501,
    gap,
    trace: undefined,
  });
  await traces.stop();
  assert.deepEqual(ended, ["start", "shutdown"]);
  const first = { "http.request.method": "GET", "http.response.status_code": 404 };
  const second = { "http.request.method": "_OTHER", "http.response.status_code": 501 };
  assert.deepEqual(spans, [
    {
      name: "GET /things/{id}",
      attributes: { ...first, "client.address": "a", "http.route": "/things/{id}" },
      parent: trace,
      code: 0,
    },
    {
      name: "-",
      attributes: {
        ...second,
        "client.address": "a",
        "lacuna.gap": "g",
        "lacuna.gap.place": "spec.md:1:1",
      },
      parent: {},
      code: 2,
    },
  ]);
  await assert.rejects(
    openTraces("1", (name) => Promise.reject(new Error(name))),
    /`--otel` needs @opentelemetry\/sdk-node/,
  );
});
