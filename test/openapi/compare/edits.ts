/** One edit of the library for each kind of change that files know. */

/** The kind, and texts of the library with what stands in their place; the first tells the line. */
type Edit = readonly [kind: string, ...texts: readonly (readonly [from: string, to: string])[]];

const OLD_SERVER = "  - url: https://library.example/v1\n";
const LIMIT = "      parameters:\n        - name: limit\n          in: query\n";
const TRACE = "        - name: Trace\n          in: header\n          schema: { type: string }\n";
const CSV = "            text/csv:\n              schema: { type: string }\n";
const XML =
  '          application/xml:\n            schema: { $ref: "#/components/schemas/NewBook" }\n';
const LATER = '        "202": { description: Later }\n';
const MISSING = '        "404": { $ref: "#/components/responses/Problem" }\n';
const NOTE = "            Note:\n              schema: { type: string }\n";
const COMPANY = '            - $ref: "#/components/schemas/Company"\n          discriminator';
const BY = '          anyOf:\n            - $ref: "#/components/schemas/Author"\n';
const KIND = "        kind: { type: string, enum: [paper, audio] }\n        size";
const SHOWN = "        kind: { type: string, enum: [paper, audio] }\n        pages";
const PAGES = "pages: { type: integer, minimum: 1 }";
const DROP =
  '    delete:\n      operationId: dropBook\n      deprecated: true\n      responses:\n        "204": { description: Gone }\n';
const TITLE = 'title: { type: string, minLength: 1, pattern: "^[A-Z]" }';
const CALLBACK = '          "{$request.body#/url}":\n';

