/** Rule: what can be stated once under a heading is stated once. */

import { bullets } from "../../language/index.ts";
import type { BulletNode, SectionNode } from "../../spec/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

const ONCE = new Set(["inputs", "shape", "transitions", "says"]);
const many = new Map(
  bullets.flatMap((entry) =>
    entry.in.map((scope) => [`${scope} ${entry.id}`, entry.many] as const),
  ),
);

function second(c: RuleContext, section: SectionNode): void {
  const seen = new Map<string, BulletNode>();
  for (const bullet of section.bullets) {
    // `Path` of a stream, and `Path` of one of its parameters, are two things.
    const key = bullet.match.slots.param === undefined ? bullet.key : `${bullet.key} {}`;
    const before = seen.get(key);
    seen.set(key, bullet);
    const again =
      before !== undefined &&
      [before, bullet].some((one) => many.get(`${section.scope} ${one.match.form}`) === false);
    if (!again) continue;
    report(c, {
      code: "second-bullet",
      severity: "error",
      at: bullet,
      message: `This heading has a bullet with the key '${bullet.key}' already.`,
      hint: "Keep the one that is meant.",
      related: [{ span: { start: before.start, end: before.end }, message: "the first one" }],
    });
  }
}

/** Reports `second-bullet`, `second-table`. */
export const twice: Rule = (c) => {
  for (const part of c.spec.parts) {
    for (const section of part.sections) {
      second(c, section);
      const tables = new Set<string>();
      for (const table of section.tables) {
        if (tables.has(table.table) && ONCE.has(table.table)) {
          report(c, {
            code: "second-table",
            severity: "error",
            at: table,
            message: "A second table of this kind stands under this heading.",
            hint: "Put all rows into one table.",
          });
        }
        tables.add(table.table);
      }
    }
  }
};
