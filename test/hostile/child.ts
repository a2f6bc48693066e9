/**
 * The services of a hostile run in a process of its own: prints their ports as JSON, then answers
 * every line on standard input with what it is made of at that moment.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { check, plan } from "../../src/check/index.ts";
import type { Plan } from "../../src/plan/index.ts";
import { read } from "../../src/read/index.ts";
import type { ServeOptions } from "../../src/serve/index.ts";
import { serve } from "../../src/serve/index.ts";
import { NAMES, SETTINGS, startRows, withoutLimits } from "./targets.ts";

const EXAMPLES = join(import.meta.dirname, "../../examples");
const [, , folder = "."] = process.argv;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The code behind the calls of `board`: sometimes slow, sometimes too slow. */
const CODE: NonNullable<ServeOptions["code"]> = {
  weigh: async ({ text }) => {
    await pause(Math.random() < 0.03 ? 200 : Math.random() * 20);
    return String(text).startsWith("h") ? { word: "heavy" } : { word: "light", weight: 3 };
  },
  forget: () => ({ word: "done" }),
};

function planOf(name: string): Plan {
  const bytes = (file: string): Buffer =>
    readFileSync(
      name === "board" ? join(import.meta.dirname, "board.md") : join(EXAMPLES, name, file),
    );
  const spec = read(Buffer.from(withoutLimits(bytes("spec.md").toString())));
  const checked = name === "conduit" ? check(spec, read(bytes("assumptions.md"))) : check(spec);
  const planned = plan(checked);
  if (planned === undefined) throw new Error(`there is no plan of ${name}`);
  return planned.plan;
}

const log = (line: string): boolean => process.stderr.write(`${line}\n`);
const ports: Record<string, number> = {};
for (const name of NAMES) {
  const file = join(folder, `${name}.sqlite`);
  const rows = startRows(name);
  const code = name === "board" ? CODE : undefined;
  const running = await serve(planOf(name), {
    file,
    settings: SETTINGS,
    startRows: rows,
    code,
    log,
  });
  ports[name] = running.port;
}
process.stdout.write(`${JSON.stringify(ports)}\n`);
createInterface({ input: process.stdin }).on("line", () => {
  const polluted = [...Object.keys(Object.prototype), ...Object.keys(Array.prototype)];
  const { rss } = process.memoryUsage();
  process.stdout.write(`${JSON.stringify({ rss, polluted })}\n`);
});
