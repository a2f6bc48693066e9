/** Writes many values of one type at once as JSON text; rows inside by the writer of their view. */
import { type Field, type ItemId, isScalar, type ValueType } from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Row, Value } from "../ports/index.ts";
import { compileWriter, writingGap } from "./scalar.ts";
import { compileTree } from "./tree.ts";

/** One text for each value; undefined for an absent one. */
export type Column = (
  work: Transaction,
  values: readonly Value[],
) => readonly (string | undefined)[];

/** Writes what is there by `write` and puts nulls and absences back in place. */
function around(write: Column): Column {
  return (work, values) => {
    const [only] = values;
    if (values.length === 1) {
      return only === null ? ["null"] : only === undefined ? [undefined] : write(work, values);
    }
    if (!values.some((one) => one === null || one === undefined)) return write(work, values);
    const there = values.filter((one) => one !== null && one !== undefined);
    const texts = write(work, there);
    let at = 0;
    return values.map((one) =>
      one === null ? "null" : one === undefined ? undefined : texts[at++],
    );
  };
}

/** Every distinct row once, written by `write`, and each in its places. */
export function rowsColumn(
  resource: string,
  write: (work: Transaction, rows: readonly Row[]) => readonly string[],
): Column {
  return (work, values) => {
    const keys = values.map((one) => (typeof one === "number" ? one : (one as Row).key));
    const [only] = values;
    if (values.length === 1 && typeof only === "object") return write(work, [only as Row]);
    work.prefetch(resource, keys);
    const rows = new Map<number, Row>();
    values.forEach((one, i) => {
      const key = keys[i] as number;
      const row = typeof one === "number" ? work.get(resource, key) : (one as Row);
      if (row === undefined) {
        throw new Stop({ is: "fault", message: `a reference names no row of ${resource}` });
      }
      rows.set(key, row);
    });
    const texts = write(work, [...rows.values()]);
    const byKey = new Map([...rows.keys()].map((key, i) => [key, texts[i] as string]));
    return keys.map((key) => byKey.get(key));
  };
}

/** Writes the items of all lists as one column and cuts it up again. */
function listColumn(item: Column): Column {
  return (work, values) => {
    const lists = values as readonly (readonly Value[])[];
    const texts = item(work, lists.flat() as readonly Value[]);
    let at = 0;
    return lists.map((list) => {
      const from = at;
      at += list.length;
      return `[${texts.slice(from, at).join(",")}]`;
    });
  };
}

function mapColumn(item: Column): Column {
  return (work, values) => {
    const maps = values as readonly ReadonlyMap<string, Value>[];
    const texts = item(
      work,
      maps.flatMap((one) => [...one.values()]),
    );
    let at = 0;
    return maps.map((one) => {
      const members = [...one.keys()].map((key) => `${JSON.stringify(key)}:${texts[at++]}`);
      return `{${members.join(",")}}`;
    });
  };
}

/** A part: its fields in the order of its table. */
function partColumn(kit: CompilerServices, fields: readonly Field[]): Column {
  const columns = fields.map((field) => typeColumn(kit, field.type));
  const assemble = compileTree(fields.map((field) => field.name));
  return (work, values) => {
    const texts = columns.map((column, i) =>
      column(
        work,
        values.map((one) => (one as ReadonlyMap<string, Value>).get(fields[i]?.name ?? "")),
      ),
    );
    return values.map((_, row) => assemble(texts.map((column) => column[row])));
  };
}

/** What is shown in a part, a shape with one Given name, a view or a resource. */
function compileStructure(kit: CompilerServices, name: string): Column {
  const part = kit.model.plan.partTypes.find((one) => one.name === name);
  if (part !== undefined) return partColumn(kit, part.fields);
  const shape = kit.model.shapes.get(name);
  const writer = kit.shape(name);
  if (shape !== undefined && shape.viewOf === undefined) {
    const given = shape.given[0]?.name ?? "it";
    return (work, values) => values.map((one) => writer.given(work, new Map([[given, one]])));
  }
  return rowsColumn(shape?.viewOf ?? name, (work, rows) => writer.rows(work, rows));
}

/** As above, compiled when it is first written: structures may hold themselves. */
export function structureColumn(kit: CompilerServices, name: string): Column {
  let made: Column | undefined;
  return (work, values) => {
    made ??= compileStructure(kit, name);
    return made(work, values);
  };
}

/** A reference without a view shows the field that names its row. */
function keyColumn(kit: CompilerServices, resource: string): Column {
  const info = kit.model.info(resource);
  const field = info.key === undefined ? undefined : info.fields[info.key];
  if (field === undefined) {
    return () => {
      throw new Stop({ is: "unsupported", item: info.resource.id });
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

/** The column writer of a type. */
export function typeColumn(kit: CompilerServices, type: ValueType): Column {
  return around(baseColumn(kit, type));
}

function baseColumn(kit: CompilerServices, { type }: ValueType): Column {
  if (isScalar(type)) {
    const gap = writingGap(type);
    if (gap !== undefined) return gapColumn(gap);
    const write = compileWriter({ type, orNull: false, orAbsent: false });
    return (_, values) => values.map(write);
  }
  switch (type.kind) {
    case "list":
      return listColumn(typeColumn(kit, type.of));
    case "map":
      return mapColumn(typeColumn(kit, type.of));
    case "structure":
      return structureColumn(kit, type.name);
    case "reference":
      return type.view === undefined
        ? keyColumn(kit, type.resource)
        : structureColumn(kit, type.view);
  }
}
