#!/usr/bin/env node
/** The entry of the command: refuses a too old Node.js before anything else is loaded. */

const nodeMajorMin = 24;
const found = process.versions.node;

if (Number.parseInt(found, 10) < nodeMajorMin) {
  process.stderr.write(
    `lacuna: this is Node.js ${found}; Lacuna needs Node.js ${nodeMajorMin} or newer.\n`,
  );
  process.exitCode = 2;
} else {
  const { run } = await import("./commands.ts");
  process.exitCode = await run(process.argv.slice(2));
}
