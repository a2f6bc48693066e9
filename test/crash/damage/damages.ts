/**
 * Bytes of the files of a store that are flipped, cut, swapped or emptied: each is found when the
 * store is opened, or does no harm.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openStore, StorageFault } from "../../../src/store/index.ts";
import { document } from "../../serve/document.ts";
import { Ledger } from "../ledger.ts";
import { start } from "../service.ts";
import { writeUntil } from "../writing.ts";

const CLIENTS = 16;
const NAME = "s.sqlite";
const PAGE = 4096;

const KINDS = ["flip", "cut", "swap", "empty", "remove"] as const;
type Kind = (typeof KINDS)[number];

/** Files of a store at a moment, and all that is in its tables. */
interface State {
  readonly name: string;
  readonly folder: string;
  readonly held: string;
}

export interface Damages {
  readonly done: number;
  readonly found: number;
  readonly harmless: number;
  /** How many of them SQLite alone would have served in silence. */
  readonly unnoticed: number;
  readonly faults: readonly string[];
}

const { plan } = document(readFileSync(new URL("../spec.md", import.meta.url), "utf8"));

/** All rows of all tables but what each opening writes; undefined where they cannot be read. */
function dump(file: string): string | undefined {
  let db: Database.Database | undefined;
  try {
    db = new Database(file);
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .pluck(true)
      .all() as string[];
    const rows = tables.map((name) =>
      (db as Database.Database)
        .prepare(`SELECT * FROM "${name}"`)
        .raw(true)
        .all()
        .filter((row) => (row as unknown[])[0] !== "opened"),
    );
    const sound = db.pragma("integrity_check(1)", { simple: true });
    return JSON.stringify([tables, rows, sound]);
  } catch {
    return undefined;
  } finally {
    db?.close();
  }
}

/** Stores as a stop leaves them, as a kill does, and as a kill does behind a checkpoint. */
async function states(folder: string, random: () => number): Promise<State[]> {
  const made: State[] = [];
  const kept = (name: string, from: string): void => {
    const to = join(folder, name);
    cpSync(from, to, { recursive: true });
    // What a sound start makes of it is the truth.
    const whole = join(folder, `${name} whole`);
    cpSync(from, whole, { recursive: true });
    openStore(plan, { store: { file: join(whole, NAME) }, mode: "write" }).close();
    made.push({ name, folder: to, held: dump(join(whole, NAME)) ?? "" });
  };
  const at = join(folder, "made");
  mkdirSync(at);
  const ledger = new Ledger();
  for (const [name, least] of [
    ["killed", 600],
    ["killed again", 1500],
  ] as const) {
    const serving = await start(join(at, NAME), "real");
    const enough = (): boolean => ledger.acknowledged.length >= least;
    await writeUntil(serving.port, ledger, { clients: CLIENTS, random, enough });
    await serving.kill();
    kept(name, at);
  }
  openStore(plan, { store: { file: join(at, NAME) }, mode: "write" }).close();
  kept("stopped", at);
  return made;
}

/** Damages the bytes of a file; gives what was done. */
function harm(bytes: Buffer, kind: Kind, random: () => number): { bytes: Buffer; said: string } {
  const at = Math.floor(random() * bytes.length);
  switch (kind) {
    case "flip": {
      const bit = Math.floor(random() * 8);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      return { bytes, said: `bit ${bit} of byte ${at} flipped` };
    }
    case "cut":
      return { bytes: bytes.subarray(0, at), said: `cut to ${at} of ${bytes.length} bytes` };
    case "swap": {
      const size = random() < 0.5 ? PAGE : 1 + Math.floor(random() * 64);
      const places = Math.max(1, Math.floor(bytes.length / size));
      const [one, two] = [random(), random()].map((each) => Math.floor(each * places) * size);
      const [first, second] = [one ?? 0, two ?? 0];
      const held = Buffer.from(bytes.subarray(first, first + size));
      bytes.copy(bytes, first, second, second + size);
      held.copy(bytes, second);
      return { bytes, said: `${size} bytes at ${first} and ${second} swapped` };
    }
    case "empty": {
      const size = 1 + Math.floor(random() * PAGE);
      return {
        bytes: bytes.fill(0, at, Math.min(bytes.length, at + size)),
        said: `${size} bytes at ${at} emptied`,
      };
    }
    case "remove":
      return { bytes, said: "removed" };
  }
}

/** Opens the store as a service does; says how that went. */
function judge(file: string, held: string): "found" | "harmless" | "silent" {
  try {
    openStore(plan, { store: { file }, mode: "write" }).close();
  } catch (fault) {
    if (fault instanceof StorageFault) return "found";
    throw fault;
  }
  return dump(file) === held ? "harmless" : "silent";
}

/** Damages one file of one state after the other. */
export async function damages({
  folder,
  count,
  random,
}: {
  readonly folder: string;
  readonly count: number;
  readonly random: () => number;
}): Promise<Damages> {
  const all = await states(folder, random);
  const told = { found: 0, harmless: 0, silent: 0 };
  const faults: string[] = [];
  let unnoticed = 0;
  for (let i = 0; i < count; i++) {
    const state = all[i % all.length] as State;
    const names = readdirSync(state.folder).filter((name) => name !== `${NAME}-lock`);
    const name = names[Math.floor(random() * names.length)] ?? NAME;
    const kind = KINDS[Math.floor(random() * KINDS.length)] ?? "flip";
    const at = join(folder, "damaged");
    const alone = join(folder, "alone");
    cpSync(state.folder, at, { recursive: true });
    const { bytes, said } = harm(readFileSync(join(at, name)), kind, random);
    // A store without its file is a new one, where nothing else of it is there.
    if (kind === "remove" && names.length > 1) rmSync(join(at, name));
    else writeFileSync(join(at, name), bytes);
    cpSync(at, alone, { recursive: true });
    const how = judge(join(at, NAME), state.held);
    told[how]++;
    if (how === "silent") faults.push(`damage ${i}: ${name} of \`${state.name}\`, ${said}: served`);
    const read = dump(join(alone, NAME));
    if (how === "found" && read !== undefined && read.endsWith('"ok"]')) unnoticed++;
    for (const each of [at, alone]) rmSync(each, { recursive: true, force: true });
  }
  return { done: count, found: told.found, harmless: told.harmless, unnoticed, faults };
}
