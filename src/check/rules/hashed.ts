/** Rule: what is kept of a secret is a hash; nobody can keep the secret itself a second time. */
import type { Expression, Field } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import type { Placed } from "./places.ts";

/** Values that a step stores in fields. */
function storedBy({ step }: Placed): readonly Expression[] {
  if (step.kind === "create") return step.with.map(({ value }) => value);
  return step.kind === "set" ? [step.value] : [];
}

function isHashed({ rules }: Field): boolean {
  return rules.some((rule) => rule.kind === "kept as" && rule.hash.kind !== "plain");
}

/** The hashed field that an expression reads from a row which is there already. */
function hashRead(c: RuleContext, placed: Placed, { code }: Expression): string | undefined {
  if (code.op !== "get" || code.of.type.kind !== "row") return undefined;
  const { resource } = code.of.type;
  const field = c.resources.get(resource)?.fields.find(({ name }) => name === code.member);
  if (field === undefined || !isHashed(field)) return undefined;
  const row = code.of.op === "name" ? code.of.name : undefined;
  // The secret of a row that the same steps have made is known still.
  const isMade = c.steps.some(
    ({ step, owner }) => owner === placed.owner && step.kind === "create" && step.as === row,
  );
  return isMade ? undefined : `${resource}.${field.name}`;
}

/** Reports `wrong-type`. */
export const hashed: Rule = (c) => {
  for (const placed of c.steps) {
    for (const value of storedBy(placed)) {
      const field = hashRead(c, placed, value);
      if (field === undefined) continue;
      report(c, {
        code: "wrong-type",
        severity: "error",
        at: placed.step.id,
        message: `\`${field}\` keeps a hash: the secret that was given is not known any more.`,
        hint: "Take the secret where it is given, or keep it with `kept as it is`.",
      });
    }
  }
};
