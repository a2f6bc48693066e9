/** Judges failures that reading left open: their conditions need rows or the caller. */
import { type Code, partsOf, type Type } from "../../expr/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { valueType } from "../context/field-type.ts";
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
  /** Puts rows into the value. */
  readonly named: Named | undefined;
}

/** The type that the name has in the code; undefined where it does not stand in it. */
function typeOf(code: Code, name: string): Type | undefined {
  if (code.op === "name" && code.name === name) return code.type;
  for (const part of partsOf(code)) {
    const found = typeOf(part, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Puts rows in place of what names them; undefined where one is not there. */
type Named = (tx: Transaction, value: Value) => Value;

/** How rows get into values of a type; undefined where it has no row inside. */
function compileNamed(services: CompilerServices, find: FindNamed, type: Type): Named | undefined {
  switch (type.kind) {
    case "row":
      return (tx, value) => find(tx, type.resource, value);
    case "nullable": {
      const inner = compileNamed(services, find, type.of);
      return inner && ((tx, value) => (value === null ? null : inner(tx, value)));
    }
    case "list": {
      const item = compileNamed(services, find, type.of);
      return (
        item && ((tx, value) => whole((value as readonly Value[]).map((one) => item(tx, one))))
      );
    }
    case "map": {
      const member = compileNamed(services, find, type.of);
      return (
        member &&
        ((tx, value) => {
          const names = [...(value as ReadonlyMap<string, Value>).keys()];
          const values = [...(value as ReadonlyMap<string, Value>).values()];
          const found = whole(values.map((one) => member(tx, one)));
          return found && new Map(names.map((name, i) => [name, found[i]]));
        })
      );
    }
    case "object":
      return partNamed(services, find, type.name);
    case "boolean":
    case "string":
    case "integer":
    case "decimal":
    case "number":
    case "timestamp":
    case "date":
    case "duration":
    case "zone":
    case "json":
    case "null":
    case "secret":
    case "file":
    case "unknown":
      return undefined;
  }
}

/** All of them, or undefined where one is not there. */
function whole(values: readonly Value[]): readonly Value[] | undefined {
  return values.includes(undefined) ? undefined : values;
}

/** The members of a part that are there; compiled when it is first needed: it may hold itself. */
function partNamed(services: CompilerServices, find: FindNamed, name: string): Named | undefined {
  const part = services.model.plan.partTypes.find((one) => `part:${one.name}` === name);
  if (part === undefined) return undefined;
  let members: readonly (readonly [string, Named | undefined])[] | undefined;
  return (tx, value) => {
    members ??= part.fields.map((field) => [
      field.name,
      compileNamed(services, find, valueType(field.type)),
    ]);
    const found = new Map(value as ReadonlyMap<string, Value>);
    for (const [member, named] of members) {
      const given = found.get(member);
      if (named === undefined || given === undefined) continue;
      const row = named(tx, given);
      if (row === undefined) return undefined;
      found.set(member, row);
    }
    return found;
  };
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

function compileLater(
  services: CompilerServices,
  find: FindNamed,
  { code, name }: Later,
): Compiled {
  const scope = new Scope(services.model);
  const slot = scope.slot(name);
  const type = name === "body" ? undefined : typeOf(code, name);
  const named = type === undefined ? undefined : compileNamed(services, find, type);
  return { scope, slot, holds: compileIn(scope, code), named };
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
      compiled = compileLater(services, find, later);
      known.set(later.code, compiled);
    }
    const { scope, slot, holds, named } = compiled;
    const given =
      later.name === "body" ? insideOf(body(), later.within ?? []) : (later.value as Value);
    const value = named === undefined || given === null ? given : named(tx, given);
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
