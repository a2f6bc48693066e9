/** Two files in OpenAPI or Swagger: each kind of change, both ways, once for its cause. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { changeKinds } from "../../../src/language/index.ts";
import { compare, type FileChange } from "../../../src/openapi/index.ts";
import { described } from "../described.ts";
import { edits } from "./edits.ts";

const library = readFileSync(join(import.meta.dirname, "library.yaml"), "utf8");

function changes(before: string, now: string): readonly FileChange[] {
  return compare(described(before), described(now)).changes;
}

function edited(texts: readonly (readonly [string, string])[]): string {
  return texts.reduce((text, [from, to]) => {
    assert.equal(text.split(from).length, 2, `${from} stands once`);
    return text.replace(from, () => to);
  }, library);
}

/** Kinds that an edit is when it is done the other way round. */
const BACKWARDS: ReadonlySet<string> = new Set([
  "alternative removed from an input",
  "alternative removed from an answer",
  "caller asked for",
  "scheme no longer needed",
]);

const seen = new Set<string>();

for (const [kind, ...texts] of edits) {
  test(`both ways: ${kind}`, () => {
    const now = edited(texts);
    const sides = BACKWARDS.has(kind) ? ([now, library] as const) : ([library, now] as const);
    const [forth, back] = [changes(...sides), changes(sides[1], sides[0])];
    for (const one of [...forth, ...back]) seen.add(one.kind);
    const opposite: readonly string[] =
      changeKinds.find(({ name }) => name === kind)?.reversed ?? [];
    const named = (all: readonly FileChange[]): string => all.map((one) => one.kind).join(", ");
    assert.ok(
      forth.some((one) => one.kind === kind),
      named(forth),
    );
    assert.ok(
      back.some((one) => opposite.includes(one.kind)),
      named(back),
    );
    const [from = ""] = texts[0] ?? [];
    const first = library.indexOf(from);
    const isNear = ({ start }: { start: number } | undefined = { start: -1 }): boolean =>
      start >= first - 400 && start <= first + from.length + 400;
    const at = forth.find((one) => one.kind === kind);
    assert.ok(isNear(at?.before) || isNear(at?.now), "its place");
  });
}

test("there is no kind of files alone that no edit is", () => {
  const all = changeKinds.filter(({ ofFiles }) => ofFiles).map(({ name }) => name);
  assert.deepEqual(
    all.filter((name) => !seen.has(name)),
    [],
  );
});

test("a file is the same as itself, and as one in another order", () => {
  assert.deepEqual(changes(library, library), []);
  const one = '            - $ref: "#/components/schemas/Author"\n';
  const two = '            - $ref: "#/components/schemas/Company"\n';
  assert.ok(library.includes(one + two));
  assert.deepEqual(changes(library, library.replaceAll(one + two, two + one)), []);
});
