/** Names of steps hold rows, not references: turns the keys that expressions give into rows. */
import type { Type } from "../../expr/index.ts";
import type { Expression } from "../../plan/index.ts";
import type { Activation, Scope } from "../context/activation.ts";
import { EvaluationFault } from "../evaluate/index.ts";
import type { Row, Value } from "../ports/index.ts";
import { compileOptional } from "./expression.ts";
import type { Evaluated } from "./specialize.ts";

type Load = (frame: Activation, value: Value) => Value;

function loaderOf(type: Type): Load | undefined {
  if (type.kind === "nullable") return loaderOf(type.of);
  if (type.kind === "row") {
    const { resource } = type;
    return ({ work }, value) => {
      if (typeof value !== "number") return value;
      const row: Row | undefined = work.get(resource, value);
      if (row !== undefined) return row;
      throw new EvaluationFault("missing-row", `a reference names no row of ${resource}`);
    };
  }
  if (type.kind !== "list") return undefined;
  const item = loaderOf(type.of);
  const resource = type.of.kind === "row" ? type.of.resource : undefined;
  if (item === undefined) return undefined;
  return (frame, value) => {
    if (!Array.isArray(value)) return value;
    if (resource !== undefined) {
      frame.work.prefetch(
        resource,
        value.filter((one) => typeof one === "number"),
      );
    }
    return value.map((one: Value) => item(frame, one));
  };
}

/** Compiles an expression whose value a step names: rows, also where it gives references. */
export function compileNamed(unit: Scope, expression: Expression): Evaluated {
  const evaluate = compileOptional(unit, expression);
  const load = loaderOf(expression.code.type);
  return load === undefined ? evaluate : (frame) => load(frame, evaluate(frame));
}
