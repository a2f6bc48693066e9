/** Judges failures that reading left open: their conditions need rows or the caller. */
import { type Code, partsOf } from "../../expr/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { Transaction } from "../context/transaction.ts";
import type { InputFailure, Later, Value } from "../ports/index.ts";
import { compileIn } from "../query/expression.ts";
import type { Evaluated } from "../query/specialize.ts";

/** Finds the row that a client names by its key, or undefined. */
export type FindNamed = (tx: Transaction, resource: string, key: Value) => Value;

interface Compiled {
  readonly scope: Scope;
  readonly slot: number;
  readonly holds: Evaluated;
  /** The resource of which the value names a row. */
  readonly resource: string | undefined;
}

/** The resource of the name where it stands for a row. */
function rowType(code: Code, name: string): string | undefined {
  if (code.op === "name" && code.name === name) {
    const type = code.type.kind === "nullable" ? code.type.of : code.type;
    return type.kind === "row" ? type.resource : undefined;
  }
  for (const part of partsOf(code)) {
    const found = rowType(part, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The object that stands at the path of the body; undefined where the body is not whole. */
function insideOf(body: Value, path: readonly (string | number)[]): Value {
  let found = body;
  for (const step of path) {
    if (found instanceof Map) found = found.get(String(step)) as Value;
    else found = Array.isArray(found) ? (found[Number(step)] as Value) : undefined;
  }
  return found;
}

function compileLater(services: CompilerServices, { code, name }: Later): Compiled {
  const scope = new Scope(services.model);
  const slot = scope.slot(name);
  return { scope, slot, holds: compileIn(scope, code), resource: rowType(code, name) };
}

/**
 * Compiles the judging of an endpoint's failures; gives those that are some. A value or a body that
 * names a row which is not there fails for that alone: `body`, in which no part is made yet, gives
 * undefined then.
 */
export function compileLaters(
  services: CompilerServices,
  find: FindNamed,
): (
  tx: Transaction,
  failures: readonly InputFailure[],
  body: () => Value,
) => readonly InputFailure[] {
  const known = new Map<Code, Compiled>();
  const fails = (tx: Transaction, later: Later, body: () => Value): boolean => {
    let compiled = known.get(later.code);
    if (compiled === undefined) {
      compiled = compileLater(services, later);
      known.set(later.code, compiled);
    }
    const { scope, slot, holds, resource } = compiled;
    const given =
      later.name === "body" ? insideOf(body(), later.within ?? []) : (later.value as Value);
    const value = resource === undefined || given === null ? given : find(tx, resource, given);
    if (value === undefined) return false;
    const activation = new Activation(scope, tx).set(slot, value);
    return (holds(activation) === true) === later.failsWhen;
  };
  return (tx, failures, body) => {
    if (failures.every(({ later }) => later === undefined)) return failures;
    const told = new Set<string>();
    return failures.filter(({ later, field, in: place }) => {
      const where = `${place} ${field}`;
      // The first rule that fails speaks for the value.
      if (told.has(where)) return false;
      if (later === undefined) return true;
      const found = fails(tx, later, body);
      if (found) told.add(where);
      return found;
    });
  };
}
