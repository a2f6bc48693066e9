/** The page of each code of the survey: its wrong sample earns the code, its right one does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { survey, surveyPages, Unreadable } from "../../src/openapi/index.ts";
import { described } from "./described.ts";

const HEAD = 'openapi: 3.0.3\ninfo: { title: Notes, version: "1" }\n';

/** A file of a sample; undefined: the sample is of a document of nine parts. */
function fileOf(sample: string): string | undefined {
  if (/^(openapi|swagger|asyncapi|\{)/.test(sample)) return sample;
  return sample.startsWith("paths:") ? HEAD + sample : undefined;
}

/** Severities by code of what is said of a text. */
function codesOf(text: string): Map<string, string> {
  try {
    const { causes } = survey(described(text));
    return new Map(causes.map(({ code, severity }) => [code, severity]));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return new Map([[error.problem.code, "error"]]);
  }
}

/** A file of which nothing is asked. */
const NOTHING = `${HEAD}paths: {}`;

for (const [code, { severity, wrong, right }] of Object.entries(surveyPages)) {
  test(`${code}: its wrong sample earns it, its right one does not`, () => {
    const file = fileOf(wrong);
    assert.ok(file !== undefined);
    const found = codesOf(file);
    assert.equal(found.get(code), severity, [...found.keys()].join(" "));
    const codes = codesOf(fileOf(right) ?? NOTHING);
    assert.ok(!codes.has(code), code);
    assert.ok(!codes.has("unreadable"), right);
  });
}
