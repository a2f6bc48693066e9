/**
 * Fuzz run: documents of every kind through read, check, plan and format. None may throw, none may
 * take more than a second. `node test/campaigns/fuzz.ts [--count N]`; the seed is `SEED`.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { campaignSeed, randomFrom } from "../random.ts";
import { documentsFrom, type Kind } from "./documents.ts";
import { examples, exampleText } from "./examples.ts";
import { fault, shrunk } from "./judge.ts";
import { campaignOptions } from "./options.ts";

export interface Failure {
  readonly kind: Kind;
  readonly number: number;
  readonly fault: string;
  readonly document: string;
}

export interface Result {
  readonly seed: number;
  readonly failures: readonly Failure[];
  readonly slowestMs: number;
  /** The greatest resident memory that was seen, in bytes. */
  readonly peakBytes: number;
  readonly bytes: number;
}

export interface Options {
  readonly seed: number;
  readonly count: number;
  readonly failuresMax: number;
  readonly progress?: (done: number, failures: number, peakBytes: number) => void;
}

const SAMPLE_EVERY = 1000;

/** Runs `count` documents from a seed; ends early after `failuresMax` failures. */
export function fuzz(options: Options): Result {
  const next = documentsFrom(examples().map(exampleText), randomFrom(options.seed));
  const failures: Failure[] = [];
  const places = new Set<string>();
  let slowestMs = 0;
  let peakBytes = process.memoryUsage.rss();
  let bytes = 0;
  for (let number = 0; number < options.count; number++) {
    const made = next();
    bytes += made.bytes.length;
    const found = fault(made.bytes);
    slowestMs = Math.max(slowestMs, found.tookMs);
    if (found.fault !== undefined) {
      const place = found.fault.split("\n").slice(0, 3).join("\n").replaceAll(/ \d+/g, " N");
      if (places.has(place)) continue;
      places.add(place);
      const document = shrunk(made.bytes, found.fault);
      failures.push({ kind: made.kind, number, fault: found.fault, document });
      if (failures.length >= options.failuresMax) break;
    }
    if (number % SAMPLE_EVERY === 0) peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
    if (number % 20_000 === 19_999) options.progress?.(number + 1, failures.length, peakBytes);
  }
  return { seed: options.seed, failures, slowestMs, peakBytes, bytes };
}

const MIB = 1024 * 1024;

/** The highest resident memory of this process, from the system where it says. */
function highWaterBytes(): number {
  try {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

if (import.meta.main) {
  const { count = 1_000_000 } = campaignOptions({ count: "count" });
  const seed = campaignSeed();
  console.log(`seed ${seed}, ${count} documents`);
  const started = performance.now();
  const result = fuzz({
    seed,
    count,
    failuresMax: 20,
    progress: (done, failures, peak) => {
      const s = Math.round((performance.now() - started) / 1000);
      console.log(`${done} documents, ${failures} failures, ${Math.round(peak / MIB)} MiB, ${s} s`);
    },
  });
  const folder = result.failures.length > 0 ? mkdtempSync(join(tmpdir(), "lacuna-fuzz-")) : "";
  for (const failure of result.failures) {
    const file = join(folder, `${seed}-${failure.number}.md`);
    writeFileSync(file, failure.document);
    console.log(`document ${failure.number} (${failure.kind}): ${file}\n${failure.fault}\n`);
  }
  const peak = Math.max(result.peakBytes, highWaterBytes());
  console.log(
    `${count} documents, ${(result.bytes / count).toFixed(0)} bytes on average, ` +
      `${result.failures.length} failures, slowest ${result.slowestMs.toFixed(0)} ms, ` +
      `peak memory ${Math.round(peak / MIB)} MiB, ${Math.round((performance.now() - started) / 1000)} s`,
  );
  process.exitCode = result.failures.length > 0 ? 1 : 0;
}
