/** What an import cannot read is said, listed with its place, and a gap where it would stand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { writtenDocument } from "../../src/openapi/index.ts";
import { read } from "../../src/read/index.ts";
import { lacuna } from "../cli/world.ts";
import { exportedBytes } from "../export/exported.ts";
import { described } from "./described.ts";

const GONE = '{$ref: "#/components/schemas/Gone"}';
const REMOTE = '{$ref: "https://example.com/x.yaml"}';

const BROKEN = `openapi: 3.0.1
info: {title: A, version: "1"}
paths:
  /a: {$ref: gone.yaml}
  /b:
    post:
      parameters:
        - {$ref: "#/components/parameters/Gone"}
        - {name: q, in: query, schema: ${GONE}}
        - {name: r, in: query, schema: {type: array, items: ${REMOTE}}}
      requestBody: {required: true, content: {application/json: {schema: ${REMOTE}}}}
      responses:
        "200": {description: A, content: {application/json: {schema: ${GONE}}}}
        "404": {$ref: "#/components/responses/Gone"}
        "500": {description: A, content: {application/json: {schema: {$ref: "#/components/schemas/C"}}}}
components:
  schemas:
    B: {type: object, properties: {a: {$ref: "#/components/schemas/Gone", nullable: true}}}
    C: ${REMOTE}
    D: {$ref: "#/components/schemas/D"}
    E: {$ref: "#/components/schemas/F"}
    F: {$ref: "#/components/schemas/E"}
`;

test("what references do not lead to is a gap, and the reference is kept", () => {
  const document = writtenDocument(described(BROKEN), "api.yaml");
  const { findings } = check(read(Buffer.from(document)));
  const errors = findings.filter(({ severity }) => severity === "error");
  assert.deepEqual(
    errors.map(({ message }) => message),
    [],
  );
  assert.match(document, /\| `q` \| query \| not shown \| no \| none \|/);
  assert.match(document, /\| 200 \| `application\/json` \| not shown \| A \|/);
  assert.match(document, /### `C`, a schema\n\n.+\n\n- Schema: not shown/);
  for (const [line, column] of ["4:14", "8:19", "9:40", "14:24"].map((at) => at.split(":"))) {
    assert.ok(document.includes(`"at": "api.yaml:${line}:${column}"`), `${line}:${column}`);
  }
  const file = JSON.parse(exportedBytes("a.md", Buffer.from(document), "openapi"));
  const operation = file.paths["/b"].post;
  const gone = { $ref: "#/components/schemas/Gone" };
  assert.deepEqual(operation.responses["200"].content["application/json"].schema, gone);
  assert.equal(operation.parameters[0].schema.$ref, gone.$ref);
  assert.equal(file.components.schemas.C.$ref, "https://example.com/x.yaml");
});

test("lacuna import says which places are not read", async () => {
  const { code, out, err } = await lacuna(["import", "-"], { stdin: BROKEN });
  assert.equal(code, 0);
  assert.match(out, /"x-lacuna-not-read"/);
  assert.match(err, /^lacuna: \d+ places are not read, and listed in the document:\n {2}-:4:14 /);
  assert.match(err, /no `responses`\.\nNext: `lacuna check -`/);
});

const HEAD = 'openapi: 3.1.0\ninfo: {title: A, version: "1"}\n';

const CIRCLES: readonly (readonly [what: string, text: string])[] = [
  [
    "callbacks",
    `${HEAD}paths: {/a: {get: {responses: {}, callbacks: {x: {e: {$ref: "#/paths/~1a"}}, y: {e: {$ref: "#/paths/~1a"}}}}}}\n`,
  ],
  [
    "headers of parts of headers",
    `${HEAD}x-h: {H: {content: {a/b: {encoding: {m: {headers: {X: {$ref: "#/x-h/H"}, Y: {$ref: "#/x-h/H"}}}}}}}}\ncomponents: {headers: {H: {$ref: "#/x-h/H"}}}\n`,
  ],
  [
    "paths that are kept",
    `${HEAD}x-p: {P: {get: {responses: {}, callbacks: {x: {e: {$ref: "#/x-p/P"}}, y: {e: {$ref: "#/x-p/P"}}}}}}\ncomponents: {pathItems: {P: {$ref: "#/x-p/P"}}}\n`,
  ],
  [
    "callbacks that double",
    `${HEAD}x-p: {${Array.from({ length: 40 }, (_, at) => {
      const next = `{e: {$ref: "#/x-p/P${at + 1}"}}`;
      return `P${at}: {get: {responses: {}, callbacks: {x: ${next}, y: ${next}}}}`;
    }).join(", ")}, P40: {}}\npaths: {/a: {$ref: "#/x-p/P0"}}\n`,
  ],
];

for (const [what, text] of CIRCLES) {
  test(`references that have no end do not keep a file from being imported: ${what}`, () => {
    assert.match(writtenDocument(described(text), "api.yaml"), /^# A\n/);
  });
}

test("webhooks that stand in other files are taken in", () => {
  const text = `${HEAD}webhooks: {sold: {$ref: "sold.yaml"}}\n`;
  const sold = 'post: {requestBody: {content: {a/b: {schema: {$ref: "pet.yaml"}}}}}';
  const others = { "sold.yaml": sold, "pet.yaml": "type: object" };
  const document = writtenDocument(described(text, others), "api.yaml");
  assert.match(document, /"\$ref": "#\/components\/schemas\/pet"/);
  assert.match(document, /^### `pet`, a schema$/m);
});

/** A character for wrong bytes that stands there itself, and behind it a wrong byte. */
const LATIN = Buffer.concat([
  Buffer.from("openapi: 3.1.0\nx: \ufffd "),
  Buffer.from([0xe9]),
  Buffer.from("\n"),
]);

const WRONG: readonly (readonly [what: string, bytes: Uint8Array, says: RegExp])[] = [
  ["UTF-16", Buffer.from("\ufeffopenapi: 3.1.0", "utf16le"), /-:1:1[^]+is UTF-16\.[^]+as UTF-8/],
  ["UTF-16 without a mark", Buffer.from("{}", "utf16le"), /-:1:1[^]+UTF-16, or no text/],
  ["another encoding", LATIN, /-:2:6[^]+is not UTF-8[^]+as UTF-8/],
  ["no language", Buffer.from("{}"), /-:1:1[^]+openapi: 3\.1\.1/],
];

for (const [what, bytes, says] of WRONG) {
  test(`a file that is no description is told with what to do: ${what}`, async () => {
    const { code, out, err } = await lacuna(["import", "-"], { stdin: bytes });
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, says);
  });
}
