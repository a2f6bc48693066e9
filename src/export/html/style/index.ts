/** The styles of the page, from colours to print. */
import { BASE } from "./base.ts";
import { COLOURS } from "./colours.ts";
import { LAYOUT } from "./layout.ts";
import { PIECES } from "./pieces.ts";
import { PRINT } from "./print.ts";

const tight = (css: string): string =>
  css
    .replaceAll(/\/\*.*?\*\//gs, "")
    .replaceAll(/\s*\n\s*/g, "\n")
    .trim();

/** All of it, as the element's text; a page's policy names its hash. */
export const STYLE = [COLOURS, BASE, LAYOUT, PIECES, PRINT].map(tight).join("\n");
