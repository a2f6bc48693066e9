/** Each package has its line in docs/dependencies.md, and each line its package. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/dependencies.md"), "utf8");
type Manifest = Readonly<
  Partial<
    Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>>
  >
>;
const manifestOf = (path: string): Manifest => JSON.parse(readFileSync(join(root, path), "utf8"));
const manifest = manifestOf("package.json");

/** Packages named in the first column of the page's tables. */
const named = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => [...(line.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)])
  .map(([, name]) => name ?? "");

test("every package of the manifest is told of, and no other", () => {
  const { dependencies, devDependencies } = manifest;
  const { optionalDependencies } = manifestOf("scripts/node/package.json");
  // Types of a package are told of with the package.
  const wanted = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  assert.deepEqual(
    named.toSorted(),
    wanted.filter((name) => !name.startsWith("@types/")).toSorted(),
  );
});

/** Packages whose own command comes with them, as docs/dependencies.md says. */
const WITH_COMMAND = ["js-yaml"];

test("who installs the package gets nothing optional, and no command that is not told", () => {
  assert.equal(manifest.optionalDependencies, undefined);
  for (const name of Object.keys(manifest.dependencies ?? {})) {
    const { bin } = JSON.parse(
      readFileSync(join(root, "node_modules", name, "package.json"), "utf8"),
    ) as { bin?: unknown };
    assert.equal(bin !== undefined, WITH_COMMAND.includes(name), name);
  }
});
