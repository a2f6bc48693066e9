/** What a command is: its arguments and options, its help, and what it does; runs none. */
import type { Command } from "commander";
import type { Io } from "./io.ts";
import type { Paint } from "./paint.ts";

/** Exit codes: done; errors in a document; wrong use of the command. */
export const DONE = 0;
export const ERRORS = 1;
const WRONG_USE = 2;

/** One call of a command: what was given, and the world. `O` is the shape of its options. */
export interface Call<O = Readonly<Record<string, never>>> {
  readonly args: readonly string[];
  readonly options: O;
  readonly io: Io;
  /** Brushes for standard output and for standard error. */
  readonly paint: Paint;
  readonly errPaint: Paint;
}

/** A command: `define` declares arguments, options and examples, `run` gives the exit code. */
export interface CommandModule<O = Readonly<Record<string, never>>> {
  define(command: Command): void;
  run(call: Call<O>): Promise<number>;
}

/** The part of a help text that shows examples, each with what it does. */
export function examples(...rows: readonly (readonly [line: string, does: string])[]): string {
  const width = Math.max(...rows.map(([line]) => line.length));
  const lines = rows.map(([line, does]) => `  ${line.padEnd(width)}   ${does}`);
  return `\nExamples:\n${lines.join("\n")}\n`;
}

/** Writes one line for people to standard error, and gives the code for wrong use. */
export function refuse(io: Io, ...lines: readonly string[]): number {
  for (const line of lines) io.err(`lacuna: ${line}\n`);
  return WRONG_USE;
}
