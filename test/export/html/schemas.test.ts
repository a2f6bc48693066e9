/** Schemas, tables of answers and what is kept for export, in the page. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { exporters } from "../../../src/export/index.ts";
import { exportableOf } from "../exported.ts";
import { tagsOf, textOf } from "./page.ts";

const todo = readFileSync(join(import.meta.dirname, "../../../examples/todo/spec.md"), "utf8");

const SCHEMAS = `### \`Pet/~ 1\`, a schema

\`\`\`json schema
{"type": "object", "properties": {"mother": {"$ref": "#/$defs/Pet~1~0%201"}}}
\`\`\`

\`\`\`json openapi
{"description": "A pet with </script> and a [link](javascript:alert(1)).\\n\\nTwo \`lines\`."}
\`\`\`

### \`Pets\`, a schema

\`\`\`json schema
{"type": "array", "items": {"$ref": "#/$defs/Pet~1~0%201"}}
\`\`\`

`;

const ENDPOINT = `### \`GET /pets\`: the pets

- Body: none

| Answer | Media type | Body | Meaning |
|---|---|---|---|
| \`200\` | \`application/json\` | schema \`{"type": "object", "properties": {"pets": {"$ref": "#/$defs/Pets"}}}\` | the pets |
| any other | none | none | none |

1. What it does: not shown.

\`\`\`json example 200
{"pets": [{"mother": {}}]}
\`\`\`

`;

const document = todo
  .replace("## States and transitions", `${SCHEMAS}## States and transitions`)
  .replace("## Authentication", `${ENDPOINT}## Authentication`);

test("schemas refer to one another by links, answers and examples stand at their endpoint", () => {
  const from = exportableOf("pets.md", Buffer.from(document));
  const html = exporters["html"]?.(from, { openapi: "3.1" }) ?? "";
  const tags = tagsOf(html);
  const ids = new Set(tags.flatMap(({ attributes }) => attributes.get("id") ?? []));
  const links = tags.filter(({ text, name }) => name === "a" && text.startsWith('"#/$defs/'));
  assert.equal(links.length, 3);
  for (const { attributes } of links) {
    const to = attributes.get("href")?.slice(1) ?? "";
    assert.ok(ids.has(to) && to.includes("pet"), to);
  }
  const text = textOf(html);
  for (const words of ["A pet with </script>", "Two lines.", "Kept for export, not served"]) {
    assert.ok(text.includes(words), words);
  }
  for (const words of ["Example of the answer 200", "200 the pets", "any other"]) {
    assert.ok(text.includes(words), words);
  }
  assert.equal(html.match(/<\/script/g)?.length, 1);
  assert.equal(
    tags.find(({ attributes }) => /^javascript/.test(attributes.get("href") ?? "")),
    undefined,
  );
});
