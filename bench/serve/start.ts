/**
 * `npm run bench:start`: from the start of the process to the first answer, and peak memory, for
 * documents of 200 and 2,000 operations; the store is made anew, and opened again.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { documentOf } from "../documents.ts";
import type { Bar } from "./figures.ts";
import { barLine, median, quantile, table } from "./figures.ts";
import { lacuna, lacunaNode, start } from "./servers.ts";

const ROUNDS = 5;
/** Each resource of the generated document has three operations. */
const OPERATIONS_EACH = 3;
const WANTED = [
  { operations: 200, most: 0.6, mostMegabytes: undefined },
  { operations: 2000, most: 3, mostMegabytes: 300 },
] as const;

interface Started {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

async function once(node: string, document: string, data: string): Promise<Started> {
  const server = await start({ ...lacuna(document, ["--data", data], "/items0?limit=1"), node });
  const cpuMs = server.cpuMs() ?? Number.NaN;
  const megabytes = server.peakMegabytes() ?? Number.NaN;
  await server.stop();
  return { seconds: server.startMs / 1000, cpuSeconds: cpuMs / 1000, megabytes };
}

async function measure(node: string, folder: string, operations: number) {
  const document = join(folder, `operations-${operations}.md`);
  writeFileSync(document, documentOf(Math.ceil(operations / OPERATIONS_EACH)));
  const [anew, again]: [Started[], Started[]] = [[], []];
  for (let i = 0; i < ROUNDS; i++) {
    const data = join(folder, `${operations}-${i}.sqlite`);
    anew.push(await once(node, document, data));
    again.push(await once(node, document, data));
  }
  return { anew, again };
}

const rows: (readonly string[])[] = [
  ["operations", "store", "median s", "slowest s", "CPU s", "peak MB"],
];
const bars: Bar[] = [];
const folder = mkdtempSync(join(tmpdir(), "lacuna-bench-"));
try {
  const node = await lacunaNode();
  for (const { operations, most, mostMegabytes } of WANTED) {
    const found = await measure(node, folder, operations);
    const stores = [
      ["made anew", found.anew],
      ["opened again", found.again],
    ] as const;
    for (const [store, each] of stores) {
      const seconds = each.map((one) => one.seconds);
      const megabytes = median(each.map((one) => one.megabytes));
      rows.push([
        String(operations),
        store,
        median(seconds).toFixed(3),
        quantile(seconds, 1).toFixed(3),
        median(each.map((one) => one.cpuSeconds)).toFixed(2),
        megabytes.toFixed(0),
      ]);
      bars.push({
        name: `${operations} operations, store ${store}`,
        measured: median(seconds),
        unit: " s",
        most,
      });
      if (mostMegabytes === undefined) continue;
      bars.push({
        name: `${operations} operations, store ${store}: peak memory`,
        measured: megabytes,
        unit: " MB",
        most: mostMegabytes,
      });
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(`Node ${process.version}; ${ROUNDS} starts each; the first answer is that of a list.`);
console.log(`${table(rows)}\n\n${table(bars.map(barLine))}`);
