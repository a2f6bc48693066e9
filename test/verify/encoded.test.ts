/** Bodies are sent as each endpoint takes them: JSON, a form, parts, the bytes of a file, a text. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decoded, encoded } from "../../src/verify/generate/encoding.ts";
import { compiled, trial } from "./clauses/trial.ts";
import { edited } from "./edited.ts";

const text = readFileSync(join(import.meta.dirname, "encoded.md"), "utf8");
const DOCUMENT = { name: "encoded", text, rows: undefined, settings: {} };
const BOUNDS = { seed: 1, requests: 200, seconds: 20 };

/** A file by a text of its own: the two are never the same. */
const FILE = "data:text/plain;base64,YSwgYg==";
const [NOTE, PAPER] = [
  `{"text":"a \\"b\\" & c","price":1.50}`,
  `{"name":"é;x","content":"${FILE}"}`,
];

/** What is made as JSON, and what of it is to stand in the body. */
const BODIES: Readonly<Record<string, readonly [json: string, sent: RegExp]>> = {
  "POST /notes": [NOTE, /^\{"text"/],
  "POST /forms": [NOTE, /^text=a%20%22b%22%20%26%20c&price=1\.50$/],
  "POST /papers": [PAPER, /name="name"\r\n\r\né;x\r\n.*\r\nContent-Type: text\/plain\r\n\r\na, b/s],
  "POST /records": [PAPER, /base64,YSwgYg==/],
  "PUT /files/{name}": [JSON.stringify(FILE), /^a, b$/],
  "PUT /texts/{price}": [`"a, b"`, /^a, b$/],
};

const judged = compiled(text);
assert.ok(judged !== undefined);
const { plan } = judged;

for (const [name, [json, sent]] of Object.entries(BODIES)) {
  test(`made as JSON, sent as it is stated, and read again: ${name}`, () => {
    const endpoint = plan.endpoints.find(({ id }) => id === `endpoints/${name}`);
    assert.ok(endpoint !== undefined);
    const { body } = encoded(plan, endpoint, json);
    assert.match(body, sent);
    assert.deepEqual(JSON.parse(decoded(plan, endpoint, body)), JSON.parse(json));
  });
}

test("each of them is taken by a right service, and what it answers is as stated", async () => {
  const { session } = (await trial(DOCUMENT, { served: judged, judged }, BOUNDS)) ?? {};
  assert.deepEqual(session?.breaks, []);
  const taken = new Set(
    session?.exchanges.flatMap(({ answer, judgement }) =>
      answer.status < 300 ? [judgement.ran.endpoint?.id] : [],
    ),
  );
  assert.deepEqual(
    plan.endpoints.map(({ id }) => id).filter((id) => !taken.has(id)),
    [],
  );
});

const FORM = "- Body format: `application/x-www-form-urlencoded`";
const WRONG: readonly (readonly [what: string, from: string, to: string])[] = [
  ["takes JSON where a form is stated", FORM, "- Body format: `application/json`"],
  ["takes a form where parts are", "- Body format: `multipart/form-data`", FORM],
  ["keeps a file otherwise", "`content` = `body`", '`content` = `body`, `name` = `"x"`'],
  ["gives another text", "`text` = `body`", '`text` = `body + "x"`'],
];

for (const [what, from, to] of WRONG) {
  test(`found: a service that ${what}`, async () => {
    const other = what.includes("otherwise") ? [["`name` = `path.name`, ", ""] as const] : [];
    const served = compiled(edited(text, [...other, [from, to]]));
    assert.ok(served !== undefined, "the changed document has errors");
    const { session } = (await trial(DOCUMENT, { served, judged }, BOUNDS)) ?? {};
    assert.notDeepEqual(session?.breaks, []);
  });
}
