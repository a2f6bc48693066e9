/** Counts the written items of a specification by what each is. */
import { type Spec, statusOf, type WrittenStatus } from "../spec/index.ts";
import type { Counts } from "./types.ts";

/**
 * Counts headings, bullets, table cells, steps and sentences by what each is. `gaps` and `silent`
 * are counted by the checker, which finds them in tails and steps too.
 */
export function countItems(spec: Spec, missing: { gaps: number; silent: number }): Counts {
  const counts = { stated: 0, none: 0, free: 0, "not shown": 0 } satisfies Record<
    WrittenStatus,
    number
  >;
  for (const part of spec.parts) {
    for (const section of part.sections) {
      if (section.heading !== undefined) counts.stated++;
      counts.stated += section.prose.length > 0 ? 1 : 0;
      for (const bullet of section.bullets) counts[bullet.status]++;
      for (const sentence of section.sentences) counts[sentence.status]++;
      for (const table of section.tables) {
        for (const row of table.rows) {
          for (const cell of row.cells) {
            counts[statusOf(cell)]++;
          }
        }
      }
      const steps = [...section.steps];
      for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
        counts.stated++;
        for (const child of step.children) steps.push(child);
        for (const one of step.cases) steps.push(one.step);
      }
    }
  }
  return {
    stated: counts.stated,
    none: counts.none,
    free: counts.free,
    notShown: missing.gaps,
    silent: missing.silent,
  };
}
