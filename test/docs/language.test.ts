/** Every example of the language tables stands in a whole document, where its form is known. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import {
  bullets,
  conditions,
  headings,
  rules,
  type Scope,
  steps,
  types,
  typeTails,
} from "../../src/language/index.ts";
import { read } from "../../src/read/index.ts";

const head = "| Field | Type | Create | Update | Read | Rules |\n|---|---|---|---|---|---|\n";

/** Where a statement of each scope stands: its part, and the heading above it. */
const places: Readonly<Record<Scope, readonly [part: string, heading: string]>> = {
  service: ["What the service does", ""],
  resources: ["Resources and their fields", ""],
  "every resource": ["Resources and their fields", "### Every resource"],
  resource: ["Resources and their fields", "### `Order`, many `orders`"],
  part: ["Resources and their fields", "### `Line`, a part"],
  view: ["Resources and their fields", "### `Card`, a view of `Order`"],
  shape: ["Resources and their fields", "### `Page`, a shape"],
  schema: ["Resources and their fields", "### `Pet`, a schema"],
  states: ["States and transitions", ""],
  machine: ["States and transitions", "### `Order`"],
  routine: ["Endpoints", "### `post`, steps"],
  value: ["Resources and their fields", "### `taken`, a value"],
  call: ["Endpoints", "### `charge`, a call"],
  endpoints: ["Endpoints", ""],
  "every endpoint": ["Endpoints", "### Every endpoint"],
  group: ["Endpoints", "### Every endpoint below `/orders`"],
  endpoint: ["Endpoints", "### `POST /orders`"],
  authentication: ["Authentication", ""],
  scheme: ["Authentication", "### `key`, a scheme"],
  events: ["Events", ""],
  webhook: ["Events", "### `hooks`, a webhook"],
  stream: ["Events", "### `feed`, a stream"],
  errors: ["Errors", ""],
  limits: ["Limits", ""],
  versioning: ["Versioning", ""],
};

/** Codes that say that a form is not known; names in an example need not be. */
const FORM =
  /^(unknown-(heading|bullet|subject|table|cell|type|rule|step|condition|case|block|part))$|^prose$|^step-end$|^no-steps-here$/;

function assertKnown(part: string, text: string): void {
  const document = `# T\n\n## ${part}\n\n${text}\n`;
  const { findings } = check(read(new TextEncoder().encode(document)));
  const wrong = findings.filter((finding) => FORM.test(finding.code));
  assert.deepEqual(
    wrong.map((finding) => `${finding.code}: ${finding.message}`),
    [],
    document,
  );
}

const field = (type: string, rule: string): string =>
  `### \`Order\`\n\n${head}| \`f\` | ${type} | no | no | yes | ${rule.replaceAll("|", "\\|")} |`;

const nested: Readonly<Record<string, string>> = {
  by: '\n   - `"a"`: do nothing.\n   - any other: do nothing.',
  "let every all": "\n   - `it.open`",
};

function stepText(id: string, example: string): string {
  const text = `1. ${example}`;
  if (!example.endsWith(":")) return text;
  return text + (nested[id] ?? "\n   1. Do nothing.");
}

for (const heading of headings) {
  for (const part of heading.parts) {
    test(`heading in ${part}: ${heading.example}`, () =>
      assertKnown(part, `### ${heading.example}`));
  }
}
for (const bullet of bullets) {
  for (const scope of bullet.in) {
    const [part, heading] = places[scope];
    test(`bullet in ${scope}: ${bullet.example}`, () =>
      assertKnown(part, `${heading}\n\n- ${bullet.example}`));
  }
}
for (const one of types) {
  test(`type: ${one.example}`, () =>
    assertKnown("Resources and their fields", field(one.example, "none")));
}
for (const tail of typeTails) {
  test(`type tail: ${tail.example}`, () =>
    assertKnown("Resources and their fields", field(tail.example, "none")));
}
for (const rule of rules) {
  const [part, known] =
    rule.id === "one member" ? ["Endpoints", ""] : ["Resources and their fields", "x"];
  const text =
    known === ""
      ? `### \`PATCH /orders\`\n\n- Body: changed \`Order\`; ${rule.example}`
      : field("string", rule.example);
  test(`rule: ${rule.example}`, () => assertKnown(part as string, text));
}
for (const step of steps) {
  const scope = step.id === "check" ? "### Every endpoint" : "### `POST /orders`";
  test(`step: ${step.example}`, () =>
    assertKnown("Endpoints", `${scope}\n\n${stepText(step.id, step.example)}`));
}
for (const condition of conditions) {
  test(`condition: ${condition.example}`, () =>
    assertKnown("Endpoints", `### \`POST /orders\`\n\n1. When ${condition.example}, do nothing.`));
}
