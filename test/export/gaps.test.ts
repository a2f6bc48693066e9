/** What is not shown stands in an exported file as a gap with its line, and as nothing else. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { exporters, restore } from "../../src/export/index.ts";
import { documents } from "./documents.ts";
import { exportableOf } from "./exported.ts";

const schema31 = JSON.parse(readFileSync(join(import.meta.dirname, "oas/3.1.json"), "utf8"));
const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(schema31);

type Value = Readonly<Record<string, unknown>>;

const SCHEMAS = ["schema", "items", "additionalProperties"];
const LISTS = ["anyOf", "allOf", "oneOf"];

/** Where a schema takes every value, and no mark says why. */
function* unmarked(value: unknown, path: string): Generator<string> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value as Value)) {
    if (name.startsWith("x-lacuna-")) continue;
    const at = `${path}/${name}`;
    if (name === "properties" || name === "$defs" || at.endsWith("components/schemas")) {
      for (const [key, one] of Object.entries(inner as Value)) {
        if (isEmpty(one)) yield `${at}/${key}`;
      }
    } else if (SCHEMAS.includes(name) && isEmpty(inner)) yield at;
    else if (LISTS.includes(name) && (inner as unknown[]).some(isEmpty)) yield at;
    yield* unmarked(inner, at);
  }
}

const isEmpty = (one: unknown): boolean =>
  typeof one === "object" && one !== null && Object.keys(one).length === 0;

/** The document with one of its cells or bullets not shown, for each of them. */
function* hidden(text: string): Generator<readonly [line: number, text: string]> {
  const lines = text.split("\n");
  for (const [i, line] of lines.entries()) {
    const others = (now: string): string => lines.with(i, now).join("\n");
    const bullet = /^(- [A-Z][^:]*: )/.exec(line)?.[1];
    if (bullet !== undefined) yield [i + 1, others(`${bullet}not shown`)];
    if (!line.startsWith("| ") || lines[i + 1]?.startsWith("|--")) continue;
    const cells = line.slice(2, -2).split(" | ");
    for (const at of cells.keys()) {
      if (at > 0) yield [i + 1, others(`| ${cells.with(at, "not shown").join(" | ")} |`)];
    }
  }
}

/** The document as exporters take it, where it has no error but silence. */
function exportable(name: string, text: string) {
  try {
    return exportableOf(name, new TextEncoder().encode(text));
  } catch {
    return undefined;
  }
}

const CHOSEN = ["docs/first-document.md", "examples/todo/spec.md", "examples/orders/spec.md"];
const SHARES = [1, 1, process.env["TEST_WHOLE"] === undefined ? 12 : 1];

for (const [name, bytes] of documents()) {
  test(`${name}: no schema takes every value without a mark`, () => {
    const from = exportableOf(name, bytes);
    for (const form of ["openapi", "jsonschema"]) {
      const file = JSON.parse(exporters[form]?.(from, { openapi: "3.1" }) ?? "null");
      assert.deepEqual([...unmarked(file, "")], []);
    }
  });

  const at = CHOSEN.indexOf(name);
  if (at < 0) continue;
  test(`${name}: each cell and bullet that is not shown is told with its line`, () => {
    let count = 0;
    for (const [i, [line, text]] of [...hidden(new TextDecoder().decode(bytes))].entries()) {
      if (i % (SHARES[at] ?? 1) > 0) continue;
      const from = exportable(name, text);
      if (from === undefined) continue;
      count++;
      const written = exporters["openapi"]?.(from, { openapi: "3.1" }) ?? "";
      const file = JSON.parse(written);
      assert.ok(isValid(file), `${name}:${line} ${JSON.stringify(isValid.errors?.slice(0, 3))}`);
      assert.deepEqual([...unmarked(file, "")], [], `${name}:${line}`);
      const gaps = from.plan.gaps.filter(({ id }) => from.lineOf(id) === line);
      const marks = [...written.matchAll(/"line": (\d+)\n/g)].map(([, found]) => Number(found));
      assert.ok(gaps.length === 0 || marks.includes(line), `${name}:${line}: no mark of it`);
      assert.equal(restore(file), text);
    }
    assert.ok(count >= 25, `${count} documents`);
  });
}
