/** The service under test: served over a socket, its clock moved, its store looked into. */
import { mkdtempSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plan } from "../../src/plan/index.ts";
import { movableClock, type MovableClock, type Running, serve } from "../../src/serve/index.ts";
import { openStore } from "../../src/store/index.ts";
import { type RawAnswer, type RawRequest, Talker } from "./talk.ts";

export interface EngineOptions {
  readonly plan: Plan;
  readonly start: bigint;
  readonly settings: Readonly<Record<string, string>>;
  readonly startRows: string | undefined;
  readonly store: "sqlite" | "memory";
  random(bytes: number): Uint8Array;
}

/** A stored row as the store gives it. */
export interface StoredRow {
  readonly key: number;
  readonly values: readonly unknown[];
}

export class EngineSide {
  private readonly running: Running;
  private readonly talker: Talker;
  private readonly clock: MovableClock;
  private readonly folder: string | undefined;
  private readonly reader: ReturnType<typeof openStore> | undefined;

  private constructor(running: Running, clock: MovableClock, options: EngineOptions,
    folder: string | undefined) {
    this.running = running;
    this.clock = clock;
    this.folder = folder;
    this.talker = new Talker(running.port);
    this.reader = folder === undefined ? undefined : openStore(options.plan,
      { store: { file: join(folder, "data.sqlite") }, mode: "read" });
  }

  static async open(options: EngineOptions): Promise<EngineSide> {
    const { plan, start, settings, startRows, random } = options;
    const memory = options.store === "memory";
    // A file in memory where there is one: what is compared is the meaning, not the disk.
    const base = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
    const folder = memory ? undefined : mkdtempSync(join(base, "lacuna-history-"));
    const clock = movableClock(start);
    const running = await serve(plan, {
      ...(folder === undefined ? { memory } : { file: join(folder, "data.sqlite"), inline: true }),
      clock, random, settings, startRows, environment: {},
    });
    return new EngineSide(running, clock, options, folder);
  }

  ask(request: RawRequest): Promise<RawAnswer> {
    return this.talker.ask(request);
  }

  move(micros: bigint): void {
    this.clock.move(micros);
  }

  now(): bigint {
    return this.clock.now();
  }

  /** The rows of a resource by key; undefined where the store cannot be looked into. */
  rows(resource: string): readonly StoredRow[] | undefined {
    const { reader } = this;
    if (reader === undefined) return undefined;
    reader.begin("read");
    try {
      return reader.session.all(resource).map(({ key, values }) => ({ key, values: [...values] }));
    } finally {
      reader.rollback();
    }
  }

  async close(): Promise<void> {
    this.talker.close();
    this.reader?.close();
    await this.running.stop();
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }
}
