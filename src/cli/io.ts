/** What a command may reach of the world: two outputs, the standard input, the terminal. */

import { once } from "node:events";
import { type Lines, LineWriter } from "./line-writer.ts";

/** A terminal narrower or wider than these is written for as if it had this width. */
const COLUMNS_MIN = 60;
const COLUMNS_MAX = 120;
const COLUMNS_DEFAULT = 100;

/** The world of a command; tests bring their own. Texts are written as they are. */
export interface Io {
  out(text: string): void;
  /** The same; settles when there is room for more. */
  outWhenRoom(text: string): Promise<void>;
  err(text: string): void;
  stdin(): Promise<Uint8Array>;
  /** The standard input, as it comes. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Lines on standard error that wait for nobody; `lost` words that some were lost. */
  lines(lost: (count: number) => string): Lines;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard output is a terminal; standard error's own is `isErrTerminal`. */
  readonly isTerminal: boolean;
  readonly isErrTerminal: boolean;
  /** Columns to write for. */
  readonly columns: number;
}

async function readAll(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

async function writeWhenRoom(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** The world of this process. */
export function processIo(): Io {
  const columns = process.stdout.columns ?? COLUMNS_DEFAULT;
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    outWhenRoom: writeWhenRoom,
    stdin: readAll,
    chunks: () => process.stdin,
    lines: (lost) => new LineWriter(lost),
    env: process.env,
    isTerminal: process.stdout.isTTY === true,
    isErrTerminal: process.stderr.isTTY === true,
    columns: Math.max(COLUMNS_MIN, Math.min(columns, COLUMNS_MAX)),
  };
}
