/** Draws what `lacuna check` prints of an example as docs/check.svg, for the README. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";

const COLOURS: Readonly<Record<string, string>> = {
  "31": "#d1242f",
  "32": "#1a7f37",
  "33": "#9a6700",
  "34": "#0969da",
  "35": "#8250df",
  "36": "#1b7c83",
};
const WIDTH = 8.4;
const HEIGHT = 19;
const MARGIN = 18;

interface Piece {
  readonly text: string;
  readonly colour: string;
  readonly bold: boolean;
  readonly dim: boolean;
}

/** The pieces of one line of a terminal, by their SGR codes. */
function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let style = { colour: "#1f2328", bold: false, dim: false };
  for (const part of line.split(/(\u001b\[[0-9;]*m)/)) {
    if (!part.startsWith("\u001b[")) {
      if (part !== "") pieces.push({ text: part, ...style });
      continue;
    }
    for (const code of part.slice(2, -1).split(";")) {
      if (code === "1") style = { ...style, bold: true };
      else if (code === "2") style = { ...style, dim: true };
      else if (code === "22") style = { ...style, bold: false, dim: false };
      else if (code === "0") style = { colour: "#1f2328", bold: false, dim: false };
      else style = { ...style, colour: COLOURS[code] ?? "#1f2328" };
    }
  }
  return pieces;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function drawLine(line: string, row: number): string {
  let column = 0;
  return piecesOf(line)
    .map((piece) => {
      const x = MARGIN + column * WIDTH;
      column += [...piece.text].length;
      const weight = piece.bold ? ' font-weight="600"' : "";
      const opacity = piece.dim ? ' opacity="0.6"' : "";
      return (
        `<text x="${x.toFixed(1)}" y="${MARGIN + (row + 1) * HEIGHT - 5}" ` +
        `fill="${piece.colour}"${weight}${opacity} xml:space="preserve" ` +
        `textLength="${([...piece.text].length * WIDTH).toFixed(1)}">${escaped(piece.text)}</text>`
      );
    })
    .join("");
}

const args = ["src/cli/main.ts", "check", "examples/conduit/spec.md", "--color"];
const command = "$ lacuna check examples/conduit/spec.md";
const printed = execFileSync(process.execPath, args, { encoding: "utf8" });
const lines = [command, "", ...printed.trimEnd().split("\n")];
const columns = lines.map((line) => [...line.replaceAll(/\u001b\[[0-9;]*m/g, "")].length);
const width = MARGIN * 2 + WIDTH * Math.max(...columns);
const height = MARGIN * 2 + HEIGHT * lines.length;
const svg =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
  `font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">` +
  `<rect width="100%" height="100%" rx="8" fill="#ffffff" stroke="#d1d9e0"/>` +
  `${lines.map(drawLine).join("\n")}</svg>\n`;
writeFileSync(new URL("../docs/check.svg", import.meta.url), svg);
