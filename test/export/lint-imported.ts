/** Exports of imported descriptions, linted beside the descriptions themselves. */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join } from "node:path";
import { type Description, describe, writtenDocument } from "../../src/openapi/index.ts";
import { descriptionsIn } from "../openapi/folder.ts";
import { installed } from "../peers/tools.ts";
import { exportedText } from "./exported.ts";

const CLI = "2.77.0";
/** A larger file takes the lint longer than it tells. */
const BYTES_MAX = 3_000_000;
/** Pairs that one process judges. */
const BATCH = 10;
const OUTPUT_MAX = 1_000_000_000;
const SHOWN = 3;

/** A description of the sample. */
interface Sampled {
  readonly file: string;
  readonly description: Description;
}

/** Numbers below 1, the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function readAt(path: string): Description | undefined {
  const load = (other: string): Uint8Array | string => {
    const beside = join(dirname(path), other);
    return existsSync(beside) ? readFileSync(beside) : "it is not there";
  };
  try {
    const description = describe(path, readFileSync(path), load);
    return description.kind === "asyncapi" ? undefined : description;
  } catch {
    return undefined;
  }
}

/** Descriptions of whole files by chance; of each publisher one before any has a second. */
function sampleOf(folder: string, count: number, seed: number): Sampled[] {
  const next = random(seed);
  const drawn = descriptionsIn(folder)
    .map((file) => [next(), file] as const)
    .sort(([a], [b]) => a - b);
  const turns = new Map<string, number>();
  const inTurn = drawn.map(([, file]) => {
    const publisher = file.split(/[/\\]/)[0] ?? "";
    const turn = turns.get(publisher) ?? 0;
    turns.set(publisher, turn + 1);
    return [turn, file] as const;
  });
  const found: Sampled[] = [];
  for (const [, file] of inTurn.sort(([a], [b]) => a - b)) {
    if (found.length === count) break;
    const path = join(folder, file);
    if (statSync(path).size > BYTES_MAX) continue;
    const description = readAt(path);
    const isWhole = description?.files.all.length === 1 && description.problems().length === 0;
    if (description !== undefined && isWhole) found.push({ file, description });
  }
  return found;
}

interface Problem {
  readonly ruleId: string;
  readonly severity: string;
  readonly message: string;
  readonly location: readonly {
    readonly source: { readonly ref: string };
    readonly pointer?: string;
  }[];
}

/** The JSON texts that the lint writes one behind the other, one for each file. */
function problemsIn(text: string): Problem[] {
  const texts = text.split(/^\}/m).filter((one) => one.trim() !== "");
  return texts.flatMap((one) => (JSON.parse(`${one}}`) as { problems: Problem[] }).problems);
}

/** Errors of the lint by file. */
function lint(program: string, folder: string, files: readonly string[]): Map<string, Problem[]> {
  const args = [program, "lint", ...files, "--format=json", "--max-problems=1000000"];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const options = { cwd: folder, encoding: "utf8", maxBuffer: OUTPUT_MAX, env } as const;
  const { stdout, stderr } = spawnSync(process.execPath, args, options);
  const judged = [...stderr.matchAll(/^(\S+): validated in/gm)].length;
  if (judged !== files.length)
    throw new Error(`the lint judged ${judged} of ${files.length} files: ${stderr.slice(-2000)}`);
  const errors = problemsIn(stdout).filter(({ severity }) => severity === "error");
  return Map.groupBy(errors, ({ location: [first] }) => first?.source.ref ?? "");
}

/** What an error says, wherever it stands. */
const factOf = ({ ruleId, message }: Problem): string => `${ruleId}: ${message}`;

/** What the lint has against the exports. */
class Outcome {
  /** Errors of the originals and of the exports, by rule. */
  readonly rules = new Map<string, [original: number, exported: number]>();
  readonly own: string[] = [];
  #clean = [0, 0];

  take(file: string, before: readonly Problem[], after: readonly Problem[]): void {
    const known = new Set(before.map(factOf));
    [before, after].forEach((problems, side) => {
      if (problems.length === 0) this.#clean[side] = (this.#clean[side] ?? 0) + 1;
      for (const { ruleId } of problems) {
        const counts = this.rules.get(ruleId) ?? [0, 0];
        counts[side] = (counts[side] ?? 0) + 1;
        this.rules.set(ruleId, counts);
      }
    });
    const own = after.filter((one) => !known.has(factOf(one)));
    this.own.push(
      ...own.slice(0, SHOWN).map((one) => {
        return `${file}: ${factOf(one)} (${one.location[0]?.pointer})`;
      }),
    );
  }

  tell(count: number): void {
    const [before, after] = this.#clean;
    console.log(`${count} descriptions: ${before} without errors, ${after} of their exports`);
    for (const [rule, [was, is]] of [...this.rules].sort(([a], [b]) => (a < b ? -1 : 1))) {
      console.log(`  ${rule}: ${was} in the descriptions, ${is} in the exports`);
    }
    for (const one of this.own) console.log(`  NOT IN THE DESCRIPTION  ${one}`);
  }
}

/** The program of the lint, as published. */
function programOf(): string {
  const found = installed("lacuna-test-lint", { "@redocly/cli": CLI });
  if ("missing" in found) throw new Error(found.missing);
  const require = createRequire(join(found.folder, "index.js"));
  const file = require.resolve("@redocly/cli/package.json");
  const { bin } = JSON.parse(readFileSync(file, "utf8")) as { bin: Record<string, string> };
  return join(dirname(file), bin["redocly"] ?? "bin/cli.js");
}

/**
 * Lints so many descriptions of a folder and their exports, written into `work`. Tells whether no
 * export has an error of which its description has none that says the same.
 */
export function lintImported(
  folder: string,
  { count, seed, work }: { readonly count: number; readonly seed: number; readonly work: string },
): boolean {
  const program = programOf();
  const sample = sampleOf(folder, count, seed);
  const versions = Map.groupBy(sample, ({ description: { kind, version } }) => {
    return `${kind} ${version.split(".").slice(0, 2).join(".")}`;
  });
  const publishers = new Set(sample.map(({ file }) => file.split(/[/\\]/)[0]));
  const said = [...versions].map(([version, all]) => `${all.length} ${version}`).toSorted();
  console.log(`seed ${seed}: ${said.join(", ")}; ${publishers.size} publishers`);
  const outcome = new Outcome();
  for (let at = 0; at < sample.length; at += BATCH) {
    const pairs = sample.slice(at, at + BATCH).map(({ file, description }, index) => {
      const [original, exported] = [`${index}${extname(file)}`, `${index}.export.json`];
      copyFileSync(join(folder, file), join(work, original));
      const openapi = description.version.startsWith("3.2") ? "3.2" : "3.1";
      const document = Buffer.from(writtenDocument(description, "api.json"));
      writeFileSync(join(work, exported), exportedText("api.md", document, openapi));
      return { file, original, exported };
    });
    const files = pairs.flatMap(({ original, exported }) => [original, exported]);
    const errors = lint(program, work, files);
    for (const { file, original, exported } of pairs) {
      outcome.take(file, errors.get(original) ?? [], errors.get(exported) ?? []);
    }
  }
  outcome.tell(sample.length);
  return outcome.own.length === 0;
}
