/** Clients in TypeScript: each is one file that the compiler takes at its strictest. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { exporters } from "../../src/export/index.ts";
import { writtenDocument } from "../../src/openapi/index.ts";
import { described } from "../openapi/described.ts";
import { documents } from "./documents.ts";
import { exportableOf, exported } from "./exported.ts";

const root = join(import.meta.dirname, "../..");
const COMPILER = join(root, "node_modules/typescript/bin/tsc");

/** Without the types of Node.js: a client is for browsers, too. */
const OPTIONS = {
  target: "es2022",
  lib: ["es2022", "dom"],
  module: "nodenext",
  types: [],
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitReturns: true,
  noImplicitOverride: true,
  verbatimModuleSyntax: true,
  erasableSyntaxOnly: true,
  isolatedModules: true,
};

/** What the compiler says of these files, each a module of its own. */
function complaints(files: ReadonlyMap<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), "lacuna-clients-"));
  try {
    for (const [name, text] of files) writeFileSync(join(folder, name), text);
    const settings = { compilerOptions: OPTIONS, include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(settings));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    const args = [COMPILER, "-p", "tsconfig.json"];
    return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function clientOf(name: string, bytes: Uint8Array): string {
  const text = exporters["typescript"]?.(exportableOf(name, bytes), { openapi: "3.1" });
  assert.ok(text !== undefined);
  return text;
}

/** A document that was imported from a description: all types are JSON Schemas. */
function imported(name = "shop.yaml"): Uint8Array {
  const file = readFileSync(join(root, "test/openapi", name), "utf8");
  return new TextEncoder().encode(writtenDocument(described(file), name));
}

test("the client of every document compiles, and names no package", () => {
  const files = new Map(
    documents().map(([name, bytes]) => [
      `${name.replaceAll(/[^a-z-]+/g, "_")}.ts`,
      clientOf(name, bytes),
    ]),
  );
  files.set("imported.ts", clientOf("imported.md", imported()));
  // Reserved words, names that clash, types that lead back to themselves, odd characters.
  files.set("odd.ts", clientOf("odd.md", imported("odd.yaml")));
  for (const text of files.values()) assert.doesNotMatch(text, /^import|require\(/m);
  assert.equal(complaints(files), "");
});

test("schemas of an imported document are types by their names", () => {
  const text = clientOf("imported.md", imported());
  assert.match(
    text,
    /^export interface Order \{\n {2}id: string;\n {2}status: "open" \| "paid";\n\}$/m,
  );
  assert.doesNotMatch(text, / \n/);
});

test("the client of the conduit example is the one that is kept; `npm run golden` writes it", () => {
  const kept = join(import.meta.dirname, "golden/conduit.ts");
  assert.equal(exported("examples/conduit/spec.md", "typescript"), readFileSync(kept, "utf8"));
});

test("a file's name is all that a client says of where its document is", () => {
  const [, bytes] = documents()[0] ?? [];
  assert.ok(bytes);
  assert.equal(clientOf("/one/folder/a.md", bytes), clientOf("other/a.md", bytes));
});
