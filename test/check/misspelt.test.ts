/**
 * Every keyword of the tables of the language, misspelt in three ways where a document uses it:
 * the finding names the word that was meant, or another that is as near.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "../../src/check/index.ts";
import { functionTable, macroTable } from "../../src/expr/index.ts";
import {
  bullets,
  failureConditions,
  headings,
  rules,
  type Scope,
  steps,
  tables,
  types,
} from "../../src/language/index.ts";
import { read } from "../../src/read/index.ts";
import { document } from "../run/document.ts";

/** The word with a letter left out, two letters changed about, and one letter twice. */
function misspellings(word: string): readonly string[] {
  const at = Math.max(1, Math.floor(word.length / 2));
  const [a = "", b = ""] = [word[at - 1], word[at]];
  return [
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at - 1) + b + a + word.slice(at + 1),
    word.slice(0, at) + b + word.slice(at),
  ].filter((one, i, all) => one !== word && all.indexOf(one) === i);
}

/** Words that are long enough to be known by most of their letters. */
const WORD = /[A-Za-z_]{3,}/g;

interface Use {
  readonly what: string;
  readonly text: string;
  /** The keywords in it. */
  readonly words: readonly string[];
  readonly documentOf: (text: string) => string;
}

const inField = (type: string, rule: string): string =>
  document({
    about: "- One request: all or nothing, as if alone\n- Cross-origin: none",
    resources: `### \`Note\`, many \`notes\`

| Field | Type | Create | Update | Read | Rules |
|---|---|---|---|---|---|
| \`id\` | id | no | no | yes | none |
| \`v\` | ${type} | required | no | yes | ${rule} |`,
    states: "- No states: `Note`",
    endpoints: "### `GET /notes`\n\n1. Respond `204` with no body.",
  });

/** The keywords of a form: what stands in its pattern outside of slots and code spans. */
function keywordsOf(form: string, example: string): readonly string[] {
  const written = example.replaceAll(/`[^`]*`/g, "");
  const fixed = form.replaceAll(/\{[^}=]*\}/g, " ").replaceAll(/\{[^}=]*=/g, " ");
  const known = new Set(fixed.match(WORD) ?? []);
  return [...new Set(written.match(WORD) ?? [])].filter((word) => known.has(word));
}

const BASE = inField("string", "none");

/** A document with a text behind the heading of a part, or of a section in it. */
const below =
  (heading: string, section = "") =>
  (text: string): string =>
    BASE.replace(
      `${heading}\n`,
      `${heading}\n${section === "" ? "" : `\n${section}\n`}\n${text}\n`,
    );

/** Where the bullets of each scope stand. */
const SCOPES: Readonly<Record<Scope, (text: string) => string>> = {
  service: below("## What the service does"),
  resources: below("## Resources and their fields"),
  "every resource": below("## Resources and their fields", "### Every resource"),
  resource: below("### `Note`, many `notes`"),
  part: below("## Resources and their fields", "### `P`, a part"),
  view: below("## Resources and their fields", "### `V`, a view of `Note`"),
  shape: below("## Resources and their fields", "### `S`, a shape"),
  schema: below("## Resources and their fields", "### `Pet`, a schema"),
  states: below("## States and transitions"),
  machine: below("## States and transitions", "### `Note`"),
  routine: below("## Endpoints", "### `work`, steps"),
  value: below("## Endpoints", "### `late`, a value"),
  call: below("## Endpoints", "### `work`, a call"),
  endpoints: below("## Endpoints"),
  "every endpoint": below("### Every endpoint"),
  group: below("## Endpoints", "### Every endpoint below `/notes`"),
  endpoint: below("### `GET /notes`"),
  authentication: below("## Authentication"),
  scheme: below("## Authentication", "### `key`, a scheme"),
  events: below("## Events"),
  webhook: below("## Events", "### `hook`, a webhook"),
  stream: below("## Events", "### `news`, a stream"),
  errors: below("## Errors"),
  limits: below("## Limits"),
  versioning: below("## Versioning"),
};

const tableRow = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const USES: readonly Use[] = [
  ...bullets.flatMap(({ form, example, in: scopes }) =>
    scopes.map((scope) => ({
      what: `bullet of ${scope}`,
      text: example,
      words: keywordsOf(form, example),
      documentOf: (text: string) => SCOPES[scope](`- ${text}`),
    })),
  ),
  ...headings.flatMap(({ form, example, parts }) =>
    parts.map((part) => ({
      what: `heading in ${part}`,
      text: example,
      words: keywordsOf(form, example),
      documentOf: (text: string) => below(`## ${part}`)(`### ${text}`),
    })),
  ),
  ...types.map(({ form, example }) => ({
    what: "type",
    text: example,
    words: keywordsOf(form, example),
    documentOf: (text: string) => inField(text, "none"),
  })),
  ...rules.map(({ form, example }) => ({
    what: "rule",
    text: example,
    words: keywordsOf(form, example),
    documentOf: (text: string) => inField("string", text),
  })),
  ...steps.map(({ form, example }) => ({
    what: "step",
    text: example,
    words: keywordsOf(form, example),
    documentOf: (text: string) =>
      document({
        endpoints: `### \`GET /notes\`\n\n1. ${text}.\n2. Respond \`204\` with no body.`,
      }),
  })),
  ...tables.flatMap(({ columns, in: scopes }) =>
    scopes.map((scope) => {
      const header = columns.map(({ title }) => (title === "*" ? "`name`" : title));
      const rows = [header.map(() => "---"), header.map(() => "not shown")];
      return {
        what: `header in ${scope}`,
        text: tableRow(header),
        words: columns.flatMap(({ title }) => title.match(WORD) ?? []),
        documentOf: (text: string) =>
          SCOPES[scope]([text, ...rows.map((cells) => tableRow(cells))].join("\n")),
      };
    }),
  ),
  ...Object.keys(failureConditions).map((name) => ({
    what: "condition",
    text: name,
    words: name.match(WORD) ?? [],
    documentOf: (text: string) => document({ failures: `| ${text} | \`bad\` |` }),
  })),
  ...[...functionTable, ...macroTable]
    .filter(({ name }) => name.length >= 3)
    .map(({ name }) => ({
      what: "function",
      text: name,
      words: [name],
      documentOf: (text: string) =>
        document({
          endpoints: `### \`GET /notes\`\n\n1. Let \`a\` be \`["x"].${text}(1)\`.\n2. Respond \`204\` with no body.`,
        }),
    })),
];

let tried = 0;
const missed: string[] = [];
for (const { what, text, words, documentOf } of USES) {
  for (const word of words) {
    for (const wrong of misspellings(word)) {
      const misspelt = text.replace(new RegExp(`(?<![\\w\`])${word}(?!\\w)`), wrong);
      if (misspelt === text) continue;
      tried++;
      const { findings } = check(read(Buffer.from(documentOf(misspelt))));
      const told = findings.filter(
        ({ severity, code }) => severity === "error" && code !== "silent",
      );
      // Of headers the nearest is told, not all that may stand there.
      const isNamed = told.some(
        ({ hint = "", message, code }) =>
          `${message} ${hint}`.includes(word) &&
          (code !== "unknown-table" || hint.startsWith("Nearest: ")),
      );
      if (!isNamed)
        missed.push(
          `${what}: ${misspelt} (${word}): ${told.map((one) => `${one.message} ${one.hint ?? ""}`).join(" | ")}`,
        );
    }
  }
}

test("each misspelt keyword is named", (t) => {
  t.diagnostic(`${tried} misspellings`);
  assert.ok(tried > 2000, `${tried}`);
  assert.deepEqual(missed, []);
});
