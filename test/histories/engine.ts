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
import { openStore } from "../../src/store/index.ts";
import { type RawAnswer, type RawRequest, Talker } from "./talk.ts";

export interface EngineOptions {
  readonly plan: Plan;
  /** The document beside which it is served, as an older version. Default: it is alone. */
  readonly newest?: Plan | undefined;
  readonly start: bigint;
  readonly settings: Readonly<Record<string, string>>;
  readonly startRows: string | undefined;
  readonly store: "sqlite" | "memory";
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
  readonly folder: string | undefined;
  readonly reader: ReturnType<typeof openStore> | undefined;
}

/** A file in memory where there is one: what is compared is the meaning, not the disk. */
function newFolder(): string {
  return mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "lacuna-history-"));
}

async function live(
  options: EngineOptions,
  start: bigint,
  folder: string | undefined,
): Promise<Life> {
  const { plan, newest = plan, settings, startRows, random, code } = options;
  const clock = movableClock(start);
  const file = folder === undefined ? undefined : join(folder, "data.sqlite");
  const running = await serve(newest, {
    ...(newest === plan ? {} : { older: [{ plan }] }),
    ...(file === undefined ? { memory: true } : { file, inline: true }),
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
    folder,
    reader:
      file === undefined
        ? undefined
        : openStore(withStreams(newest), { store: { file }, mode: "read" }),
  };
}

async function end({ running, talker, reader, folder }: Life, keepFiles: boolean): Promise<void> {
  talker.close();
  reader?.close();
  await running.stop();
  if (folder !== undefined && !keepFiles) rmSync(folder, { recursive: true, force: true });
}

export class EngineSide {
  private readonly options: EngineOptions;
  private life: Life;

  private constructor(options: EngineOptions, life: Life) {
    this.options = options;
    this.life = life;
  }

  static async open(options: EngineOptions): Promise<EngineSide> {
    const folder = options.store === "memory" ? undefined : newFolder();
    return new EngineSide(options, await live(options, options.start, folder));
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

  /**
   * Starts the service anew on what it has stored: after an orderly stop, or on the files as a
   * sudden end leaves them. False, and nothing is done, where the store ends with the service.
   */
  async restart(how: "stop" | "kill"): Promise<boolean> {
    const { life, options } = this;
    const { folder } = life;
    if (folder === undefined) return false;
    const now = this.now();
    if (how === "stop") {
      await end(life, true);
      this.life = await live(options, now, folder);
      return true;
    }
    const other = newFolder();
    for (const name of readdirSync(folder)) {
      if (!name.endsWith("-shm")) copyFileSync(join(folder, name), join(other, name));
    }
    await end(life, false);
    this.life = await live(options, now, other);
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
    const { folder } = this.life;
    if (folder === undefined) return false;
    return readdirSync(folder).some((name) => readFileSync(join(folder, name)).includes(text));
  }

  close(): Promise<void> {
    return end(this.life, false);
  }
}
