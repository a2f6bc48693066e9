/** Rule: no answer, event or error tells what is made of a secret that the service keeps. */
import type { Code } from "../../expr/index.ts";
import {
  type Assignment,
  type Expression,
  isStated,
  type Refusal,
  type Step,
} from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** Whether a secret that is kept in a row goes into the value itself. */
function tells(code: Code): boolean {
  switch (code.op) {
    case "call": {
      const [a] = code.args;
      if (["==", "!=", "<", "<=", ">", ">=", "in", "password_matches"].includes(code.fn))
        return false;
      if (code.fn === "sha256" && a !== undefined) return isKeptSecret(a);
      if (code.fn === "?:") return code.args.slice(1).some(tells);
      return code.args.some(tells);
    }
    case "list":
      return code.items.some(tells);
    case "map":
      return code.entries.some(({ value }) => tells(value));
    case "index":
    case "get":
      return tells(code.of);
    case "each":
      return code.macro === "map" && tells(code.body);
    case "absent":
    case "gap":
    case "literal":
    case "name":
    case "rows":
    case "has":
      return false;
  }
}

function isKeptSecret(code: Code): boolean {
  if (code.op !== "get" || code.of.type.kind !== "row") return false;
  const { type } = code;
  return type.kind === "secret" || (type.kind === "nullable" && type.of.kind === "secret");
}

const valuesIn = (all: readonly Assignment[]): Expression[] => all.map(({ value }) => value);
const valuesOf = (refusal: Refusal | undefined): Expression[] =>
  refusal?.is === "error" ? valuesIn(refusal.with) : [];

/** What a step sends to a client. */
function sentBy(step: Step): Expression[] {
  if (step.kind === "refuse") return valuesOf(step.refusal);
  if (step.kind === "require" || step.kind === "fire") return valuesOf(step.otherwise);
  if (step.kind !== "respond") return [];
  const { body, headers } = step;
  const sent = valuesIn(headers);
  if (body.is === "value" || body.is === "text") return [...sent, body.value];
  return body.is === "shape with" ? [...sent, ...valuesIn(body.with)] : sent;
}

function judge(c: RuleContext, value: Expression, at: string): void {
  if (!tells(value.code)) return;
  report(c, {
    code: "secret-told",
    severity: "warning",
    at: c.places.get(value) ?? at,
    message: "A hash of a secret is sent: whoever has it can try secrets until one fits.",
    hint: "Take it out, or show something that is not made of the secret.",
  });
}

/** Reports `secret-told`. */
export const secretsShown: Rule = (c) => {
  for (const shape of c.service.shapes) {
    for (const { value, id } of shape.fields) if (isStated(value)) judge(c, value.value, id);
  }
  for (const { step } of c.steps) for (const value of sentBy(step)) judge(c, value, step.id);
};
