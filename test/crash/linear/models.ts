/** What operations do: a register that is read, written and swapped, and a text that grows. */

/** A swap tells whether it was done. */
export type Registering =
  /** `value` undefined: nobody knows what was read. */
  | { readonly op: "read"; readonly value?: string }
  | { readonly op: "write"; readonly value: string }
  /** `done` undefined: nobody knows. */
  | { readonly op: "swap"; readonly from: string; readonly to: string; readonly done?: boolean };

export function register(state: string, operation: Registering): string | undefined {
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

export type Texting =
  | { readonly op: "get"; readonly value: string }
  | { readonly op: "put"; readonly value: string }
  | { readonly op: "append"; readonly value: string };

export function text(state: string, { op, value }: Texting): string | undefined {
  if (op === "get") return value === state ? state : undefined;
  return op === "put" ? value : state + value;
}
