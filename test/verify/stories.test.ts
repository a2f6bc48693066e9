/** The examples of a document are followed, with names of their own, up to where time is to pass. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExample } from "../../src/spec/index.ts";
import { compiled, type Document, documentOf, trial } from "./clauses/trial.ts";

const SECONDS = 20;

/** Whether that path is what the example shows, whatever its parameters are. */
function isAlike(shown: string, asked: string): boolean {
  const parts = (target: string): readonly string[] => (target.split("?")[0] ?? "").split("/");
  const [one, other] = [parts(shown), parts(asked)];
  return one.length === other.length && one[1] === other[1] && one.at(-1) !== "";
}

/** What the first requests of a run are, as many as an example has before the clock moves. */
async function told(document: Document, at: number) {
  const compiledDocument = compiled(document.text);
  assert.ok(compiledDocument !== undefined);
  const { exchanges, moves } = parseExample(compiledDocument.plan.examples[at]?.text ?? "");
  const wanted = exchanges.slice(0, moves[0]?.before);
  const both = { served: compiledDocument, judged: compiledDocument };
  const tried = await trial(document, both, {
    ...{ seed: 1, seconds: SECONDS, requests: wanted.length },
  });
  return { wanted, exchanges: tried?.session.exchanges ?? [] };
}

test("all of an example is asked for in turn, before anything else", async () => {
  const { wanted, exchanges } = await told(documentOf("orders"), 0);
  assert.ok(wanted.length > 1);
  for (const [i, { request, response }] of wanted.entries()) {
    const { request: asked, answer, judgement } = exchanges[i] ?? {};
    assert.equal(judgement?.is, "as stated");
    assert.equal(asked?.method, request.method.text);
    assert.ok(isAlike(request.target.text, asked?.target ?? ""), asked?.target);
    assert.equal(answer?.status, response.status);
  }
});

test("names that no two rows may have are made anew, wherever they stand", async () => {
  const { wanted, exchanges } = await told(documentOf("flags"), 0);
  const shop = wanted.findIndex(({ request }) => request.body?.text.includes('"shop"'));
  assert.equal(shop, 0);
  const { key } = JSON.parse(exchanges[0]?.request.body ?? "{}");
  assert.notEqual(key, "shop");
  const paths = exchanges.map(({ request }) => request.target);
  assert.ok(
    paths.some((one) => one.includes(`/projects/${key}/`)),
    paths.join("\n"),
  );
  assert.ok(!paths.some((one) => one.includes("/shop")), paths.join("\n"));
});
