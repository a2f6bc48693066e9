/** The first help page: what the command is and which commands there are; runs nothing. */
import type { Paint } from "./paint.ts";

/** A command as the first page shows it. */
export interface Listed {
  readonly name: string;
  readonly args: string;
  readonly does: string;
}

/** The text of `lacuna --help`. */
export function helpText(commands: readonly Listed[], paint: Paint): string {
  const width = Math.max(...commands.map((each) => `${each.name} ${each.args}`.length));
  const lines = commands.map(({ name, args, does }) => {
    const gap = " ".repeat(width - name.length - args.length + 2);
    return `  ${paint.bold(name)} ${paint.dim(args)}${gap}${does}`;
  });
  return [
    `${paint.bold("lacuna")} reads a service interface specification, says what it states and ` +
      "what it does\nnot, and serves exactly that. Nothing is inferred.",
    "",
    paint.bold("Usage:"),
    "  lacuna COMMAND ...",
    "  lacuna COMMAND --help",
    "",
    paint.bold("Commands:"),
    ...lines,
    "",
    paint.bold("Everywhere:"),
    "  FILE may be `-`, the standard input.",
    "  --color, --no-color   colours even where there is no terminal, or none (also: NO_COLOR)",
    "  --version             the version of this program",
    "",
    paint.bold("Exit codes:"),
    "  0 no errors · 1 errors in a document · 2 wrong use of the command",
    "",
    paint.bold("Begin with:"),
    "  lacuna new spec.md && lacuna check spec.md",
    "",
  ].join("\n");
}
