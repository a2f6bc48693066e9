/** The service under test: served over a socket, its clock moved, its store looked into. */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Field, type Plan, withStreams } from "../../src/plan/index.ts";
import {
  type MovableClock,
  movableClock,
  type Running,
  type ServeOptions,
  serve,
} from "../../src/serve/index.ts";
import { connectionOf, copyStore, type openStore, prepareStore } from "../../src/store/index.ts";
import { connectPg } from "../../src/store/postgres/connect.ts";
import { placeOf } from "../../src/store/postgres/place.ts";
import type { Wire } from "../../src/store/postgres/wire.ts";
import { type RawAnswer, type RawRequest, Talker } from "./talk.ts";

/**
 * Where rows are kept: `postgres://...` is a database, in which each service has a schema. Behind
 * `moving ` the store moves there and back, into a file, with each orderly stop.
 */
export type StoreKind =
  | "sqlite"
  | "memory"
  | `postgres://${string}`
  | `moving postgres://${string}`;

export interface EngineOptions {
  readonly plan: Plan;
  /** The document beside which it is served, as an older version. Default: it is alone. */
  readonly newest?: Plan | undefined;
  readonly start: bigint;
  readonly settings: Readonly<Record<string, string>>;
  readonly startRows: string | undefined;
  readonly store: StoreKind;
  /** The code behind the calls; undefined: stand-ins answer. */
  readonly code?: Exclude<ServeOptions["code"], string | undefined>;
  random(bytes: number): Uint8Array;
}

/** A stored row as the store gives it. */
export interface StoredRow {
  readonly key: number;
  readonly values: readonly unknown[];
}

export interface StoredEvent {
  readonly event: string;
  readonly at: bigint;
  /** JSON text. */
  readonly content: string;
}

/** What runs until the service is started anew. */
interface Life {
  readonly running: Running;
  readonly talker: Talker;
  readonly clock: MovableClock;
  readonly kept: Kept | undefined;
  readonly reader: ReturnType<typeof openStore> | undefined;
}

/** A store that outlives the service. */
type Kept =
  | { readonly is: "folder"; readonly folder: string }
  | { readonly is: "schema"; readonly url: string; readonly wire: Wire };

let schemas = 0;

async function newKept(store: StoreKind): Promise<Kept | undefined> {
  if (store === "memory") return undefined;
  if (store === "sqlite" || store.startsWith("moving ")) {
    return { is: "folder", folder: newFolder() };
  }
  return await newSchema(store);
}

async function newSchema(store: string): Promise<Kept> {
  const url = `${store}?schema=history_${process.pid}_${schemas++}`;
  return { is: "schema", url, wire: await connectPg(placeOf(url), { answerMs: 20_000 }) };
}

/** The store in a database of the other kind. */
async function moved(kept: Kept, store: StoreKind): Promise<Kept> {
  const other: Kept =
    kept.is === "folder"
      ? await newSchema(store.replace("moving ", ""))
      : { is: "folder", folder: newFolder() };
  await copyStore(fileOf(kept), fileOf(other), () => {});
  dropKept(kept);
  return other;
}

function dropKept(kept: Kept): void {
  if (kept.is === "folder") rmSync(kept.folder, { recursive: true, force: true });
  else {
    kept.wire.ask(`DROP SCHEMA IF EXISTS ${placeOf(kept.url).schema} CASCADE`);
    kept.wire.close();
  }
}

function fileOf(kept: Kept): string {
  return kept.is === "folder" ? join(kept.folder, "data.sqlite") : kept.url;
}

async function readerOf(kept: Kept, plan: Plan): Promise<Life["reader"]> {
  const store = kept.is === "folder" ? { file: fileOf(kept) } : { postgres: kept.url };
  const options = { store, mode: "read" } as const;
  return prepareStore(withStreams(plan), options)(undefined, undefined, await connectionOf(store));
}

/** A file in memory where there is one: what is compared is the meaning, not the disk. */
function newFolder(): string {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "lacuna-history-"));
}