export const edits: readonly Edit[] = [
  ["endpoint removed", [DROP, ""]],
  ["server added", [OLD_SERVER, `${OLD_SERVER}  - url: https://two.example/v1\n`]],
  ["server removed", [OLD_SERVER, "  - url: https://two.example/v1\n"]],
  ["version changed", ["version: 1.0.0", "version: 1.1.0"]],
  ["wording changed", ["summary: The books", "summary: All books"]],
  [
    "annotation changed",
    ["operationId: getBook\n      r", "operationId: getBook\n      x-a: 1\n      r"],
  ],
  ["operation name changed", ["operationId: listBooks", "operationId: books"]],
  [
    "marked as deprecated",
    ["operationId: listBooks", "operationId: listBooks\n      deprecated: true"],
  ],
  ["no longer marked as deprecated", ["      deprecated: true\n", ""]],
  [
    "path parameter renamed",
    ["/books/{id}:", "/books/{book}:"],
    ["name: id, in: path", "name: book, in: path"],
  ],
  [
    "optional input added",
    [
      LIMIT,
      LIMIT.replace("      parameters:\n", "      parameters:\n        - { name: q, in: query }\n"),
    ],
  ],
  [
    "needed input added",
    [
      LIMIT,
      LIMIT.replace(
        "      parameters:\n",
        "      parameters:\n        - { name: q, in: query, required: true }\n",
      ),
    ],
  ],
  ["input removed", [TRACE, ""]],
  ["input now needed", [LIMIT, `${LIMIT}          required: true\n`]],
  [
    "input no longer needed",
    [
      '        required: true\n        content:\n          application/json:\n            schema: { $ref: "#/components/schemas/NewBook" }',
      '        content:\n          application/json:\n            schema: { $ref: "#/components/schemas/NewBook" }',
    ],
  ],
  ["place of an input changed", [TRACE, TRACE.replace("header", "cookie")]],
  ["way an input is written changed", ["style: form", "style: pipeDelimited"]],
  [
    "way an answer is written changed",
    [
      "              required: true\n",
      "              required: true\n              explode: true\n",
    ],
  ],
  ["value given by the service changed", ["default: 20", "default: 30"]],
  [
    "request body removed",
    [
      '        required: true\n        content:\n          application/json:\n            schema: { $ref: "#/components/schemas/NewBook" }\n' +
        XML +
        "          multipart/form-data:\n            schema: { type: object, properties: { file: { type: string } } }\n            encoding: { file: { contentType: image/png } }\n",
      "",
    ],
    ["      requestBody:\n      responses", "      responses"],
  ],
  ["media type of requests added", [XML, `${XML}          text/plain: {}\n`]],
  ["media type of requests removed", [XML, ""]],
  ["media type of answers added", [CSV, `${CSV}            text/plain: {}\n`]],
  ["media type of answers removed", [CSV, ""]],
  ["answer added", [LATER, `${LATER}        "203": { description: Other }\n`]],
  ["answer removed", [LATER, ""]],
  ["error answer added", [MISSING, `${MISSING}        "409": { description: Held }\n`]],
  ["error answer removed", [MISSING, ""]],
  [
    "header added to an answer",
    [NOTE, `${NOTE}            Other:\n              schema: { type: string }\n`],
  ],
  ["header removed from an answer", [NOTE, ""]],
  ["header now always sent", [NOTE, `${NOTE}              required: true\n`]],
  [
    "header no longer always sent",
    ["            Total:\n              required: true\n", "            Total:\n"],
  ],
  [
    "link of an answer changed",
    ["first: { operationId: getBook }", "first: { operationId: addBook }"],
  ],
  [
    "type of an input widened",
    ["size: { type: [integer, string]", 'size: { type: [integer, string, "null"]'],
  ],
  ["type of an input narrowed", ["size: { type: [integer, string]", "size: { type: [integer]"]],
  [
    "type of an input changed",
    ["size: { type: [integer, string]", "size: { type: [integer, boolean]"],
  ],
  ["type of an answer widened", [PAGES, PAGES.replace("integer", '[integer, "null"]')]],
  ["type of an answer narrowed", ['shelf: { type: [string, "null"] }', "shelf: { type: string }"]],
  [
    "type of an answer changed",
    ['shelf: { type: [string, "null"] }', 'shelf: { type: [integer, "null"] }'],
  ],
  ["rule made stricter", [TITLE, TITLE.replace("minLength: 1", "minLength: 2")]],
  ["rule made looser", [TITLE, TITLE.replace("minLength: 1, ", "")]],
  ["rule changed", [TITLE, TITLE.replace("[A-Z]", "[a-z]")]],
  ["rule of an answer made stricter", ["maxLength: 200", "maxLength: 100"]],
  ["rule of an answer made looser", ["maxLength: 200", "maxLength: 300"]],
  ["rule of an answer changed", ["pattern: a", "pattern: b"]],
  ["member added to an answer", [PAGES, `${PAGES}\n        isbn: { type: string }`]],
  [
    "member removed from an answer",
    ["        title: { type: string, maxLength: 200, pattern: a }\n", ""],
  ],
  ["optional member removed from an answer", [`        ${PAGES}\n`, ""]],
  ["member now always sent", ["required: [id, title]", "required: [id, title, pages]"]],
  ["member no longer always sent", ["required: [id, title]", "required: [id]"]],
  ["value added to an input", [KIND, KIND.replace("audio", "audio, braille")]],
  ["value removed from an input", [KIND, KIND.replace(", audio", "")]],
  ["value added to an answer", [SHOWN, SHOWN.replace("audio", "audio, braille")]],
  ["value removed from an answer", [SHOWN, SHOWN.replace(", audio", "")]],
  ["alternative added to an input", [BY, `${BY}            - type: string\n`]],
  ["alternative removed from an input", [BY, `${BY}            - type: string\n`]],
  [
    "alternative added to an answer",
    [COMPANY, COMPANY.replace("          disc", "            - type: string\n          disc")],
  ],
  [
    "alternative removed from an answer",
    [COMPANY, COMPANY.replace("          disc", "            - type: string\n          disc")],
  ],
  ["discriminator changed", ["propertyName: is", "propertyName: name"]],
  [
    "caller asked for",
    ["operationId: getBook\n      r", "operationId: getBook\n      security: []\n      r"],
  ],
  [
    "caller not asked for",
    ["operationId: getBook\n      r", "operationId: getBook\n      security: []\n      r"],
  ],
  [
    "alternative of security added",
    [
      "        - login: [read]\n",
      "        - login: [read]\n        - login: [read]\n          key: []\n",
    ],
  ],
  ["alternative of security removed", ["        - login: [read]\n", ""]],
  [
    "scheme now needed",
    ["        - login: [read]\n", "        - login: [read]\n          key: []\n"],
  ],
  [
    "scheme no longer needed",
    ["        - login: [read]\n", "        - login: [read]\n          key: []\n"],
  ],
  [
    "member of an input removed",
    ["        size: { type: [integer, string], format: int32 }\n", ""],
  ],
  ["scope now needed", ["- login: [read]", "- login: [read, write]"]],
  ["scope no longer needed", ["- login: [read]", "- login: []"]],
  ["scope added to a scheme", ["write: Write books", "write: Write books, drop: Drop them"]],
  ["scope removed from a scheme", [", write: Write books", ""]],
  [
    "scheme added",
    ["    login:\n      type", "    other: { type: http, scheme: basic }\n    login:\n      type"],
  ],
  ["scheme removed", ["    key: { type: apiKey, in: header, name: Key }\n", ""]],
  ["way credentials are sent changed", ["in: header, name: Key", "in: query, name: Key"]],
  ["credential changed", ["library.example/token", "library.example/tokens"]],
  ["webhook added", ["webhooks:\n", "webhooks:\n  lent:\n    post:\n      responses: {}\n"]],
  ["webhook removed", ["  returned:\n    post", "  returned:\n    put"]],
  [
    "callback added",
    [CALLBACK, `          other:\n            put: { responses: {} }\n${CALLBACK}`],
  ],
  ["callback removed", [CALLBACK, '          "{$request.body#/other}":\n']],
  ["named schema added", ["    Unused:\n", "    Other: true\n    Unused:\n"]],
  ["named schema removed", ["    Unused:\n", "    Other:\n"]],
  [
    "unused schema changed",
    ["properties: { old: { type: string } }", "properties: { old: { type: integer } }"],
  ],
];
