/** What an endpoint does, as text in which a form of it can be looked for. */
import type { Plan } from "../../plan/index.ts";

/** Something of a plan as JSON, and behind it each block of steps that it comes to, once. */
export function textOfAll(plan: Plan, of: unknown): string {
  const known = new Set<string>();
  const textOf = (one: unknown): string => {
    const text = JSON.stringify(one);
    const called = plan.routines.filter(({ name }) => {
      return !known.has(name) && text.includes(`"routine":${JSON.stringify(name)}`);
    });
    for (const { name } of called) known.add(name);
    return [text, ...called.map(textOf)].join("\n");
  };
  return textOf(of);
}
