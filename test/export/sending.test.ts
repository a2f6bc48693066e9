/** What clients send and read: numbers, forms, files, credentials, queries, streams. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { exported } from "./exported.ts";
import { Client, InexactNumber, parseExactly } from "./golden/conduit.ts";

interface Asked {
  readonly url: string;
  readonly init: RequestInit;
}

type Method = (input?: object) => Promise<{ readonly body: unknown }> & AsyncIterable<unknown>;

/** A client of the document whose requests are kept, and answered in turn by `answers`. */
async function clientOf(document: string, answers: readonly Response[], more: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-client-"));
  try {
    const file = join(folder, "client.ts");
    writeFileSync(file, exported(document, "typescript"));
    const { Client: Made } = (await import(pathToFileURL(file).href)) as {
      readonly Client: new (options: object) => object;
    };
    const asked: Asked[] = [];
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      asked.push({ url, init });
      return answers[asked.length - 1] ?? Response.json({}, { status: 200 });
    };
    const client = new Made({ baseUrl: "https://x.example/", fetch, ...more });
    return { client: client as Record<string, Method>, asked };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const headersOf = ({ init }: Asked): Headers => new Headers(init.headers);

test("a number that would lose a digit is refused, and others are read", () => {
  const kept = ["9007199254740991", "1.10", "0.30000000000000004", "0.10000000000000001", "-0.0"];
  for (const text of [...kept, "1e21", "123456789012345.67", "100000000000000000000000"]) {
    assert.equal(parseExactly(`[${text}]`)?.[0 as never], Number(text), text);
  }
  for (const text of ["9007199254740993", "1234567890.123456789012", "-12345678901234567890"]) {
    assert.throws(() => parseExactly(`{"a": [${text}]}`), InexactNumber, text);
  }
  const inText = JSON.stringify({ a: '9007199254740993 "9007199254740993' });
  assert.deepEqual(parseExactly(inText), JSON.parse(inText));
});

test("integers may be sent as bigints; a number that has lost a digit is not sent", async () => {
  const made = Response.json({}, { status: 201 });
  const { client, asked } = await clientOf("examples/bank/spec.md", [made]);
  const body = { from: "a", to: "b", amount: "1.00", note: undefined, more: 9007199254740993n };
  await client["postTransfers"]?.({ body });
  assert.equal(
    asked[0]?.init.body,
    '{"from":"a","to":"b","amount":"1.00","more":9007199254740993}',
  );
  const wrong = client["postTransfers"]?.({ body: { more: 2 ** 53 } });
  await assert.rejects(async () => await wrong, { name: "InexactNumber" });
});

test("forms have nested names; keys, lists and credentials stand where the document has them", async () => {
  const credentials = { key: () => Promise.resolve("sk_test") };
  const { client, asked } = await clientOf("examples/stripe/spec.md", [], { credentials });
  const input = {
    query: { expand: ["customer", "a&b"] },
    header: { "Idempotency-Key": "once" },
    body: { amount: 100n, metadata: { "a b": "c&d" }, payment_method_types: ["card"] },
  };
  await client["postPaymentIntents"]?.(input);
  const [one] = asked;
  assert.ok(one);
  assert.equal(one.url, "https://x.example/v1/payment_intents?expand=customer&expand=a%26b");
  assert.equal(one.init.body, "amount=100&metadata%5Ba+b%5D=c%26d&payment_method_types=card");
  const headers = headersOf(one);
  assert.equal(headers.get("content-type"), "application/x-www-form-urlencoded");
  assert.equal(headers.get("idempotency-key"), "once");
  assert.equal(headers.get("authorization"), "Bearer sk_test");
});

test("files are sent as parts and read as blobs", async () => {
  const file = new Response("bytes", { status: 200, headers: { "content-type": "text/plain" } });
  const answers = [Response.json({}, { status: 201 }), file];
  const { client, asked } = await clientOf("test/six/ledger.md", answers);
  const path = { company: "a/b", draft: "d", attachment: "e" };
  const content = new Blob(["bytes"]);
  const body = { name: "n", mediaType: "text/plain", content };
  await client["postCompaniesByCompanyDraftsByDraftAttachments"]?.({ path, body });
  assert.match(asked[0]?.url ?? "", /\/companies\/a%2Fb\/drafts\/d\/attachments$/);
  const sent = asked[0]?.init.body;
  assert.ok(sent instanceof FormData && sent.get("content") instanceof Blob);
  assert.equal(asked[0] && headersOf(asked[0]).get("content-type"), null);
  const got = await client["getCompaniesByCompanyAttachmentsByAttachment"]?.({ path });
  assert.ok(got?.body instanceof Blob);
  assert.equal(await got.body.text(), "bytes");
});

/** An answer whose body comes in these pieces. */
function inPieces(pieces: readonly string[]): Response {
  const bytes = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(bytes.encode(piece));
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

test("a stream is an iterator of events, however its bytes are cut", async () => {
  const text =
    ': hello\n\nid: 7\r\nevent: transfer.done\r\ndata: {"a":\r\ndata: 1}\r\n\r\nid\nevent:x\ndata:2\n\n';
  const cuts = [[text], [...text]];
  const { client, asked } = await clientOf("examples/bank/spec.md", cuts.map(inPieces));
  for (const _ of cuts) {
    const got: unknown[] = [];
    for await (const one of client["getFeed"]?.({ header: { "Last-Event-ID": "6" } }) ?? [])
      got.push(one);
    assert.deepEqual(got, [
      { event: "transfer.done", data: { a: 1 }, id: "7" },
      { event: "x", data: 2, id: "" },
    ]);
  }
  const [one] = asked;
  assert.ok(one);
  assert.equal(headersOf(one).get("last-event-id"), "6");
  assert.equal(headersOf(one).get("accept"), "text/event-stream");
});

test("an answer that is not stated is thrown with its body", async () => {
  const fetch = async (): Promise<Response> => Response.json({ lacuna: "gap" }, { status: 501 });
  const client = new Client({ baseUrl: "https://x.example", fetch });
  await assert.rejects(client.getTags(), (error: Error & { body?: unknown; status?: number }) => {
    assert.equal(error.name, "UnstatedAnswer");
    assert.deepEqual([error.status, error.body], [501, { lacuna: "gap" }]);
    return true;
  });
});
