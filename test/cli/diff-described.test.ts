/** `lacuna diff` of files in OpenAPI: formats, who judges, what is refused. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { folder, lacuna } from "./world.ts";

const library = readFileSync(join(import.meta.dirname, "../openapi/compare/library.yaml"), "utf8");

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

type Ending = { after(act: () => void): void };

async function diff(
  t: Ending,
  files: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<Ran> {
  const path = folder(t);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  const named = options.map((each) => (each in files ? join(path, each) : each));
  const ran = await lacuna(["diff", ...named], { columns: 200 });
  return {
    ...ran,
    out: ran.out.replaceAll(`${path}/`, ""),
    err: ran.err.replaceAll(`${path}/`, ""),
  };
}

const FEWER = library.replace("        title: { type: string, maxLength: 200, pattern: a }\n", "");
const files = { "old.yaml": library, "new.yaml": FEWER };

test("without a table nothing is judged, and the code is 0", async (t) => {
  const { code, out } = await diff(t, files, "old.yaml", "new.yaml");
  assert.equal(code, 0, out);
  assert.match(out, /^old\.yaml → new\.yaml: 1 change: 1 not judged$/m);
  assert.match(out, /not judged {2}Book\.title {2}member removed from an answer$/m);
  assert.match(out, /- old\.yaml:\d+:9 {2}title: \{ type: string/);
  assert.match(out, /reaches GET \/books and \d more/);
  assert.match(out, /^Not judged: no compatibility table is given with `--rules FILE`: /m);
});

test("the table that is shipped judges when it is named, and is named in turn", async (t) => {
  const { code, out } = await diff(t, files, "--rules", "assumed", "old.yaml", "new.yaml");
  assert.equal(code, 1, out);
  assert.match(out, /1 change: 1 breaking/);
  assert.match(out, /^Judged by the table of docs\/assumed-compatibility\.md\.$/m);
});

test("another table judges otherwise; a row that it lacks is not judged", async (t) => {
  const table = (row: string): string =>
    `# Ours\n\n## Versioning\n\n| Change | Compatible |\n|---|---|\n| ${row} |\n`;
  const all = {
    ...files,
    "ours.md": table("member removed from an answer | yes"),
    "less.md": table("endpoint removed | no"),
  };
  const ours = await diff(t, all, "--rules", "ours.md", "old.yaml", "new.yaml");
  assert.match(ours.out, /1 change: 1 compatible/);
  assert.equal(ours.code, 0);
  const less = await diff(t, all, "--rules", "less.md", "old.yaml", "new.yaml");
  assert.match(less.out, /has no row for it \(less\.md:\d+\): `member removed from an answer`/);
  assert.equal(less.code, 0);
});

test("JSON has places with columns, how many operations are reached, and all wording", async (t) => {
  const now = library.replace("summary: The books", "summary: All books");
  const all = { "old.yaml": library, "new.yaml": now };
  const { out } = await diff(t, all, "--format", "json", "old.yaml", "new.yaml");
  const { changes } = JSON.parse(out);
  assert.equal(changes.length, 1);
  const [change] = changes;
  assert.equal(change.kind, "wording changed");
  assert.equal(change.operations, 1);
  assert.equal(change.first, "GET /books");
  assert.deepEqual([change.now.file, change.now.column], ["new.yaml", 7]);
  const { out: text } = await diff(t, all, "old.yaml", "new.yaml");
  assert.match(text, /^Not listed: 1 wording changed \(`--format json`\)\.$/m);
});

test("Swagger and JSON are compared with OpenAPI and YAML", async (t) => {
  const swagger = {
    swagger: "2.0",
    info: { title: "A", version: "1" },
    host: "a.example",
    schemes: ["https"],
    produces: ["application/json"],
    paths: {
      "/a": {
        get: {
          parameters: [{ name: "q", in: "query", type: "array", items: { type: "string" } }],
          responses: { 200: { description: "A", schema: { $ref: "#/definitions/A" } } },
        },
      },
    },
    definitions: { A: { type: "object", properties: { a: { type: "string" } } } },
  };
  const openapi = `
openapi: 3.0.3
info: { title: A, version: "1" }
servers: [{ url: "https://a.example" }]
paths:
  /a:
    get:
      parameters:
        - { name: q, in: query, explode: false, schema: { type: array, items: { type: string } } }
      responses:
        "200":
          description: A
          content: { application/json: { schema: { $ref: "#/components/schemas/A" } } }
components:
  schemas: { A: { type: object, properties: { a: { type: string } } } }
`;
  const all = { "a.json": JSON.stringify(swagger), "a.yaml": openapi };
  const { out } = await diff(t, all, "--format", "json", "a.json", "a.yaml");
  const kinds = JSON.parse(out).changes.map((one: { what: string }) => one.what);
  assert.deepEqual(kinds, ["openapi", "swagger"]);
});

test("wrong uses end in one clear line", async (t) => {
  const all = { ...files, "a.md": "# A\n", "broken.yaml": "openapi: 3.0.3\npaths: [\n" };
  const mixed = await diff(t, all, "old.yaml", "a.md");
  assert.equal(mixed.code, 2);
  assert.match(mixed.err, /old\.yaml is a file in another notation, and a\.md a document/);
  const rules = await diff(t, all, "--rules", "old.yaml", "old.yaml", "new.yaml");
  assert.equal(rules.code, 2);
  assert.match(rules.err, /`--rules` names a document of nine parts/);
  const broken = await diff(t, all, "broken.yaml", "new.yaml");
  assert.equal(broken.code, 1);
  assert.match(broken.err, /broken\.yaml:\d+:\d+ /);
  const none = await diff(t, all, "--rules", "none.md", "old.yaml", "new.yaml");
  assert.equal(none.code, 2);
  assert.match(none.err, /none\.md: there is no such file/);
});

test("a file outside of the folder of the first one is not read", async (t) => {
  const path = folder(t);
  mkdirSync(join(path, "in"));
  writeFileSync(join(path, "secret.yaml"), "type: string\n");
  symlinkSync(join(path, "secret.yaml"), join(path, "in", "link.yaml"));
  const text = (ref: string): string => `openapi: 3.1.0
info: { title: A, version: "1" }
paths:
  /a:
    get:
      responses:
        "200":
          description: A
          content: { application/json: { schema: { $ref: "${ref}" } } }
`;
  writeFileSync(join(path, "in", "a.yaml"), text("link.yaml"));
  writeFileSync(join(path, "in", "b.yaml"), text("../secret.yaml"));
  const ran = await lacuna(["diff", join(path, "in", "a.yaml"), join(path, "in", "b.yaml")], {
    columns: 200,
  });
  assert.equal(ran.code, 1, ran.out);
  assert.match(ran.err, /link\.yaml|secret\.yaml/);
});
