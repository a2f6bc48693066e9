/** Writes many values of one type at once as JSON text; rows inside by the writer of their view. */
import { type Field, type ItemId, isScalar, sentName, type ValueType } from "../../plan/index.ts";
import type { Chooser } from "../chance/chooser.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Stop, withoutKey } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { KeptSecret, Members, Row, Value } from "../ports/index.ts";
import { gapOf } from "../rows/stored.ts";
import { passed } from "../wire/passed.ts";
import { compileWriter, writingGap } from "./scalar.ts";
import { compileTree } from "./tree.ts";

/** One text for each value; undefined for an absent one. */
type Column = (tx: Transaction, values: readonly Value[]) => readonly (string | undefined)[];

/** To whom a value is written: to those who may see it, to the operator, to code behind a call. */
type Written = "shown" | "handed" | "given";

/** Writes what is there by `write` and puts nulls and absences back in place. */
function around(write: Column): Column {
  return (tx, values) => {
    const [only] = values;
    if (values.length === 1) {
      return only === null ? ["null"] : only === undefined ? [undefined] : write(tx, values);
    }
    if (!values.some((one) => one === null || one === undefined)) return write(tx, values);
    const there = values.filter((one) => one !== null && one !== undefined);
    const texts = write(tx, there);
    let at = 0;
    return values.map((one) =>
      one === null ? "null" : one === undefined ? undefined : texts[at++],
    );
  };
}

/** Every distinct row once, written by `write`, and each in its places. */
function rowsColumn(
  resource: string,
  write: (tx: Transaction, rows: readonly Row[]) => readonly string[],
): Column {
  return (tx, values) => {
    const keys = values.map((one) => (typeof one === "number" ? one : (one as Row).key));
    const [only] = values;
    if (values.length === 1 && typeof only === "object") return write(tx, [only as Row]);
    tx.prefetch(resource, keys);
    const rows = new Map<number, Row>();
    values.forEach((one, i) => {
      const key = keys[i] as number;
      const row = typeof one === "number" ? tx.get(resource, key) : (one as Row);
      if (row === undefined) {
        throw new Stop({ is: "fault", message: `a reference names no row of ${resource}` });
      }
      if (typeof one === "number") tx.see(row, "");
      rows.set(key, row);
    });
    const texts = write(tx, [...rows.values()]);
    const byKey = new Map([...rows.keys()].map((key, i) => [key, texts[i] as string]));
    return keys.map((key) => byKey.get(key));
  };
}

/** Writes the items of all lists as one column and cuts it up again. */
function listColumn(item: Column): Column {
  return (tx, values) => {
    const lists = values as readonly (readonly Value[])[];
    const texts = item(tx, lists.flat() as readonly Value[]);
    let at = 0;
    return lists.map((list) => {
      const from = at;
      at += list.length;
      const items = texts.slice(from, at).filter((text) => text !== undefined);
      return `[${items.join(",")}]`;
    });
  };
}

