/** Rule: an input that is needed is not required again by a step. */
import { type Code, conjuncts } from "../../expr/index.ts";
import { type Rule, report } from "./context.ts";
import { endpointKey } from "./places.ts";

/** `query.limit` where code is `has(query.limit)`. */
function hasPath(code: Code): string | undefined {
  if (code.op !== "has") return undefined;
  const parts = [code.member];
  let of = code.of;
  for (; of.op === "get"; of = of.of) parts.unshift(of.member);
  return of.op === "name" ? [of.name, ...parts].join(".") : undefined;
}

/** Reports `claimed-twice`. */
export const claims: Rule = (c) => {
  for (const { step, owner } of c.steps) {
    const { endpoint } = owner;
    if (step.kind !== "require" || endpoint === undefined) continue;
    const asked = new Set(conjuncts(step.condition.code).map(hasPath));
    const input = endpoint.inputs.find(
      (one) => one.needed === "yes" && asked.has(`${one.in}.${one.name}`),
    );
    if (input === undefined) continue;
    report(c, {
      code: "claimed-twice",
      severity: "error",
      at: step.id,
      message:
        `\`${input.name}\` is needed by the input table of \`${endpointKey(endpoint)}\`, ` +
        "and required again here with an error of its own.",
      hint: "Write `no` under Needed, or take this step away.",
      related: [{ span: c.origins.get(input.id) ?? { start: 0, end: 0 }, message: "needed here" }],
    });
  }
};
