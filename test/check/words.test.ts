/** Words of the notation in a code span: the finding says to write them without it, which works. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { tables, types } from "../../src/language/index.ts";
import { base, checked } from "./sample.ts";

const FIELD: readonly string[] = ["`title`", "string", "required", "optional", "yes", "none"];
const COLUMNS = ["Field", "Type", "Create", "Update", "Read", "Rules"];

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const BEFORE = row(FIELD);

/** The words that a cell of the field table may be. */
const wordsOf = (title: string): readonly string[] => {
  const table = tables.find(({ id }) => id === "fields");
  const cells = table?.columns.find((one) => one.title === title)?.cells ?? [];
  const forms = title === "Type" ? types : cells;
  return forms.map(({ example }) => example).filter((one) => /^[a-z][a-z0-9 ]*$/.test(one));
};

const PLACES: readonly (readonly [
  name: string,
  put: (text: string) => string,
  words: readonly string[],
])[] = [
  ...["Type", "Create", "Update", "Read"].map(
    (title) =>
      [
        `a ${title} cell`,
        (text: string) => base.replace(BEFORE, () => row(FIELD.with(COLUMNS.indexOf(title), text))),
        wordsOf(title),
      ] as const,
  ),
  ["Who", (text) => base.replace("- Who: none", () => `- Who: ${text}`), ["none"]],
  ["Body", (text) => base.replace("- Body: none", () => `- Body: ${text}`), ["none"]],
  ["the shape of an error", (text) => base.replace("400 | none", () => `400 | ${text}`), ["none"]],
  [
    "what a failure gets",
    (text) => base.replace("unknown member | `invalid`", () => `unknown member | ${text}`),
    ["ignored"],
  ],
];

const wrong = (text: string) =>
  checked(text).findings.filter(({ severity, code }) => severity === "error" && code !== "silent");

for (const [name, put, words] of PLACES) {
  test(`words of ${name} in a code span: the advice works`, () => {
    assert.ok(words.length > 0);
    for (const word of words) {
      const after = wrong(put(word)).map(({ code, message }) => `${code} ${message}`);
      const [told, ...more] = wrong(put(`\`${word}\``));
      assert.ok(told !== undefined, word);
      assert.deepEqual(
        more.map(({ message }) => message),
        [],
        word,
      );
      const written = /without (?:it|the code span): (.*)$/.exec(told.hint ?? "")?.[1];
      assert.equal(written, word, `${told.message} ${told.hint}`);
      assert.ok(!after.includes(`${told.code} ${told.message}`), word);
    }
  });
}