function mapColumn(item: Column): Column {
  return (tx, values) => {
    const maps = values as readonly ReadonlyMap<string, Value>[];
    const texts = item(
      tx,
      maps.flatMap((one) => [...one.values()]),
    );
    let at = 0;
    return maps.map((one) => {
      const members = [...one.keys()].flatMap((key) => {
        const text = texts[at++];
        return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`];
      });
      return `{${members.join(",")}}`;
    });
  };
}

/** Writes a member of many parts. */
type MemberColumn = (tx: Transaction, parts: readonly Members[]) => readonly (string | undefined)[];

/** A member for those who may see it, as Read of its field says. */
function readColumn(services: CompilerServices, field: Field): MemberColumn | undefined {
  const { name, read } = field;
  const column = fieldColumn(services, field, "shown");
  const held: MemberColumn = (tx, parts) =>
    column(
      tx,
      parts.map((part) => part.get(name) as Value),
    );
  switch (read.is) {
    case "no":
      return undefined;
    case "yes":
      return held;
    case "gap":
      return (_, parts) => {
        if (parts.length === 0) return [];
        throw new Stop({ is: "gap", gap: read.gap });
      };
    case "actors": {
      const holds = read.actors.map((actor) => services.holds(actor));
      return (tx, parts) =>
        !tx.telling && holds.some((one) => one(tx)) ? held(tx, parts) : parts.map(() => undefined);
    }
    case "on create":
      return (tx, parts) =>
        column(
          tx,
          parts.map((part) =>
            !tx.telling && tx.isMade(part) ? (part.get(name) as Value) : undefined,
          ),
        );
  }
}

/** A part: its fields in the order of its table; to the operator and to code, all of them. */
function partColumn(services: CompilerServices, fields: readonly Field[], how: Written): Column {
  const members = fields.flatMap((field): { path: string[]; write: MemberColumn }[] => {
    const { name } = field;
    if (how === "shown") {
      const write = readColumn(services, field);
      return write === undefined ? [] : [{ path: [sentName(field)], write }];
    }
    const column = fieldColumn(services, field, how);
    const held = (parts: readonly Members[]) => parts.map((part) => part.get(name) as Value);
    return [{ path: [name], write: (tx, parts) => column(tx, held(parts)) }];
  });
  const assemble = compileTree(members.map(({ path }) => path));
  return (tx, values) => {
    const texts = members.map(({ write }) => write(tx, values as readonly Members[]));
    return values.map((_, row) => assemble(texts.map((column) => column[row])));
  };
}

/** What is shown in a part, a shape with one Given name, a view or a resource. */
function compileStructure(services: CompilerServices, name: string, how: Written): Column {
  const part = services.model.plan.partTypes.find((one) => one.name === name);
  if (part !== undefined) return partColumn(services, part.fields, how);
  const shape = services.model.shapes.get(name);
  const writer = services.shape(name);
  if (shape !== undefined && shape.viewOf === undefined) {
    const { name: given, type } = shape.given[0] ?? { name: "it", type: undefined };
    const resource = type?.type.kind === "reference" ? type.type.resource : undefined;
    const rowOf = (tx: Transaction, value: Value): Value => {
      const row = typeof value === "number" && resource && tx.get(resource, value);
      if (row) tx.see(row, "");
      return row || value;
    };
    return (tx, values) =>
      values.map((one) => writer.given(tx, new Map([[given, rowOf(tx, one)]])));
  }
  return rowsColumn(shape?.viewOf ?? name, (tx, rows) => writer.rows(tx, rows));
}

const structures = new WeakMap<CompilerServices, Map<string, Column>>();

/** As above, made once for each and compiled when it is first written: one may hold itself. */
export function structureColumn(
  services: CompilerServices,
  name: string,
  how: Written = "shown",
): Column {
  const known = structures.get(services) ?? new Map<string, Column>();
  structures.set(services, known);
  const key = `${how} ${name}`;
  let column = known.get(key);
  if (column === undefined) {
    let made: Column | undefined;
    column = (tx, values) => {
      if (values.length === 0) return [];
      made ??= compileStructure(services, name, how);
      return made(tx, values);
    };
    known.set(key, column);
  }
  return column;
}

/** A reference without a view shows the field that names its row. */
function keyColumn(services: CompilerServices, resource: string): Column {
  const info = services.model.info(resource);
  const field = info.key === undefined ? undefined : info.fields[info.key];
  if (field === undefined) {
    return (_, values) => {
      if (values.length === 0) return [];
      throw new Stop(withoutKey(info.resource));
    };
  }
  const write = compileWriter(field.type);
  return rowsColumn(resource, (_, rows) => rows.map((row) => write(row.values[info.key ?? 0])));
}

function gapColumn(gap: ItemId): Column {
  return (_, values) => {
    if (values.length === 0) return [];
    throw new Stop({ is: "gap", gap });
  };
}

/** A secret inside a value is a text as long as the work has it; what is kept of it is not sent. */
function secretColumn(write: (value: Value) => string): Column {
  return (tx, values) =>
    values.map((value) => {
      if (tx.telling) return undefined;
      if (typeof value === "string") return write(value);
      const text = tx.secretOf(value as KeptSecret);
      return text === undefined ? undefined : write(text);
    });
}

/** The column writer of a type. */
export function typeColumn(
  services: CompilerServices,
  type: ValueType,
  how: Written = "shown",
): Column {
  return around(baseColumn(services, type, how));
}

function baseColumn(services: CompilerServices, { type }: ValueType, how: Written): Column {
  if (isScalar(type)) {
    const gap = writingGap(type);
    if (gap !== undefined) return gapColumn(gap);
    const write = compileWriter({ type, orNull: false, orAbsent: false });
    return type.kind === "secret" ? secretColumn(write) : (_, values) => values.map(write);
  }
  switch (type.kind) {
    case "list":
      return listColumn(typeColumn(services, type.of, how));
    case "map":
      return mapColumn(typeColumn(services, type.of, how));
    case "structure":
      return structureColumn(services, type.name, how);
    case "reference":
      return type.view === undefined
        ? keyColumn(services, type.resource)
        : structureColumn(services, type.view);
  }
}

/** A list in any of its orders. */
function shaken(list: Value, chooser: Chooser): Value {
  if (!Array.isArray(list)) return list;
  return chooser.inOrder(list as readonly Value[], (_, at) => `item ${at}`);
}

/** The gap of a list field whose order is not shown. */
export function orderGap(services: CompilerServices, field: Field): ItemId | undefined {
  return gapOf(services.model, field, "order of items");
}

/** A list of one item has no order; of two, nobody says which comes first. */
export function meetOrder(gap: ItemId, values: readonly Value[]): void {
  if (values.some((one) => Array.isArray(one) && one.length > 1)) {
    throw new Stop({ is: "gap", gap });
  }
}

/** The column writer of a stored field, with what is stated of its order. */
export function fieldColumn(services: CompilerServices, field: Field, how: Written): Column {
  if (field.gap !== undefined) return gapColumn(field.gap);
  const type = how === "given" ? passed(field.type, "string") : field.type;
  const column = typeColumn(services, type, how);
  const unordered = orderGap(services, field);
  const isFree = field.rules.some((rule) => rule.kind === "order" && rule.order.is === "free");
  if (unordered === undefined && !isFree) return column;
  return (tx, values) => {
    const { chooser } = tx.ambient;
    if (unordered !== undefined) meetOrder(unordered, values);
    return column(tx, isFree && chooser ? values.map((list) => shaken(list, chooser)) : values);
  };
}
