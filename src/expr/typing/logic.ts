/** Types `!`, `&&`, `||`, `?:` and carries their facts; knows no other operator. */
import type { BinaryAst, ConditionalAst, UnaryAst } from "../ast.ts";
import { eitherBound } from "../bounds.ts";
import { commonFacts, factsUnder, mergeFacts } from "../facts.ts";
import { formatWithArticle } from "../format.ts";
import { BOOLEAN, commonType } from "../relations.ts";
import type { Facts } from "../types.ts";
import { known, narrowed, numberBound } from "./ranges.ts";
import type { Scope, Typed } from "./scope.ts";
import { behind, reject, visitCondition } from "./scope.ts";
import { widenTogether } from "./widen.ts";

/** `!a`: what holds where it is true and where it is false changes places. */
export function visitNot(ast: UnaryAst, scope: Scope, facts: Facts): Typed {
  const { code, whenTrue, whenFalse } = visitCondition(ast.operand, scope, facts);
  const negation = { op: "call", type: BOOLEAN, fn: "!", args: [code] } as const;
  return { code: negation, whenTrue: whenFalse, whenFalse: whenTrue };
}

/** `a && b`, `a || b`: the right side may rely on the left one being true, or being false. */
export function visitLogic(ast: BinaryAst, scope: Scope, facts: Facts): Typed {
  const both = ast.operator === "&&";
  const left = visitCondition(ast.left, scope, facts);
  const between = both ? left.whenTrue : left.whenFalse;
  const right = visitCondition(ast.right, behind(left.code, scope), factsUnder(facts, between));
  const args = [left.code, right.code];
  const code = { op: "call", type: BOOLEAN, fn: ast.operator, args } as const;
  return both
    ? {
        code,
        whenTrue: mergeFacts(between, right.whenTrue),
        whenFalse: commonFacts(left.whenFalse, right.whenFalse),
      }
    : {
        code,
        whenTrue: commonFacts(left.whenTrue, right.whenTrue),
        whenFalse: mergeFacts(between, right.whenFalse),
      };
}

/** `c ? a : b`: each branch may rely on the condition. */
export function visitConditional(ast: ConditionalAst, scope: Scope, facts: Facts): Typed {
  const condition = visitCondition(ast.condition, scope, facts);
  const inside = behind(condition.code, scope);
  const then = scope.visit(ast.then, inside, factsUnder(facts, condition.whenTrue));
  const otherwise = scope.visit(ast.otherwise, inside, factsUnder(facts, condition.whenFalse));
  const [a, b] = widenTogether([then.code, otherwise.code]);
  const type = a && b && commonType(a.type, b.type);
  if (!a || !b || !type) {
    const kinds = [then, otherwise].map(({ code }) => formatWithArticle(code.type)).join(" and ");
    const message = `both outcomes must have one type, and here are ${kinds}`;
    return reject(scope, ast, { code: "wrong-type", message });
  }
  const both = narrowed(type, eitherBound(numberBound(a), numberBound(b)));
  return {
    code: known({ op: "call", type: both, fn: "?:", args: [condition.code, a, b] }, facts),
    whenTrue: commonFacts(
      mergeFacts(condition.whenTrue, then.whenTrue),
      mergeFacts(condition.whenFalse, otherwise.whenTrue),
    ),
    whenFalse: commonFacts(
      mergeFacts(condition.whenTrue, then.whenFalse),
      mergeFacts(condition.whenFalse, otherwise.whenFalse),
    ),
  };
}
