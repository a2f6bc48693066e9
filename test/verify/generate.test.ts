/** What requests give on purpose: each input about its bounds, and keys that were used before. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { test } from "node:test";
import { compiled, type Document, documentOf, trial } from "./clauses/trial.ts";

const BOUNDS = { seed: 1, requests: 300, seconds: 20 };
/** Where nothing is to be found. */
const RIGHT = { seed: 1, requests: 150, seconds: 8 };

const TODO = documentOf("todo");

/** To-dos are made under a key; one without a note is refused by a step. */
const KEYED = `- Body: new \`Todo\`
- Idempotency key: header \`Idempotency-Key\`
- Key kept: 24 h
- Key per: everyone
- Same key and same body: first answer again
- Same key and other body: \`already_done\`
- Same key while the first runs: waits for it
- Answers kept under a key: 2xx answers
- Bodies are the same when: their values are the same

| Input | In | Type | Needed | Rules |
|---|---|---|---|---|
| \`Idempotency-Key\` | header | string | yes | 1 to 255 characters |

1. Require \`has(body.note)\`, else \`already_done\`.
2. Create`;

function changed(text: string, from: string, to: string): string {
  ok(text.includes(from), `no ${from}`);
  return text.replace(from, () => to);
}

/** The requests whose answers a service by one text breaks of another. */
async function broken(
  document: Document,
  served: string,
  bounds = BOUNDS,
): Promise<readonly string[]> {
  const [judged, other] = [compiled(document.text), compiled(served)];
  if (judged === undefined || other === undefined) throw new Error("a document has errors");
  const { session } = (await trial(document, { served: other, judged }, bounds)) ?? {};
  return (session?.breaks ?? []).map(({ request }) => `${request.method} ${request.target}`);
}

const RULES: readonly (readonly [from: string, to: string])[] = [
  ["trimmed; 1 to 120 characters", "trimmed; 1 to 121 characters"],
  ["at most 2000 characters; starts null", "at most 2001 characters; starts null"],
  ["at least 0; absent means 0", "at least 1; absent means 1"],
];

for (const [from, to] of RULES) {
  test(`each input is given what lies just outside: ${to}`, async () => {
    const found = await broken(TODO, changed(TODO.text, from, to));
    ok(found.length > 0, "the service was taken to be right");
  });
}

const keyed: Document = {
  ...TODO,
  text: changed(
    changed(TODO.text, "- Body: new `Todo`\n1. Create", KEYED),
    "1. Check the limits, the inputs and the paths.",
    "1. Check the limits, the inputs, the idempotency key and the paths.",
  ).replace("2. Respond 201", "3. Respond 201"),
};

test("a key is asked again behind a refusal", async () => {
  const other = changed(keyed.text, "a key: 2xx answers", "a key: 2xx and 4xx answers");
  const [first] = await broken(keyed, other);
  equal(first, "POST /todos");
});

test("a key is not asked again where it is not shown what is answered then", async () => {
  const gap = "- Same key and same body: not shown";
  const text = changed(keyed.text, "- Same key and same body: first answer again", gap);
  const [judged, served] = [compiled(text), compiled(keyed.text)];
  if (judged === undefined || served === undefined) throw new Error("a document has errors");
  const { session } = (await trial(keyed, { served, judged }, RIGHT)) ?? {};
  const sent = session?.exchanges ?? [];
  ok(sent.length > 50, `${sent.length} requests`);
  const met = sent.filter(
    ({ request, judgement }) => request.method === "POST" && judgement.is === "unstated",
  );
  deepEqual(met, []);
});

test("the document with keys is right about itself", async () => {
  deepEqual(await broken(keyed, keyed.text, RIGHT), []);
});
