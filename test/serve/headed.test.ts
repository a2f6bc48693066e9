/** What a document states for every answer stands on those that no endpoint gives, too. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { failureConditions } from "../../src/language/index.ts";
import type { HttpCondition } from "../../src/plan/index.ts";
import { OWN_ANSWERS } from "../../src/serve/http/own.ts";
import type { Running, ServeOptions } from "../../src/serve/index.ts";
import { serve } from "../../src/serve/index.ts";
import { EVERY, statusOf } from "../raw/every.ts";
import { type Document, document } from "./document.ts";
import { exchange, halfCloses, onlyAnswer, type Provoked, provoked, SLOW } from "./provoked.ts";
import { ADDED, version } from "./versions.ts";

const PATH = "/things";
const PAGE = "https://app.example";
const HTTP = failureConditions.filter(({ occurs }) => occurs === "HTTP itself");

const HEADERS = `- Header \`Request-Id\`: \`request.id\`
- Header \`Asked\`: \`request.method + " " + request.url\`
- Header \`Caller\`: \`caller == null ? null : caller.name\`
- Header \`Things\`: \`string(size(things))\`
- Header \`At\`: \`string(now)\`
`;

/** Every condition has a row, and every answer headers. */
function stating(headers: string, origin = `from \`${PAGE}\``): string {
  return EVERY.replace("- Cross-origin: none", `- Cross-origin: ${origin}`).replace(
    "### Every endpoint\n",
    `### Every endpoint\n\n${headers}`,
  );
}

/** The same without rows for what HTTP itself asks. */
const withoutRows = (text: string): string =>
  HTTP.reduce(
    (before, { name }) => before.replace(new RegExp(`^\\| ${name} \\|.*\n`, "m"), ""),
    text,
  );

async function started(t: TestContext, text: string, options: ServeOptions = {}): Promise<Running> {
  const running = await serve(document(text).plan, { memory: true, bounds: SLOW, ...options });
  t.after(() => running.stop());
  return running;
}

