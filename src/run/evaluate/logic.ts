/** `!`, `&&`, `||`, `?:`: one side decides, even where the other is a fault (CEL langdef). */
import { absorbable } from "./fault.ts";
import type { Build, Closure, State } from "./values.ts";
import { argument } from "./values.ts";

type Condition = (state: State) => boolean;

/** `deciding`: the value of one side that is the result whatever the other is. */
function either(a: Condition, b: Condition, deciding: boolean): Closure {
  return (state) => {
    try {
      if (a(state) === deciding) return deciding;
    } catch (error) {
      const fault = absorbable(error);
      if (decides(b, state, deciding)) return deciding;
      throw fault;
    }
    return b(state);
  };
}

/** Whether a side comes to `deciding`; a fault of its own does not. */
function decides(side: Condition, state: State, deciding: boolean): boolean {
  try {
    return side(state) === deciding;
  } catch (error) {
    absorbable(error);
    return false;
  }
}

/** The closure of `&&` or `||`; `safe`: the left side is never a fault. */
export function logical(fn: string, args: readonly Closure[], safe: boolean): Closure {
  const [a, b] = [argument<boolean>(args, 0), argument<boolean>(args, 1)];
  if (!safe) return either(a, b, fn === "||");
  return fn === "||" ? (state) => a(state) || b(state) : (state) => a(state) && b(state);
}

export const logicBuilds = {
  "!": (args) => {
    const value = argument<boolean>(args, 0);
    return (state) => !value(state);
  },
  "?:": (args) => {
    const condition = argument<boolean>(args, 0);
    const [then, otherwise] = [argument(args, 1), argument(args, 2)];
    return (state) => (condition(state) ? then(state) : otherwise(state));
  },
} as const satisfies Readonly<Record<string, Build>>;
