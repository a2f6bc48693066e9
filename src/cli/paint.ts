/** Colours of what is printed, and when there are any; must not know what is printed. */
import colours from "picocolors";
import type { Io } from "./io.ts";

export type Brush = (text: string) => string;

/** Named by what they mark; without colour each gives its text back. */
export interface Paint {
  readonly bold: Brush;
  readonly dim: Brush;
  readonly error: Brush;
  readonly gap: Brush;
  readonly warning: Brush;
  readonly note: Brush;
  readonly review: Brush;
  readonly good: Brush;
  readonly code: Brush;
}

/**
 * The brushes for one output. `wanted` is what `--color` or `--no-color` says; else NO_COLOR
 * (no-color.org) and FORCE_COLOR decide, else whether the output is a terminal.
 */
export function paintFor(io: Io, wanted: boolean | undefined, isTerminal: boolean): Paint {
  const { NO_COLOR, FORCE_COLOR, TERM } = io.env;
  const asked = (FORCE_COLOR ?? "") !== "" && FORCE_COLOR !== "0";
  const silenced = (NO_COLOR ?? "") !== "" || TERM === "dumb";
  const { bold, dim, red, magenta, yellow, cyan, green, blue } = colours.createColors(
    wanted ?? (!silenced && (asked || isTerminal)),
  );
  return {
    bold,
    dim,
    error: red,
    gap: magenta,
    warning: yellow,
    note: cyan,
    review: blue,
    good: green,
    code: blue,
  };
}
