/** Rule: a token that the service issues is one by which it finds the caller again. */
import { type Code, conjuncts } from "../../expr/index.ts";
import { isStated, type Scheme } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { fieldShown } from "./shown.ts";

function isSubject(code: Code): boolean {
  return (
    code.op === "get" && code.member === "sub" && code.of.op === "name" && code.of.name === "claims"
  );
}

/** The field of the row that a condition compares with the token's subject. */
function comparedWith(code: Code): string | undefined {
  if (code.op !== "call" || code.fn !== "==") return undefined;
  const [a, b] = code.args;
  if (a === undefined || b === undefined) return undefined;
  if (isSubject(b)) return fieldShown(a);
  return isSubject(a) ? fieldShown(b) : undefined;
}

function judge(c: RuleContext, { subject, caller, id }: Scheme): void {
  if (!isStated(subject) || !isStated(caller)) return;
  const given = fieldShown(subject.value.code);
  if (given === undefined) return;
  const wanted = conjuncts(caller.value.where.code)
    .map(comparedWith)
    .find((one) => one !== undefined);
  if (wanted === undefined || wanted === given) return;
  report(c, {
    code: "subject-lost",
    severity: "warning",
    at: c.places.get(subject.value) ?? id,
    message:
      `A token names \`${given}\` of its row, and the caller is found by \`${wanted}\`: ` +
      "no token finds the row that it was made for.",
    hint: `Write \`it.${wanted}\` here, or compare \`it.${given}\` under Caller.`,
    related: [{ span: c.origins.get(caller.id) ?? { start: 0, end: 0 }, message: "compared here" }],
  });
}

/** Reports `subject-lost`. */
export const subjects: Rule = (c) => {
  for (const scheme of c.service.schemes) judge(c, scheme);
};
