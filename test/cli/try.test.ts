/** `lacuna try` runs the examples of a document and says where an answer is another. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { lacuna, folder as temporary } from "./world.ts";

const root = join(import.meta.dirname, "../..");
const todo = join(root, "examples/todo/spec.md");
const bank = join(root, "examples/bank/spec.md");
const blank = join(root, "examples/blank/spec.md");

const example = (status: number, body: string): string =>
  `\n\`\`\`http read what is there\nGET /todos\n\nHTTP/1.1 ${status}\n\n${body}\n\`\`\`\n`;

/** The document with an example at the end of its fourth part. */
function withExample(text: string): string {
  return readFileSync(todo, "utf8").replace("\n## Authentication", `${text}\n## Authentication`);
}

test("an example that is answered as it says", async () => {
  const { code, out, err } = await lacuna(["try", "-"], { stdin: withExample(example(200, "[]")) });
  assert.equal(code, 0, out + err);
  assert.match(out, /✓ read what is there 1 exchange\n/);
  assert.match(out, /as stated\n$/);
});

test("another status or body is shown with its place, and the exit code is 1", async () => {
  const status = await lacuna(["try", "-"], { stdin: withExample(example(404, "[]")) });
  assert.equal(status.code, 1);
  assert.match(status.out, /✗ read what is there exchange 1 of 1\n/);
  assert.match(status.out, /-:\d+:10\n/);
  assert.match(status.out, /│ HTTP\/1\.1 404\n/);
  assert.match(status.out, /The answer is 200\./);
  const body = await lacuna(["try", "-"], { stdin: withExample(example(200, '["x"]')) });
  assert.equal(body.code, 1);
  assert.match(body.out, /body: has \[] instead of \[0]/);
});

test("examples of another file are run behind the document's, and named by its lines", async (t) => {
  const beside = join(root, "examples/todo/examples.md");
  const { code, out } = await lacuna(["try", todo, "--examples", beside]);
  assert.equal(code, 0, out);
  assert.match(out, /2 examples as stated\n$/);
  const file = join(temporary(t), "more.md");
  writeFileSync(file, `# More\n${example(404, "[]")}`);
  const wrong = await lacuna(["try", todo, "--examples", file]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.out, /more\.md:6:10\n/);
  writeFileSync(file, "# More\n\n```http a\nGET /todos\n```\n");
  const odd = await lacuna(["try", todo, "--examples", file]);
  assert.equal(odd.code, 2);
  assert.match(odd.err, /more\.md, a: This request has no answer/);
});

test("the clock moves, and settings come from the environment", async () => {
  const env = { LACUNA_SETTING_BANK_ZONE: "Europe/Berlin" };
  const { code, out } = await lacuna(["try", bank], { env });
  assert.equal(code, 0, out);
  assert.match(out, /2 examples as stated\n$/);
  const without = await lacuna(["try", bank]);
  assert.equal(without.code, 2);
  assert.match(without.err, /LACUNA_SETTING_BANK_ZONE/);
});

test("a document without examples, and one with errors", async () => {
  const none = await lacuna(["try", blank]);
  assert.equal(none.code, 0);
  assert.match(none.out, /no example/);
  const wrong = await lacuna(["try", "-"], { stdin: "# Title\n\n## Nothing\n" });
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /errors?\. Next: /);
});

const payments = join(root, "examples/payments/spec.md");
const code = join(root, "examples/payments/calls.mjs");

const order = (status: number, answer: string): string =>
  `\n\`\`\`http an order\nPOST /orders\nContent-Type: application/json\n\n{"item": "lamp"}\n\n` +
  `HTTP/1.1 ${status}\n\n${answer}\n\`\`\`\n`;

/** The document of payments with one example alone. */
const withOrder = (status: number, answer: string): string =>
  readFileSync(payments, "utf8")
    .replaceAll(/```http [^]*?\n```\n/g, "")
    .replace("\n## Authentication", `${order(status, answer)}\n## Authentication`);

const PAID =
  '{"id": "{{*}}", "item": "lamp", "total": 40.00, "payment": "pay-1", "parcel": null, ' +
  '"placedAt": "{{*}}", "status": "paid"}';

test("a call says what the code behind it says, and its stand-in where no code is named", async () => {
  const stdin = withOrder(201, PAID);
  const by = await lacuna(["try", "-", "--code", code], { stdin });
  assert.equal(by.code, 0, by.out + by.err);
  const without = await lacuna(["try", "-"], { stdin });
  assert.equal(without.code, 1);
  assert.match(without.out, /payment/);
});

test("code at an address answers every call", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    const word = request.url?.endsWith("/judge") === true ? "fine" : "declined";
    response.setHeader("Content-Type", "application/json");
    request.resume().on("end", () => response.end(JSON.stringify({ word })));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    const address = `http://127.0.0.1:${port}/calls`;
    const stdin = withOrder(402, '{"error": "{{*}}", "field": null}');
    const { code: exit, out, err } = await lacuna(["try", "-", "--code", address], { stdin });
    assert.equal(exit, 0, out + err);
    assert.deepEqual(asked.slice(0, 2), ["/calls/judge", "/calls/charge"]);
  } finally {
    server.close();
  }
});

