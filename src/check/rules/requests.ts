/** Rule: no two endpoints, and no stream, match one and the same request. */
import { isStated } from "../../plan/index.ts";
import { type Rule, report } from "./context.ts";

/** `POST /a/{x}` without the names of its parameters. */
function shapeOf(key: string): string {
  return key.replaceAll(/\{[^}/.]*/g, "{");
}

/** Reports `same-request`. */
export const requests: Rule = (c) => {
  const seen = new Map<string, { key: string; id: string }>();
  const streams = c.service.streams.flatMap((one) =>
    isStated(one.path) ? [{ key: one.path.value, id: one.path.id }] : [],
  );
  const endpoints = [...c.endpoints].map(([key, one]) => ({ key, id: one.id }));
  for (const one of [...endpoints, ...streams]) {
    const shape = shapeOf(one.key);
    const before = seen.get(shape);
    if (before === undefined) {
      seen.set(shape, one);
      continue;
    }
    report(c, {
      code: "same-request",
      severity: "error",
      at: one.id,
      message: `\`${one.key}\` and \`${before.key}\` match the same requests.`,
      hint: "Give one of them another path; names of parameters do not tell paths apart.",
      related: [{ span: c.origins.get(before.id) ?? { start: 0, end: 0 }, message: "the other" }],
    });
  }
};
