/** Rule: points out the reads whose work grows with the rows that are kept. */
import { never } from "../../base/index.ts";
import { type Code, rename, render } from "../../expr/index.ts";
import { type Growing, type Growth, growingReads } from "../../plan/index.ts";
import { type Rule, report } from "./context.ts";

/** Code as an author would write it, on one line. */
const written = (code: Code): string => `\`${render(rename(code, "#row", "it"))}\``;

const names = (all: readonly string[]): string => all.map((one) => `\`${one}\``).join(", ");

function sortedText(why: Growth & { is: "sorted" }): string {
  const order = why.order.map(written).join(", then ") || "their making";
  const what =
    why.part !== undefined
      ? `No index finds ${written(why.part)} in the order of ${order}`
      : why.equal.length > 0
        ? `No index begins with ${names(why.equal)} and is then in the order of ${order}`
        : `No index is in the order of ${order}`;
  return `${what}: what fulfils the condition is read as a whole, and sorted`;
}

function textOf({ why, resource }: Growing): string {
  const rows = `rows of \`${resource}\``;
  switch (why.is) {
    case "all read":
    case "all counted": {
      const which = why.isNarrowed ? `${rows} that fulfil the condition` : rows;
      return `All ${which} are ${why.is === "all read" ? "read" : "counted"}`;
    }
    case "searched":
      return `No index answers ${written(why.part)}: ${rows} are gone through to find enough`;
    case "computed":
      return `The store cannot judge ${written(why.part)}: all ${rows} are read for it`;
    case "sorted":
      return sortedText(why);
    case "far page":
      return `The page begins where the request says: all ${rows} before it are gone through`;
    case "long page":
      return `The page of ${rows} is as long as the request says`;
    case "page after":
      return `All ${rows} of the list are read to find where the page begins`;
    default:
      return never(why);
  }
}

/** Reports `grows-with-rows`. */
export const growing: Rule = (c) => {
  for (const one of growingReads(c.service)) {
    report(c, {
      code: "grows-with-rows",
      severity: "note",
      at: one.at.findLast((id) => c.origins.has(id)),
      message: `${textOf(one)}.`,
    });
  }
};
