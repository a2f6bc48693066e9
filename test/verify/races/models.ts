/** What operations do: a register that is read, written and swapped, and a text that grows. */
import type { Model } from "../../../src/verify/races/linearize.ts";

/** A state after an operation; undefined where it cannot have that result in this state. */
type Step<T> = (state: string, operation: T) => string | undefined;

/** The model of what is one text; `isRead`: what changes nothing, in whatever state. */
function modelOf<T>(initial: string, step: Step<T>, isRead: (what: T) => boolean): Model<T> {
  const states = [initial];
  const state = (): string => states.at(-1) as string;
  return {
    state,
    isRead,
    undo: () => void states.pop(),
    step: (what, way) => {
      const after = way === 0 ? step(state(), what) : undefined;
      if (after !== undefined) states.push(after);
      return after !== undefined;
    },
  };
}

/** A register that holds that value at first. */
export function registerModel(initial: string): Model<Registering> {
  return modelOf(initial, register, (one) =>
    one.op === "swap" ? one.done === false : one.op === "read",
  );
}

/** A text that is empty at first. */
export function textModel(): Model<Texting> {
  return modelOf("", text, ({ op }) => op === "get");
}

/** A swap tells whether it was done. */
export type Registering =
  /** `value` undefined: nobody knows what was read. */
  | { readonly op: "read"; readonly value?: string }
  | { readonly op: "write"; readonly value: string }
  /** `done` undefined: nobody knows. */
  | { readonly op: "swap"; readonly from: string; readonly to: string; readonly done?: boolean };

function register(state: string, operation: Registering): string | undefined {
  switch (operation.op) {
    case "read":
      return (operation.value ?? state) === state ? state : undefined;
    case "write":
      return operation.value;
    case "swap": {
      const can = operation.from === state;
      if (operation.done !== undefined && operation.done !== can) return undefined;
      return can ? operation.to : state;
    }
  }
}

export type Texting = {
  readonly op: "get" | "put" | "append";
  readonly key: string;
  readonly value: string;
};

function text(state: string, { op, value }: Texting): string | undefined {
  if (op === "get") return value === state ? state : undefined;
  return op === "put" ? value : state + value;
}
