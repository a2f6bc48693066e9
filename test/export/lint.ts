/**
 * `npm run test:lint [-- --only NAME]`: the exports of all documents, judged by Redocly's lint as
 * published, with the rules that it recommends. Ends with 1 where it reports an error.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignOptions } from "../campaigns/options.ts";
import { documents } from "./documents.ts";
import { exportedBytes } from "./exported.ts";

const PACKAGE = "@redocly/cli@2.77.0";
const { only } = campaignOptions({ only: "text" });
const folder = mkdtempSync(join(tmpdir(), "lacuna-lint-"));
let hasFailed = false;
try {
  for (const [name, bytes] of documents()) {
    if (only !== undefined && !name.includes(only)) continue;
    for (const openapi of ["3.1", "3.2"] as const) {
      const file = join(folder, `${name.replaceAll("/", "-")}.${openapi}.json`);
      writeFileSync(file, exportedBytes(name, bytes, "openapi", { openapi }));
      const args = ["exec", "--yes", `--package=${PACKAGE}`, "--", "redocly", "lint", file];
      const { status, stdout, stderr } = spawnSync("npm", args, { cwd: folder, encoding: "utf8" });
      const isRight = status === 0;
      console.log(`${name} as OpenAPI ${openapi}: ${isRight ? "no error" : "ERRORS"}`);
      if (!isRight) console.log(`${stdout}${stderr}`.slice(0, 4000));
      hasFailed ||= !isRight;
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = hasFailed ? 1 : 0;
