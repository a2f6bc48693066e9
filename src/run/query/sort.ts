/** Sorts rows and lists by keys, exactly as a store does; equal ones follow their row keys. */
import type { Code, Type } from "../../expr/index.ts";
import type { Activation, Scope } from "../context/activation.ts";
import { compile, orderOf } from "../evaluate/index.ts";
import type { Row, Value } from "../ports/index.ts";

export interface SortKey {
  /** Over `#row`. */
  readonly by: Code;
  readonly descending: boolean;
}

export type Compare = (a: readonly Value[], b: readonly Value[]) => number;

function kindOf(type: Type): string {
  return type.kind === "nullable" ? type.of.kind : type.kind;
}

/** Null stands before every other value. */
function nullFirst(kind: string): (a: Value, b: Value) => number {
  const compare = orderOf(kind) as (a: Value, b: Value) => number;
  return (a, b) => {
    const [noA, noB] = [a === null || a === undefined, b === null || b === undefined];
    if (noA || noB) return noA === noB ? 0 : noA ? -1 : 1;
    return compare(a, b);
  };
}

/** Compares lists of key values. */
export function compareKeys(order: readonly SortKey[]): Compare {
  const parts = order.map((key) => ({
    compare: nullFirst(kindOf(key.by.type)),
    sign: key.descending ? -1 : 1,
  }));
  return (a, b) => {
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i];
      const found = part === undefined ? 0 : part.compare(a[i], b[i]) * part.sign;
      if (found !== 0) return found;
    }
    return 0;
  };
}

interface Sorting {
  readonly scope: Scope;
  readonly order?: readonly SortKey[];
}

const compiled = new WeakMap<
  readonly SortKey[],
  (activation: Activation, rows: readonly Value[]) => readonly (readonly Value[])[]
>();

/** For each row the values of the keys, evaluated by one loop over the rows. */
function keysOf({
  scope,
  order = [],
}: Sorting): (activation: Activation, rows: readonly Value[]) => readonly (readonly Value[])[] {
  const known = compiled.get(order);
  if (known !== undefined) return known;
  const slot = scope.slot("#sorted");
  const each = order.map((key) =>
    compile(
      {
        op: "each",
        macro: "map",
        as: "#row",
        body: key.by,
        type: { kind: "list", of: key.by.type },
        over: { op: "name", name: "#sorted", type: { kind: "list", of: { kind: "unknown" } } },
      },
      scope.layout,
    ),
  );
  const made = (activation: Activation, rows: readonly Value[]) => {
    activation.set(slot, rows);
    const columns = each.map(
      (one) => one(activation.values, activation.tx, scope.model.workMax) as readonly Value[],
    );
    return rows.map((_, i) => columns.map((column) => column[i]));
  };
  compiled.set(order, made);
  return made;
}

/** The rows in the order of the keys; equal ones by row key, in the direction of the last key. */
export function sortRows(
  activation: Activation,
  rows: readonly Row[],
  sorting: Sorting,
): readonly Row[] {
  const { order = [] } = sorting;
  const down = order.at(-1)?.descending === true;
  const isFree = activation.tx.ambient.chooser !== undefined;
  if (order.length === 0) return rows;
  const keys = keysOf(sorting)(activation, rows);
  const compare = compareKeys(order);
  const places = rows.map((_, i) => i);
  places.sort(
    (i, j) =>
      compare(keys[i] ?? [], keys[j] ?? []) ||
      (isFree ? i - j : ((rows[i]?.key ?? 0) - (rows[j]?.key ?? 0)) * (down ? -1 : 1)),
  );
  return places.map((i) => rows[i] as Row);
}

/** Any list in the order of the keys, equal items as they stood. */
export function sortValues(
  activation: Activation,
  list: readonly Value[],
  sorting: Sorting,
): readonly Value[] {
  const keys = keysOf(sorting)(activation, list);
  const compare = compareKeys(sorting.order ?? []);
  const places = list.map((_, i) => i);
  places.sort((i, j) => compare(keys[i] ?? [], keys[j] ?? []) || i - j);
  return places.map((i) => list[i]);
}
