/** Says on a terminal what is being done with a large document; says nothing elsewhere. */
import type { Io } from "./io.ts";

/** Documents below this size are done before a line could be read. */
const LARGE_BYTES = 1_000_000;
const BEGIN_LINE = "\r\u001b[2K";

/** Puts what is being done in the place of what was said before; undefined: it is over. */
export type Stage = (what: string | undefined) => void;

/** For a document of that size, with its name. */
export function progress(
  { isErrTerminal, err }: Pick<Io, "isErrTerminal" | "err">,
  file: string,
  bytes: number,
): Stage {
  if (!isErrTerminal || bytes < LARGE_BYTES) return () => {};
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  return (what) =>
    err(what === undefined ? BEGIN_LINE : `${BEGIN_LINE}${what} ${file} (${size}) …`);
}