async function live(options: EngineOptions, start: bigint, kept: Kept | undefined): Promise<Life> {
  const { plan, newest = plan, settings, startRows, random, code } = options;
  const clock = movableClock(start);
  const file = kept && fileOf(kept);
  const running = await serve(newest, {
    ...(newest === plan ? {} : { older: [{ plan }] }),
    ...(file === undefined ? { memory: true } : { file, inline: true, foreseesEach: true }),
    clock,
    random,
    settings,
    startRows,
    ...(code === undefined ? {} : { code }),
    environment: {},
    standIns: true,
    // So that requests are called as they say.
    trustProxy: ["127.0.0.1"],
  });
  return {
    running,
    talker: new Talker(running.port),
    clock,
    kept,
    reader: kept && (await readerOf(kept, newest)),
  };
}

async function end({ running, talker, reader, kept }: Life, keepFiles: boolean): Promise<void> {
  talker.close();
  reader?.close();
  await running.stop();
  if (kept !== undefined && !keepFiles) dropKept(kept);
}

/** Whether a text stands in any row of a schema. */
function isHeld(wire: Wire, schema: string, text: string): boolean {
  const tables = wire.ask("SELECT tablename FROM pg_tables WHERE schemaname = $1", [schema]);
  return tables.some(([name]) => {
    const found = `SELECT 1 FROM ${schema}."${name}" t WHERE strpos(t::text, $1) > 0 LIMIT 1`;
    return wire.ask(found, [text]).length > 0;
  });
}

export class EngineSide {
  private readonly options: EngineOptions;
  private life: Life;

  private constructor(options: EngineOptions, life: Life) {
    this.options = options;
    this.life = life;
  }

  static async open(options: EngineOptions): Promise<EngineSide> {
    const kept = await newKept(options.store);
    return new EngineSide(options, await live(options, options.start, kept));
  }

  ask(request: RawRequest): Promise<RawAnswer> {
    return this.life.talker.ask(request);
  }

  move(micros: bigint): void {
    this.life.clock.move(micros);
  }

  now(): bigint {
    return this.life.clock.now();
  }

  /** Whether its rows are kept by another process. */
  get isElsewhere(): boolean {
    return this.life.kept?.is === "schema";
  }

  /**
   * Starts the service anew on what it has stored: after an orderly stop, or on the files as a
   * sudden end leaves them. False, and nothing is done, where the store ends with the service.
   */
  async restart(how: "stop" | "kill"): Promise<boolean> {
    const { life, options } = this;
    const { kept } = life;
    if (kept === undefined) return false;
    const now = this.now();
    if (how === "stop" || kept.is === "schema") {
      await end(life, true);
      const isMoving = how === "stop" && options.store.startsWith("moving ");
      const next = isMoving ? await moved(kept, options.store) : kept;
      this.life = await live(options, now, next);
      return true;
    }
    const { folder } = kept;
    const other = newFolder();
    for (const name of readdirSync(folder)) {
      if (!name.endsWith("-shm")) copyFileSync(join(folder, name), join(other, name));
    }
    await end(life, false);
    this.life = await live(options, now, { is: "folder", folder: other });
    return true;
  }

  /** The rows of a resource by key; undefined where the store cannot be looked into. */
  rows(resource: string): readonly StoredRow[] | undefined {
    const { plan, newest = plan } = this.options;
    const [own, kept] = [plan, newest].map(
      ({ resources }) => resources.find(({ name }) => name === resource)?.fields ?? [],
    ) as [readonly Field[], readonly Field[]];
    const places = own.map((field) => kept.findIndex(({ name }) => name === field.name));
    return this.read((session) =>
      session.all(resource).map(({ key, values }) => {
        return { key, values: places.map((place) => values[place]) };
      }),
    );
  }

  /** All events that were recorded, in their order; undefined as above. */
  events(): readonly StoredEvent[] | undefined {
    return this.read((session) => session.events.after(0, 1_000_000));
  }

  private read<T>(look: (session: NonNullable<Life["reader"]>["session"]) => T): T | undefined {
    const { reader } = this.life;
    if (reader === undefined) return undefined;
    reader.begin("read");
    try {
      return look(reader.session);
    } finally {
      reader.rollback();
    }
  }

  /** Whether a text stands anywhere in the files of the store. */
  holds(text: string): boolean {
    const { kept } = this.life;
    if (kept === undefined) return false;
    if (kept.is === "schema") return isHeld(kept.wire, placeOf(kept.url).schema, text);
    const { folder } = kept;
    return readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text));
  }

  close(): Promise<void> {
    return end(this.life, false);
  }
}
