/** A world for commands in tests: keeps what they write, brings a standard input; no process. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { run } from "../../src/cli/commands.ts";
import type { Io } from "../../src/cli/io.ts";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface Given {
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly isTerminal?: boolean;
  readonly columns?: number;
}

/** Runs a command in this process. */
export async function lacuna(args: readonly string[], given: Given = {}): Promise<Ran> {
  const { stdin = "", env = {}, isTerminal = false, columns = 100 } = given;
  let out = "";
  let err = "";
  const io: Io = {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    outWhenRoom: async (text) => void (out += text),
    chunks: () => Readable.from([Buffer.from(stdin)]),
    stdin: async () => (typeof stdin === "string" ? new TextEncoder().encode(stdin) : stdin),
    lines: () => ({ write: (line) => void (err += `${line}\n`), lost: 0, end: async () => {} }),
    env,
    isTerminal,
    isErrTerminal: isTerminal,
    columns,
  };
  const code = await run(args, io);
  return { code, out, err };
}

/** An empty folder that is gone when the test ends. */
export function folder(t: { after(act: () => void): void }): string {
  const path = mkdtempSync(join(tmpdir(), "lacuna-"));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
