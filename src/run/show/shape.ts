/** Compiles shapes, views and resources to writers of JSON text, many rows at once. */
import { type Code, partsOf } from "../../expr/index.ts";
import type { Field, Shape, ShapeField } from "../../plan/index.ts";
import type { CompilerServices, ShapeWriter } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import type { ResourceInfo } from "../context/model.ts";
import { Stop } from "../context/step-outcome.ts";
import type { Transaction } from "../context/transaction.ts";
import type { Members, Row, Value } from "../ports/index.ts";
import { compileIn, compileOptional, type PrefetchedQuery } from "../query/expression.ts";
import { Prefetch } from "../query/prefetch.ts";
import type { Evaluated } from "../query/specialize.ts";
import { freeValue } from "./free.ts";
import { compileTree } from "./tree.ts";
import { fieldColumn, meetOrder, orderGap, typeColumn } from "./types.ts";

/** One member: its texts for each row (or the one thing written). */
interface Member {
  readonly name: string;
  write(frame: Activation, rows: readonly Row[] | undefined): readonly (string | undefined)[];
}

interface Making {
  readonly kit: CompilerServices;
  readonly unit: Scope;
  readonly it: number;
  readonly info: ResourceInfo | undefined;
  readonly ahead: PrefetchedQuery[];
  /** Reference fields that members read through: place -> resource. */
  readonly through: Map<number, string>;
}

/** The place of the field that the code reads straight off `it`. */
function plainField(making: Making, code: Code): number | undefined {
  if (code.op !== "get" || code.of.op !== "name" || code.of.name !== "it") return undefined;
  return making.info?.at.get(code.member);
}

function noteReferences(making: Making, code: Code): void {
  if ((code.op === "get" || code.op === "has") && code.of.type.kind === "row") {
    const place = plainField(making, code.of);
    if (place !== undefined) making.through.set(place, code.of.type.resource);
  }
  for (const part of partsOf(code)) noteReferences(making, part);
}

/** Values of an expression for each row, or once. */
function valuesOf(
  making: Making,
  code: Code,
  isOptional: boolean,
): (frame: Activation, rows: readonly Row[] | undefined) => readonly Value[] {
  const place = plainField(making, code);
  if (place !== undefined) {
    return (frame, rows) =>
      (rows ?? [frame.values[making.it] as Row]).map((row) => row.values[place]);
  }
  noteReferences(making, code);
  const evaluate: Evaluated = isOptional
    ? compileOptional(making.unit, { code })
    : compileIn(making.unit, code, making.ahead);
  const { it } = making;
  return (frame, rows) => {
    if (rows === undefined) return [evaluate(frame)];
    return rows.map((row) => {
      frame.set(it, row);
      return evaluate(frame);
    });
  };
}

function shapeMember(making: Making, field: ShapeField): Member {
  const { value, name } = field;
  if (value.is === "gap") {
    const ending = { is: "gap", gap: value.gap } as const;
    return {
      name,
      write: (_, rows) => {
        if (rows?.length === 0) return [];
        throw new Stop(ending);
      },
    };
  }
  if (value.is === "none" || value.is === "not asked")
    return { name, write: (_, rows) => (rows ?? [0]).map(() => undefined) };
  const { info, kit } = making;
  const column = typeColumn(kit, field.type);
  const place = value.is === "stated" ? plainField(making, value.value.code) : undefined;
  const unordered =
    info === undefined || place === undefined
      ? undefined
      : orderGap(kit, info.fields[place] as Field);
  if (value.is === "free") {
    return {
      name,
      write: (frame, rows) => {
        const { work } = frame;
        work.decide(value.id);
        return column(
          work,
          (rows ?? [0]).map(() => freeValue(kit, work, field.type, value.id)),
        );
      },
    };
  }
  const values = valuesOf(making, value.value.code, field.type.orAbsent);
  return {
    name,
    write: (frame, rows) => {
      const found = values(frame, rows);
      if (unordered !== undefined) meetOrder(unordered, found);
      return column(frame.work, found);
    },
  };
}

