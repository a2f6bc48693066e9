/** Columns that are alike in each row of a table: said once, in a bullet above it. */
import type { Span } from "../../base/index.ts";
import { type Scope, tables } from "../../language/index.ts";
import type { Bullet, Inline } from "../blocks/index.ts";
import { type Context, report, stretchOf } from "./context.ts";

/** What a bullet `- Every Body: ...` says of the next table below it. */
export interface Alike extends Span {
  /** The column's title. */
  readonly title: string;
  /** What stands in the column, in each row. */
  readonly cell: Inline;
}

/** Titles of the columns that a table of the scope may have, but the first, which names rows. */
function titlesIn(scope: Scope): readonly string[] {
  const here = tables.filter((entry) => entry.in.includes(scope));
  const behind = here.flatMap(({ columns }) => columns.slice(1).map(({ title }) => title));
  return behind.filter((title) => title !== "*");
}

/** Reads a bullet as one about a column; undefined where it is another bullet. */
export function readAlike(context: Context, scope: Scope, bullet: Bullet): Alike | undefined {
  const { tokens, start, end } = stretchOf(context, bullet.inline);
  const colon = tokens.findIndex(({ kind, text }) => kind === "mark" && text === ":");
  const [every, ...words] = tokens.slice(0, Math.max(0, colon));
  const isSaid = every?.text === "Every" && words.every(({ kind }) => kind === "word");
  const title = words.map(({ text }) => text).join(" ");
  const first = tokens[colon + 1];
  if (!isSaid || first === undefined || !titlesIn(scope).includes(title)) return undefined;
  return { title, cell: { start: first.start, end, inCell: false }, start, end };
}

/** Reports what no table stands below for. */
export function reportLeft(context: Context, left: readonly Alike[], table?: Span): void {
  for (const { title, start, end } of left) {
    report(
      context,
      "unknown-bullet",
      { start, end },
      {
        message:
          table === undefined
            ? `No table stands below that has no column ${title}.`
            : `The table below has a column ${title} of its own, or such tables have none.`,
        hint: "It stands above the table in place of the column: take one of the two away.",
      },
    );
  }
}
