/** The examples of a document are followed, with names of their own, up to where time is to pass. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseExample } from "../../src/spec/index.ts";
import { compiled, type Document, documentOf, tagOf, trial } from "./clauses/trial.ts";
import { edited } from "./edited.ts";

const SECONDS = 20;

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
  assert.ok(tried !== undefined);
  const { exchanges: made, judge } = tried.session;
  const idOf = (method: string, target: string): string | undefined => {
    const match = judge.world.program.match(method, target.split("?")[0] ?? "");
    return match.is === "endpoint" ? judge.world.plan.endpoints[match.endpoint]?.id : undefined;
  };
  return { wanted, exchanges: made, idOf };
}

test("all of an example is asked for in turn, before anything else", async () => {
  const { wanted, exchanges, idOf } = await told(documentOf("orders"), 0);
  assert.ok(wanted.length > 1);
  for (const [i, { request, response }] of wanted.entries()) {
    const { request: asked, answer, judgement } = exchanges[i] ?? {};
    assert.equal(judgement?.is, "as stated");
    const id = idOf(request.method.text, request.target.text);
    assert.ok(id !== undefined);
    assert.equal(idOf(asked?.method ?? "", asked?.target ?? ""), id);
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

const DELETED = "2. Respond 204 with no body.";
const EXAMPLE = `\`\`\`http one is made
POST /todos
Content-Type: application/json

{"title": "abc12"}

HTTP/1.1 201

{"id": "{{*}}", "title": "{{*}}", "note": null, "due": null, "status": "open", "createdAt": "{{*}}", "doneAt": null}
\`\`\``;

test("a name is new where that matches the pattern of its field, as RE2 reads it", async () => {
  const todo = documentOf("todo");
  const rules = "matches `(?i)[A-Z0-9]{1,20}`; unique, else `already_done` on `title`";
  const text = edited(todo.text, [
    ["trimmed; 1 to 120 characters |", `${rules} |`],
    [DELETED, `${DELETED}\n\n${EXAMPLE}`],
  ]);
  const { exchanges } = await told({ ...todo, text }, 0);
  assert.equal(exchanges[0]?.request.target, "/todos");
  const { title } = JSON.parse(exchanges[0]?.request.body ?? "{}");
  assert.ok(title !== "abc12" && title.startsWith(tagOf(1)), title);
});
