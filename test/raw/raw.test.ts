/** A share of the raw requests: none may get an answer without a reason. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { failureConditions } from "../../src/language/index.ts";
import { randomFrom, testSeed } from "../random.ts";
import { campaign } from "./campaign.ts";
import { rawDocuments } from "./documents.ts";
import { EVERY, statusOf } from "./every.ts";
import { Judge } from "./judge.ts";

test("1,600 raw requests: every answer is stated, a named gap, or the host's own", async () => {
  const documents = rawDocuments();
  const { sent, kinds, statuses, unexplained } = await campaign(
    documents,
    1_600,
    randomFrom(testSeed),
  );
  assert.deepEqual(
    unexplained.map(({ document, kind, why, bytes }) => [document, kind, why, String(bytes)]),
    [],
  );
  assert.ok(sent >= 1_600);
  for (const kind of ["success", "error", "gap", "own"] as const) {
    assert.ok((kinds.get(kind) ?? 0) > 20, `${kind}: ${kinds.get(kind)}`);
  }
  const met = [...statusOf].filter(([, status]) => statuses.has(status)).map(([name]) => name);
  assert.ok(met.includes("malformed request") && met.includes("unknown method"), met.join());
});

test("the document of all conditions has a row for each of them", () => {
  for (const { name } of failureConditions) assert.match(EVERY, new RegExp(`\\| ${name} \\|`));
});

test("the judge of raw answers knows what nobody has stated", () => {
  const [document] = rawDocuments();
  assert.ok(document);
  const judge = new Judge(document.plan);
  const answer = (status: number, body = "") => ({ status, headers: new Map(), body });
  const kind = (status: number, body: string, method = "GET", target = "/things?named=a") =>
    judge.kindOf(answer(status, body), method, target);
  assert.equal(kind(200, "[]"), "success");
  assert.equal(kind(404, "{}"), "error");
  assert.equal(
    kind(400, `{"title":"Bad Request","status":400,"detail":"malformed request"}`),
    "own",
  );
  assert.equal(kind(204, "", "OPTIONS"), "own");
  for (const [status, body] of [
    [201, "{}"],
    [204, ""],
    [400, ""],
    [404, ""],
    [500, "{}"],
    [501, "{}"],
    [501, `{"gap":{"id":"nothing"}}`],
    [408, ""],
  ] as const) {
    assert.equal(typeof kind(status, body), "object", `${status} ${body}`);
  }
  const none = { answers: [], end: "closed", rest: "", before: 0 } as const;
  const sent = { kind: "x", bytes: Buffer.from("GET"), methods: ["GET"], open: true };
  assert.deepEqual(judge.judge(sent, none), { why: "no answer" });
});
