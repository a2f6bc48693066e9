#!/usr/bin/env node
/** The entry of the command: refuses a too old Node.js before anything else is loaded. */

const nodeMajorMin = 24;
const interrupted = 130;
const unwritten = 1;
const found = process.versions.node;
/** Commands that pay for all compilers; `serve` fits itself when it has read its document. */
const runningLong = new Set(["serve", "verify", "proxy", "replay"]);

/** A reader that goes away (`| head`) ends the command without a word; a full disk with one. */
function endAtOutput(error: { readonly code?: string; readonly message: string }): void {
  if (error.code === "EPIPE") process.exit(0);
  const why = error.code === "ENOSPC" ? "no space is left there" : error.message;
  process.stderr.write(`lacuna: the output cannot be written: ${why}\n`);
  process.exit(unwritten);
}

if (Number.parseInt(found, 10) < nodeMajorMin) {
  process.stderr.write(
    `lacuna: this is Node.js ${found}; Lacuna needs Node.js ${nodeMajorMin} or newer.\n`,
  );
  process.exitCode = 2;
} else {
  // Not above: an old Node.js has no such export, and would end before it says what is wrong.
  const { enableCompileCache } = await import("node:module");
  enableCompileCache();
  process.stdout.on("error", endAtOutput);
  process.stderr.on("error", (error: { readonly code?: string }) => {
    process.exit(error.code === "EPIPE" ? 0 : unwritten);
  });
  // `serve` takes its own listener, and this one away, to stop what it began first.
  process.once("SIGINT", () => process.exit(interrupted));
  if (!runningLong.has(process.argv[2] ?? "")) {
    const { fitToOneRun } = await import("./heap.ts");
    fitToOneRun();
  }
  const { run } = await import("./commands.ts");
  process.exitCode = await run(process.argv.slice(2));
}
