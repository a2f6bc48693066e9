/** Names of steps hold rows, not references: turns the keys that expressions give into rows. */
import type { Type } from "../../expr/index.ts";
import type { Expression } from "../../plan/index.ts";
import type { Activation, Scope } from "../context/activation.ts";
import { EvaluationFault } from "../evaluate/index.ts";
import type { Row, Value } from "../ports/index.ts";
import { compileOptional } from "./expression.ts";
import { labelOf } from "./sight.ts";
import type { Evaluated } from "./specialize.ts";

type Load = (activation: Activation, value: Value) => Value;

function loaderOf(type: Type, through: string): Load | undefined {
  if (type.kind === "nullable") return loaderOf(type.of, through);
  if (type.kind === "row") {
    const { resource } = type;
    return ({ tx, seesAll }, value) => {
      if (typeof value !== "number") return value;
      const row: Row | undefined = tx.get(resource, value);
      if (row !== undefined) {
        if (!seesAll) tx.see(row, through);
        return row;
      }
      throw new EvaluationFault("missing-row", `a reference names no row of ${resource}`);
    };
  }
  if (type.kind !== "list") return undefined;
  const item = loaderOf(type.of, through);
  const resource = type.of.kind === "row" ? type.of.resource : undefined;
  if (item === undefined) return undefined;
  return (activation, value) => {
    if (!Array.isArray(value)) return value;
    if (resource !== undefined) {
      activation.tx.prefetch(
        resource,
        value.filter((one) => typeof one === "number"),
      );
    }
    return value.map((one: Value) => item(activation, one));
  };
}

/** Compiles an expression whose value a step names: rows, also where it gives references. */
export function compileNamed(scope: Scope, expression: Expression): Evaluated {
  const evaluate = compileOptional(scope, expression);
  const load = loaderOf(expression.code.type, labelOf(expression.code));
  return load === undefined ? evaluate : (activation) => load(activation, evaluate(activation));
}
