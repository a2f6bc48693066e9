/** Proposals for paths that look like collections; what runs with them keeps what it is sent. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";
import { lacuna } from "../cli/world.ts";
import { started } from "./started.ts";

const pets = readFileSync(join(import.meta.dirname, "pets.yaml"), "utf8");

async function proposedFor(text: string): Promise<{ document: string; assumed: string }> {
  const document = await lacuna(["import", "-"], { stdin: text });
  const assumed = await lacuna(["propose", "-"], { stdin: document.out });
  assert.equal(assumed.code, 0, assumed.err);
  return { document: document.out, assumed: assumed.out };
}

test("each proposal has its reason, and together they are accepted by check", async () => {
  const { document, assumed } = await proposedFor(pets);
  assert.equal(assumed.match(/^> By convention /gm)?.length, 6);
  const checked = check(read(Buffer.from(document)), read(Buffer.from(assumed)));
  assert.deepEqual(
    checked.findings.flatMap((one) => (one.severity === "error" ? [one.message] : [])),
    [],
  );
  assert.ok(plan(checked));
});

test("rows are created, read, listed, replaced, changed and deleted", async (t) => {
  const { document, assumed } = await proposedFor(pets);
  const ask = await started(t, document, assumed);
  assert.deepEqual(await ask("POST", "/v1/pets", { name: "Rex" }), [201, { name: "Rex", id: 1 }]);
  assert.deepEqual(await ask("POST", "/v1/pets", { nam: "Rex" }), [400, undefined]);
  assert.deepEqual(await ask("POST", "/v1/pets", { name: "Max" }), [201, { name: "Max", id: 2 }]);
  assert.deepEqual(await ask("PUT", "/v1/pets/1", { name: "R", tag: "x" }), [
    200,
    { name: "R", tag: "x", id: 1 },
  ]);
  assert.deepEqual(await ask("PATCH", "/v1/pets/1", { tag: null }), [200, { name: "R", id: 1 }]);
  assert.deepEqual(await ask("GET", "/v1/pets/1"), [200, { name: "R", id: 1 }]);
  assert.deepEqual(await ask("GET", "/v1/pets"), [
    200,
    [
      { name: "R", id: 1 },
      { name: "Max", id: 2 },
    ],
  ]);
  assert.deepEqual(await ask("DELETE", "/v1/pets/1"), [204, undefined]);
  assert.deepEqual(await ask("GET", "/v1/pets/1"), [404, undefined]);
});

test("nothing is proposed where nothing is open, or no path is a collection", async () => {
  const stated = await lacuna(["propose", "examples/todo/spec.md"]);
  assert.deepEqual([stated.code, stated.out], [1, ""]);
  assert.match(stated.err, /no endpoint leaves open/);
  const text = "openapi: 3.1.0\ninfo: {title: T}\npaths: {/a/b: {get: {responses: {}}}}";
  const none = await lacuna(["propose", "-"], { stdin: text });
  assert.deepEqual([none.code, none.out], [1, ""]);
  assert.match(none.err, /no path looks like one/);
});
