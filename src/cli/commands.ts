/** Reads the command line and runs the command that it names; gives the exit code. */
import { version } from "./version.ts";

/** Runs `args` (without node and script); the exit code is 0, or 2 for wrong use. */
export async function run(args: readonly string[]): Promise<number> {
  if (args.length === 1 && args[0] === "--version") {
    process.stdout.write(`${version()}\n`);
    return 0;
  }
  process.stderr.write("lacuna: only --version is known so far.\n");
  return 2;
}