/** The fields of the only answer, by their names in small letters; each stands there once. */
function fieldsOf(text: string): { fields: Map<string, string>; status: number; body: string } {
  const { status, head, body } = onlyAnswer(text);
  const fields = new Map<string, string>();
  for (const line of head.split("\r\n").slice(1)) {
    const [, name = "", value = ""] = /^([^:]+): (.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    assert.ok(!fields.has(key) || key === "vary", `${name} stands there twice`);
    fields.set(key, fields.has(key) ? `${fields.get(key)}, ${value}` : value.trim());
  }
  return { fields, status, body };
}

/** Two that send together more than is held: gives what the first is answered. */
async function busy(port: number, fields: string): Promise<Provoked & { readonly text: string }> {
  const bytes =
    `POST ${PATH} HTTP/1.1\r\nHost: x\r\n${fields}Content-Type: application/json\r\n` +
    `Content-Length: 90\r\n\r\n${" ".repeat(60)}`;
  const first = exchange(port, bytes, false);
  const second = connect({ port, host: "127.0.0.1" });
  second.write(bytes);
  const text = await first;
  second.destroy();
  return { what: "two that send", bytes, heard: ["POST", PATH], text };
}

/** Bounds under which each condition can be met. */
const BOUNDS = { ...SLOW, bodyBytesMax: 100, heldBytesMax: 200 };

/** Sends what meets each condition, and gives what is answered. */
async function* met(port: number, fields: string) {
  const all = provoked(PATH, fields);
  for (const condition of Object.keys(all) as (keyof typeof all)[]) {
    for (const one of all[condition]) {
      const text = await exchange(port, one.bytes, halfCloses(condition));
      yield { condition: condition as HttpCondition, ...one, text };
    }
  }
  yield { condition: "too busy" as HttpCondition, ...(await busy(port, fields)) };
}

for (const [what, isStated] of [
  ["that the document states", true],
  ["of the host's own", false],
] as const) {
  test(`answers ${what} to what HTTP itself asks have the headers of every answer`, async (t) => {
    const whole = stating(HEADERS);
    const log: string[] = [];
    const { port } = await started(t, isStated ? whole : withoutRows(whole), {
      bounds: BOUNDS,
      log: (line) => log.push(line),
      logAs: "json",
    });
    const ids: string[] = [];
    const conditions = new Set<string>();
    for await (const { condition, what: how, heard, text } of met(port, `Origin: ${PAGE}\r\n`)) {
      const { fields, status, body } = fieldsOf(text);
      const own = OWN_ANSWERS[condition];
      assert.equal(status, isStated ? statusOf.get(condition) : own.status, how);
      const { title } = own;
      const said = isStated
        ? { error: `e${status}`, field: null }
        : { title, status, detail: condition };
      assert.deepEqual(JSON.parse(body), said, how);
      assert.equal(fields.get("asked"), heard?.join(" ") ?? "", how);
      assert.equal(fields.get("things"), "0", how);
      assert.ok(Math.abs(Date.parse(fields.get("at") ?? "") - Date.now()) < 60_000, how);
      assert.equal(fields.has("caller"), false, `${how}: null is not sent`);
      assert.equal(fields.get("vary"), "Origin", how);
      const page = heard === undefined ? undefined : PAGE;
      assert.equal(fields.get("access-control-allow-origin"), page, how);
      ids.push(fields.get("request-id") ?? "");
      conditions.add(condition);
    }
    assert.deepEqual([...conditions].sort(), HTTP.map(({ name }) => name).sort());
    assert.ok(ids.every((one) => one !== "") && new Set(ids).size === ids.length, ids.join());
    const told = log.map((line) => JSON.parse(line) as { event: string; id?: string });
    const logged = new Set(told.filter(({ event }) => event === "request").map(({ id }) => id));
    for (const id of ids) assert.ok(logged.has(id), `${id} is not in the log`);
  });
}

/** A request on a connection of its own. */
const ask = async (port: number, line: string, fields = "") =>
  fieldsOf(await exchange(port, `${line} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`, true));

/** Requests that no endpoint answers, with the status where conditions have their own. */
const NOWHERE: readonly (readonly [line: string, status: number, fields?: string])[] = [
  ["GET /nothing", statusOf.get("unknown path") ?? 0],
  ["FOO /nothing", statusOf.get("unknown path") ?? 0],
  ["TRACE /things", statusOf.get("unknown method") ?? 0],
  ["FOO /things?a=b", statusOf.get("unknown method") ?? 0],
  ["CONNECT x:80", statusOf.get("unknown method") ?? 0],
  ["OPTIONS /things", 204],
  ["OPTIONS /things", 204, "Access-Control-Request-Method: POST\r\n"],
  ["OPTIONS *", 204],
];

test("a request that comes to no endpoint is answered with the headers of every answer", async (t) => {
  const { port } = await started(t, stating(HEADERS));
  for (const [line, wanted, more = ""] of NOWHERE) {
    const { fields, status } = await ask(port, line, `Origin: ${PAGE}\r\n${more}`);
    assert.equal(status, wanted, line);
    assert.match(fields.get("request-id") ?? "", /./, line);
    assert.equal(fields.get("asked"), line, line);
    assert.equal(fields.get("access-control-allow-origin"), PAGE, line);
  }
  const head = await exchange(
    port,
    `HEAD ${PATH} HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(60_000)}\r\n\r\n`,
    false,
  );
  const { status, body, fields } = fieldsOf(head);
  assert.equal(status, statusOf.get("header section too large"));
  assert.equal(body, "", "HEAD has no content");
  assert.match(fields.get("content-length") ?? "", /^[1-9]/);
});

test("a gap before any endpoint is found has the headers of every answer, too", async (t) => {
  const { port } = await started(t, stating(HEADERS, "not shown"));
  for (const line of ["GET /things", "FOO /things", "OPTIONS *"]) {
    const { fields, status } = await ask(port, line, `Origin: ${PAGE}\r\n`);
    assert.equal(status, 501, line);
    assert.match(fields.get("lacuna-gap") ?? "", /ross-origin/, line);
    assert.equal(fields.get("asked"), line, line);
  }
});

test("a page of any origin may read what is answered to a head that cannot be read", async (t) => {
  const { port } = await started(t, stating(HEADERS, "from every origin"));
  for (const bytes of [`GET /${"a".repeat(200_000)}`, "hello\r\n\r\n"]) {
    const { fields } = fieldsOf(await exchange(port, bytes, true));
    assert.equal(fields.get("access-control-allow-origin"), "*");
  }
  const { fields } = await ask(port, "FOO /things");
  assert.equal(fields.has("access-control-allow-origin"), false, "it has no Origin");
});

test("what could not be read is told where it begins behind other requests", async (t) => {
  const { port } = await started(t, stating(HEADERS));
  const first = `OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n`;
  const body = `POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`;
  const last = "GET /things?a HTTP/1.1\r\nHost: x\r\nX : y\r\n\r\n";
  for (const [before, told] of [
    [first, "GET /things?a"],
    [first + first, "GET /things?a"],
    // Behind a body no beginning is looked for.
    [body, ""],
  ] as const) {
    const text = await exchange(port, before + last, true);
    const heads = [...text.matchAll(/\r\nRequest-Id: (.*)\r\nAsked: (.*)\r\n/g)];
    assert.equal(heads.at(-1)?.[2]?.trim(), told, text);
    assert.equal(new Set(heads.map(([, id]) => id)).size, before === first + first ? 3 : 2);
  }
});

/** What no endpoint answers: bytes that the library reads, and some that it does not. */
const SOME: readonly string[] = [
  ...NOWHERE.map(([line]) => `${line} HTTP/1.1\r\nHost: x\r\n\r\n`),
  "hello\r\n\r\n",
  `GET /things HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(20_000)}\r\n\r\n`,
  `GET /things HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(60_000)}\r\n\r\n`,
];

test("a header that is not shown, or cannot be made, decides on the answer wherever it would stand", async (t) => {
  // A text past the bound of what an expression makes.
  const wide = `"${"a".repeat(10)}"`;
  const faulty = `- Header \`Part\`: \`${wide}${`.replace("a", ${wide})`.repeat(7)}\`\n`;
  for (const text of [stating(faulty), withoutRows(stating(faulty))]) {
    const { port } = await started(t, text);
    for (const bytes of SOME) {
      const { status } = fieldsOf(await exchange(port, bytes, true));
      assert.equal(status, statusOf.get("fault inside"), bytes.slice(0, 60));
    }
  }
  for (const text of [stating("- Header `Part`: not shown\n")]) {
    for (const one of [text, withoutRows(text)]) {
      const { port } = await started(t, one);
      for (const bytes of SOME) {
        const { status, fields } = fieldsOf(await exchange(port, bytes, true));
        assert.equal(status, 501, bytes.slice(0, 60));
        assert.match(fields.get("lacuna-gap") ?? "", /part/, bytes.slice(0, 60));
      }
    }
  }
});

test("a trusted proxy names requests also whose method nobody knows", async (t) => {
  const named = "X-Request-Id: from-the-proxy\r\n";
  for (const [trustProxy, wanted] of [
    [["127.0.0.1"], true],
    [[], false],
  ] as const) {
    const { port } = await started(t, stating(HEADERS), { trustProxy });
    for (const line of ["FOO /things", "CONNECT x:80", "GET /nothing"]) {
      const { fields } = await ask(port, line, named);
      assert.equal(fields.get("request-id") === "from-the-proxy", wanted, line);
    }
  }
});

test("what HTTP itself asks, and an unknown method, is answered by the version that is named", async (t) => {
  const [one, two] = ([1, 2] as const).map((at) =>
    document(
      version({
        versioning: `- This version: \`${at}\`\n- Chosen by: path \`/v${at}\``,
        basePath: `/v${at}`,
        ...(at === 2 ? ADDED : {}),
        edit: (text) =>
          text.replace(
            "### Every endpoint\n",
            `### Every endpoint\n\n- Header \`Of\`: \`"${at}"\`\n`,
          ),
      }),
    ),
  ) as [Document, Document];
  const running = await serve(two.plan, { older: [one], memory: true });
  t.after(() => running.stop());
  for (const [line, fields] of [
    ["FOO /vN/items", ""],
    ["GET /vN/items", "X : y\r\n"],
    ["GET /vN/items", `X: ${"a".repeat(60_000)}\r\n`],
    ["GET /vN/items", "Expect: more\r\n"],
    ["GET /vN/nothing", ""],
    ["OPTIONS /vN/items", ""],
  ] as const) {
    for (const at of ["1", "2"]) {
      const named = line.replace("vN", `v${at}`);
      const { fields: said } = await ask(running.port, named, fields);
      assert.equal(said.get("of"), at, `${named} ${fields.slice(0, 20)}`);
    }
  }
});