test("code that is not there is told", async () => {
  const stdin = withOrder(201, PAID);
  const none = await lacuna(["try", "-", "--code", join(root, "nowhere.mjs")], { stdin });
  assert.equal(none.code, 2);
  assert.match(none.err, /nowhere\.mjs/);
  const folder = await lacuna(["try", "-", "--code", root], { stdin });
  assert.equal(folder.code, 2);
  assert.match(folder.err, /is a folder/);
});

test("a call that the code lacks is not stood in for", async (t) => {
  const empty = join(temporary(t), "empty.mjs");
  writeFileSync(empty, "");
  const stdin = withOrder(201, PAID.replace(`"pay-1"`, "null"));
  const { code: exit, err } = await lacuna(["try", "-", "--code", empty], { stdin });
  assert.equal(exit, 2);
  assert.match(err, /no function/);
});

test("examples are asked of any address, and what needs a clock is not run", async (t) => {
  const server = createServer((request, answer) => {
    const isList = request.url === "/v1/todos";
    answer.writeHead(isList ? 200 : 404, { "Content-Type": "application/json" });
    answer.end(isList ? '[{"id": 7}]' : '"no"');
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const right = example(200, '[{"id": {{id}}}]').replace(
    "\n```\n",
    "\n\nGET /todos/{{id}}\n\nHTTP/1.1 404\n\n```\n",
  );
  const later = example(200, "[]")
    .replace("read what is there", "later")
    .replace("GET", "After 1 h\n\nGET");
  const wrong = example(200, "[]").replace("read what is there", 'an <odd> & "other" one');
  const stdin = withExample(right + later);
  const { code, out } = await lacuna(["try", "-", "--url", url], { stdin });
  assert.equal(code, 0, out);
  assert.match(out, /– later not run: it needs the clock to move\n/);
  assert.match(out, /2 examples: 1 as stated, 1 not run\n$/);

  const json = await lacuna(["try", "-", "--url", url, "--format", "json"], {
    stdin: withExample(right + later + wrong),
  });
  assert.equal(json.code, 1);
  const { examples, counts } = JSON.parse(json.out) as {
    examples: { title: string; result: string; difference?: { line: number; message: string } }[];
    counts: object;
  };
  assert.deepEqual(counts, { examples: 3, different: 1, notRun: 1 });
  assert.deepEqual(
    examples.map(({ result }) => result),
    ["as stated", "not run", "different"],
  );
  assert.match(examples[2]?.difference?.message ?? "", /body: /);

  const junit = await lacuna(["try", "-", "--url", url, "--format", "junit"], {
    stdin: withExample(right + later + wrong),
  });
  assert.match(junit.out, /<testsuites tests="3" failures="1" skipped="1">/);
  assert.match(junit.out, /name="an &lt;odd&gt; &amp; &quot;other&quot; one"/);
  assert.match(junit.out, /<failure message="body: [^"]*">-:\d+:\d+</);
});

test("options of try that do not go together", async () => {
  for (const [args, says] of [
    [["--url", "nowhere"], /`nowhere` is no address/],
    [["--url", "http://127.0.0.1:1", "--rows", todo], /--rows and --code are for a service/],
    [["--format", "xml"], /there is no format `xml`/],
  ] as const) {
    const { code, err } = await lacuna(["try", todo, ...args]);
    assert.equal(code, 2);
    assert.match(err, says);
  }
  const gone = await lacuna(["try", "-", "--url", "http://127.0.0.1:1"], {
    stdin: withExample(example(200, "[]")),
  });
  assert.equal(gone.code, 1);
  assert.match(gone.out, /There is no answer: /);
});

test("numbers and whole values are kept, sent again, and told as they were sent", async (t) => {
  let sent = "";
  const server = createServer((request, answer) => {
    request.on("data", (chunk) => (sent += String(chunk)));
    request.on("end", () => {
      answer.writeHead(request.method === "POST" ? 201 : 200);
      answer.end(sent === "" ? '[{"n": 12345678901234567890, "deep": {"a": [1.50]}}]' : sent);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const first = 'GET /todos\n\nHTTP/1.1 200\n\n[{"n": {{n}}, "deep": {{deep}}}]\n';
  const type = "Content-Type: application/json";
  const then = (body: string) =>
    `\nPOST /todos\n${type}\n\n{"title": "a", "note": {{deep}}}\n\nHTTP/1.1 201\n\n${body}\n`;
  const file = join(temporary(t), "more.md");
  const tried = async (body: string) => {
    writeFileSync(file, `# More\n\n\`\`\`http a\n${first}${then(body)}\`\`\`\n`);
    sent = "";
    return lacuna(["try", todo, "--examples", file, "--url", url]);
  };
  const right = await tried('{"title": "a", "note": {{deep}}}');
  assert.equal(right.code, 0, right.out);
  assert.equal(sent, '{"title": "a", "note": {"a":[1.50]}}');
  const wrong = await tried('{"title": "a", "note": null}');
  assert.match(wrong.out, /body\.note: \{"a":\[1\.50\]\} instead of null/);
});
