/** Reports a first value that names the row itself: until it is made, nothing names it. */
import { type Code, partsOf } from "../../../expr/index.ts";
import type { TextSlot } from "../../../spec/index.ts";
import { type Resolver, report } from "../names/resolver.ts";

const isItself = (code: Code): boolean =>
  code.op === "name" && code.name === "it" && code.type.kind === "row";

function namesItself(code: Code): boolean {
  if (isItself(code)) return true;
  const isAsked =
    code.op === "get" ||
    code.op === "has" ||
    (code.op === "call" && (code.fn === "==" || code.fn === "!="));
  const parts = code.op === "each" && code.as === "it" ? [code.over] : partsOf(code);
  return parts.some((one) => !(isAsked && isItself(one)) && namesItself(one));
}

/** Reports `wrong-type`. */
export function refuseItself(r: Resolver, slot: TextSlot, code: Code): void {
  if (!namesItself(code)) return;
  report(r, "wrong-type", slot, {
    message: "`it` is not made yet when this value is: nothing can name it.",
    hint: "Let the field start as `null`, and set it in a step behind `Create`.",
  });
}