/** A stored field as the resource's own shape shows it, or a view that names it. */
function fieldMember(making: Making, field: Field, named: boolean): Member | undefined {
  const place = making.info?.at.get(field.name);
  const { read, name } = field;
  const always = named && read.is !== "on create";
  if (place === undefined || (!always && read.is === "no")) return undefined;
  const column = fieldColumn(making.kit, field, "shown");
  const shown = (work: Transaction, rows: readonly Row[]) =>
    column(
      work,
      rows.map((row) => row.values[place]),
    );
  const rowsOf = (frame: Activation, rows: readonly Row[] | undefined) =>
    rows ?? [frame.values[making.it] as Row];
  if (always || read.is === "yes") {
    return { name, write: (frame, rows) => shown(frame.work, rowsOf(frame, rows)) };
  }
  if (read.is === "gap") {
    return {
      name,
      write: (_, rows) => {
        if (rows?.length === 0) return [];
        throw new Stop({ is: "gap", gap: read.gap });
      },
    };
  }
  if (read.is === "actors") {
    const holds = read.actors.map((actor) => making.kit.holds(actor));
    return {
      name,
      write: (frame, rows) => {
        const all = rowsOf(frame, rows);
        return !frame.work.telling && holds.some((one) => one(frame.work))
          ? shown(frame.work, all)
          : all.map(() => undefined);
      },
    };
  }
  return {
    name,
    write: (frame, rows) =>
      column(
        frame.work,
        rowsOf(frame, rows).map((row) =>
          !frame.work.telling && isNew(frame.work, row) ? made(frame.work, row, place) : undefined,
        ),
      ),
  };
}

function isNew(work: Transaction, row: Row): boolean {
  return work.touched.get(`${row.resource} ${row.key}`)?.created === true;
}

/** A value as it was made in this work: a secret before it was hashed. */
function made(work: Transaction, row: Row, place: number): Value {
  return work.plainOf(row, place) ?? row.values[place];
}

function takenFields(info: ResourceInfo, shape: Shape | undefined): readonly Field[] {
  if (shape === undefined) return info.fields;
  const { taken } = shape;
  if (taken === undefined) return [];
  return info.fields.filter((field) => taken.fields.includes(field.name) !== taken.allBut);
}

/** The writer of a shape, a view or a resource, by name. */
export function compileShape(kit: CompilerServices, name: string): ShapeWriter {
  const shape = kit.model.shapes.get(name);
  const of = shape === undefined ? name : shape.viewOf;
  const unit = new Scope(kit.model);
  const info = of === undefined ? undefined : kit.model.info(of);
  const making: Making = { kit, unit, it: unit.slot("it"), info, ahead: [], through: new Map() };
  const fromRow =
    info === undefined
      ? []
      : takenFields(info, shape).map((field) =>
          fieldMember(making, field, shape?.taken?.allBut === false),
        );
  const members = [
    ...fromRow.filter((one) => one !== undefined),
    ...(shape?.fields ?? []).map((field) => shapeMember(making, field)),
  ];
  const assemble = compileTree(members.map((one) => one.name));
  const ahead = of === undefined ? undefined : new Prefetch(unit, of, making.ahead);
  const through = [...making.through];
  const gap = shape?.gap;
  return {
    contentType: shape?.contentType,
    rows: (work, rows) => {
      if (gap !== undefined && rows.length > 0) throw new Stop({ is: "gap", gap });
      for (const row of rows) work.meet(row);
      const frame = new Activation(unit, work);
      for (const [place, resource] of through) {
        work.prefetch(
          resource,
          rows.map((row) => row.values[place]).filter((one) => typeof one === "number"),
        );
      }
      ahead?.read(frame, rows);
      if (rows.length === 1) return [assemble(members.map((one) => one.write(frame, rows)[0]))];
      const columns = members.map((one) => one.write(frame, rows));
      return rows.map((_, i) => assemble(columns.map((column) => column[i])));
    },
    given: (work: Transaction, given: Members) => {
      const frame = new Activation(unit, work);
      for (const [key, value] of given) frame.set(unit.slot(key), value as Value);
      return assemble(members.map((one) => one.write(frame, undefined)[0]));
    },
  };
}
