/** `npm start [-- FILE] [FLAGS]`: serves FILE, or the example of the orders, by the launcher. */
import { join, relative } from "node:path";
import { endLike, runChild } from "./setup/child.mjs";
import { entry, ROOT, setUp } from "./setup.mjs";

const EXAMPLE = join(ROOT, "examples", "orders", "spec.md");

await entry(async () => {
  // npm runs this in the root of the package; paths belong to where the user stands.
  const cwd = process.env["INIT_CWD"] ?? process.cwd();
  const args = process.argv.slice(2);
  const file = args[0] === undefined || args[0].startsWith("-") ? [relative(cwd, EXAMPLE)] : [];
  const command = ["serve", ...file, ...args];
  if (process.platform === "win32") {
    const node = await setUp(ROOT);
    endLike(await runChild(node, [join(ROOT, "dist", "cli", "main.js"), ...command], { cwd }));
  } else {
    endLike(await runChild("sh", [join(ROOT, "lacuna"), ...command], { cwd }));
  }
});
