/** Each package has its line in docs/dependencies.md, and each line its package. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "../..");
const page = readFileSync(join(root, "docs/dependencies.md"), "utf8");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Readonly<
  Record<"dependencies" | "devDependencies" | "optionalDependencies", Record<string, string>>
>;

/** Packages named in the first column of the page's tables. */
const named = page
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .flatMap((line) => [...(line.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)])
  .map(([, name]) => name ?? "");

test("every package of the manifest is told of, and no other", () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  // Types of a package are told of with the package.
  const wanted = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  assert.deepEqual(
    named.toSorted(),
    wanted.filter((name) => !name.startsWith("@types/")).toSorted(),
  );
});
