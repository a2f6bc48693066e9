/** Every example of AsyncAPI's own repository is read, or refused with a clear reason. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { load } from "js-yaml";
import { describe, Unreadable } from "../../src/openapi/index.ts";
import { asyncCountsOf } from "./count-async.ts";

const CORPORA =
  process.env["LACUNA_CORPORA"] ?? join(import.meta.dirname, "../../../shared/corpora");
const FOLDER = join(CORPORA, "asyncapi-examples");

const files = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter((each) =>
      /\.ya?ml$/.test(each),
    )
  : [];

if (files.length === 0) test("asyncapi-examples: not found, skipped", { skip: true }, () => {});

/** Files that are parts of others. */
const PART = /^social-media\/common\//;

/** References that lead to files which are not below the folder of the first one. */
const OUTSIDE = /^social-media\//;

for (const file of files) {
  test(`${file} is read as it is`, () => {
    const path = join(FOLDER, file);
    const bytes = readFileSync(path);
    const beside = (other: string): Uint8Array | string => {
      const found = join(dirname(path), other);
      return existsSync(found) ? readFileSync(found) : "there is no such file";
    };
    if (PART.test(file)) {
      assert.throws(
        () => describe(relative(FOLDER, path), bytes, beside),
        (error) => error instanceof Unreadable && error.problem.code === "no-description",
      );
      return;
    }
    const description = describe(file, bytes, beside);
    assert.deepEqual({ ...description.source }, asyncCountsOf(load(bytes.toString()) as never));
    const codes = new Set(description.problems().map((each) => each.code));
    assert.deepEqual(codes, new Set(OUTSIDE.test(file) ? ["ref-outside"] : []));
    for (const { messages } of description.async?.operations ?? []) assert.ok(messages.length > 0);
  });
}
