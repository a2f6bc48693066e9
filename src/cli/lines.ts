/** Reads a file or the standard input line by line, however long it is. */
import { createReadStream, openSync, statSync } from "node:fs";
import { CannotServe } from "../serve/index.ts";
import { reasonOf } from "./files.ts";
import type { Io } from "./io.ts";

/** The lines of a file or the standard input (`-`), or one line that says why there are none. */
export function linesOfInput(io: Io, file: string): AsyncIterable<string> | string {
  if (file === "-") return linesOf("standard input", io.chunks());
  try {
    if (statSync(file).isDirectory()) return `${file}: ${reasonOf({ code: "EISDIR" })}`;
    return linesOf(file, createReadStream(file, { fd: openSync(file, "r") }));
  } catch (error) {
    return `${file}: ${reasonOf(error)}`;
  }
}

/** UTF-16 code units of the longest line that is taken in. */
const LINE_MAX = 64 * 1024 * 1024;

/** Text as UTF-8, by its lines; a carriage return before a line feed is none of the line. */
async function* linesOf(name: string, chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = "";
  for await (const chunk of chunks) {
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n");
    const ended = others.length === 0 ? [] : [begun + first, ...others.slice(0, -1)];
    begun = others.at(-1) ?? begun + first;
    for (const line of ended) yield line.endsWith("\r") ? line.slice(0, -1) : line;
    if (begun.length > LINE_MAX) throw new CannotServe([`${name}: a line is longer than 64 MiB`]);
  }
  begun += decoder.decode();
  if (begun !== "") yield begun;
}
