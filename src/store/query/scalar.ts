/** Lowers code that gives one value (a field, a path, a count, a parameter) to SQL. */
import type { Code } from "../../expr/index.ts";
import { type Column, quote } from "../schema/columns.ts";
import type { Table } from "../schema/schema.ts";
import { isNullable } from "../schema/walk.ts";
import {
  isGiven,
  type Names,
  NotLowered,
  type RowName,
  type Scalar,
  type Writing,
} from "./lowering.ts";

/** SQL that names the key of a row: a row variable, or a reference read through others. */
interface RowSql {
  readonly sql: string;
  readonly table: Table;
  readonly nullable: boolean;
  /** The row variable itself, whose columns can be named. */
  readonly row?: RowName;
}

/** The column of a member that can be lowered, read off a row. */
function columnOf(table: Table, member: string): Column {
  const column = table.column.get(member);
  if (column === undefined) throw new NotLowered();
  return column;
}

/** SQL for a column of the row that `of` names: direct, or a look-up by key. */
function readColumn(writing: Writing, of: RowSql, name: string): string {
  if (of.row !== undefined) return `${of.row.alias}.${quote(name)}`;
  const alias = writing.alias();
  return (
    `(SELECT ${alias}.${quote(name)} FROM ${quote(of.table.name)} ${alias} ` +
    `WHERE ${alias}._key = ${of.sql})`
  );
}

/** Lowers code whose type is a row: `it`, `it.author`, `it.article.author`. */
export function rowOf(writing: Writing, names: Names, code: Code): RowSql {
  if (code.op === "name") {
    const row = names.get(code.name);
    if (row === undefined) throw new NotLowered();
    return { sql: `${row.alias}._key`, table: row.table, nullable: false, row };
  }
  if (code.op !== "get") throw new NotLowered();
  const of = rowOf(writing, names, code.of);
  const column = columnOf(of.table, code.member);
  const type = column.type.type;
  if (type.kind !== "reference") throw new NotLowered();
  return {
    sql: readColumn(writing, of, column.name),
    table: writing.table(type.resource),
    nullable: of.nullable || column.type.orNull || column.type.orAbsent,
  };
}

/** The field or key that a `get` or row variable reads. */
export function fieldScalar(writing: Writing, names: Names, code: Code): Scalar {
  if (code.op === "name") {
    const row = rowOf(writing, names, code);
    return { is: "sql", sql: row.sql, kind: "reference", nullable: false };
  }
  if (code.op !== "get") throw new NotLowered();
  const of = rowOf(writing, names, code.of);
  const column = columnOf(of.table, code.member);
  if (column.kind === "json") throw new NotLowered();
  const nullable = of.nullable || column.type.orNull || column.type.orAbsent;
  const sql = readColumn(writing, of, column.name);
  return { is: "sql", sql, kind: column.kind, nullable, isHeld: of.row !== undefined };
}

/** A parameter or literal, which takes the kind of what it is compared with. */
export function givenScalar(code: Code): Scalar {
  if (!isGiven(code)) throw new NotLowered();
  return { is: "given", code, nullable: isNullable(code) };
}

/** SQL of a scalar beside another: a given one is bound as the other's kind. */
export function sqlBeside(writing: Writing, scalar: Scalar, other: Scalar): string {
  if (scalar.is === "sql") return scalar.sql;
  if (other.is !== "sql") throw new NotLowered();
  return writing.given(scalar.code, other.kind);
}
