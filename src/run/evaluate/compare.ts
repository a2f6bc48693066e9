/** Closures of `==`, `!=` and the order operators, chosen by the types of both sides. */
import { equalityOf, isPlain } from "./equality.ts";
import { orderOf } from "./order.ts";
import type { Build } from "./values.ts";
import { argument, kindOf } from "./values.ts";

function equality(negated: boolean): Build {
  return (args, code) => {
    const [a, b] = [argument(args, 0), argument(args, 1)];
    const [left, right] = [code.args[0]?.type, code.args[1]?.type];
    if (!left || !right) throw new Error("an equality lacks a side");
    if (isPlain(left) || isPlain(right) || left.kind === "null" || right.kind === "null") {
      return negated ? (state) => a(state) !== b(state) : (state) => a(state) === b(state);
    }
    const equal = equalityOf(left, right);
    return (state) => equal(a(state), b(state), state) !== negated;
  };
}

function order(holds: (order: number) => boolean): Build {
  return (args, code) => {
    const [a, b] = [argument(args, 0), argument(args, 1)];
    const compare = orderOf(kindOf(code, 0));
    return (state) => holds(compare(a(state), b(state)));
  };
}

export const compareBuilds = {
  "==": equality(false),
  "!=": equality(true),
  "<": order((found) => found < 0),
  "<=": order((found) => found <= 0),
  ">": order((found) => found > 0),
  ">=": order((found) => found >= 0),
} as const satisfies Readonly<Record<string, Build>>;
