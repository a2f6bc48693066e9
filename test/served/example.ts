/** Compiles an example of the repository. */
import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lineTable, positionOf } from "../../src/base/index.ts";
import { check, plan } from "../../src/check/index.ts";
import { read } from "../../src/read/index.ts";

const FOLDER = fileURLToPath(new URL("../../examples/", import.meta.url));

/** Names of the examples. */
export function exampleNames(): string[] {
  return readdirSync(FOLDER).filter((name) => existsSync(`${FOLDER}${name}/spec.md`));
}

/** The plan of an example with its assumptions, and the place of each item. */
export function compiledExample(name: string, readFile: (path: string) => Uint8Array) {
  const file = `${FOLDER}${name}/spec.md`;
  const assumed = `${FOLDER}${name}/assumptions.md`;
  const checked = existsSync(assumed)
    ? check(read(readFile(file)), read(readFile(assumed)))
    : check(read(readFile(file)));
  const planned = plan(checked);
  if (planned === undefined) throw new Error(`${name} has errors`);
  const lines = lineTable(checked.text);
  const origins = Object.fromEntries(
    [...planned.origins].map(([id, span]) => [id, { file, ...positionOf(lines, span.start) }]),
  );
  return { plan: planned.plan, origins };
}
