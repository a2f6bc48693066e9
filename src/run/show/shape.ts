/** Compiles shapes, views and resources to writers of JSON text, many rows at once. */
import { type Code, partsOf } from "../../expr/index.ts";
import {
  type Field,
  type ItemId,
  isStated,
  type Shape,
  type ShapeField,
  sentName,
  sentPath,
} from "../../plan/index.ts";
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
  readonly item: ItemId;
  readonly path: readonly string[];
  write(activation: Activation, rows: readonly Row[] | undefined): readonly (string | undefined)[];
}

interface Making {
  readonly services: CompilerServices;
  readonly scope: Scope;
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
): (activation: Activation, rows: readonly Row[] | undefined) => readonly Value[] {
  const place = plainField(making, code);
  if (place !== undefined) {
    return (activation, rows) =>
      (rows ?? [activation.values[making.it] as Row]).map((row) => {
        activation.tx.meet(row, place);
        return row.values[place];
      });
  }
  noteReferences(making, code);
  const evaluate: Evaluated = isOptional
    ? compileOptional(making.scope, { code }, making.ahead)
    : compileIn(making.scope, code, making.ahead);
  const { it } = making;
  return (activation, rows) => {
    if (rows === undefined) return [evaluate(activation)];
    return rows.map((row) => {
      activation.set(it, row);
      return evaluate(activation);
    });
  };
}

function shapeMember(making: Making, field: ShapeField): Member {
  const { value } = field;
  const path = sentPath(field);
  const { id: item } = field;
  if (value.is === "gap") {
    const outcome = { is: "gap", gap: value.gap } as const;
    return {
      item,
      path,
      write: (_, rows) => {
        if (rows?.length === 0) return [];
        throw new Stop(outcome);
      },
    };
  }
  if (value.is === "none" || value.is === "not asked")
    return { item, path, write: (_, rows) => (rows ?? [0]).map(() => undefined) };
  const { info, services } = making;
  const column = typeColumn(services, field.type);
  const place = isStated(value) ? plainField(making, value.value.code) : undefined;
  const unordered =
    info === undefined || place === undefined
      ? undefined
      : orderGap(services, info.fields[place] as Field);
  if (value.is === "free") {
    return {
      item,
      path,
      write: (activation, rows) => {
        const { tx } = activation;
        tx.decide(value.id);
        return column(
          tx,
          (rows ?? [0]).map(() => freeValue(services, tx, field.type, value.id)),
        );
      },
    };
  }
  const values = valuesOf(making, value.value.code, field.type.orAbsent);
  return {
    item,
    path,
    write: (activation, rows) => {
      const found = values(activation, rows);
      if (unordered !== undefined) meetOrder(unordered, found);
      return column(activation.tx, found);
    },
  };
}

/** A stored field as the resource's own shape shows it, or a view that names it. */
function fieldMember(making: Making, field: Field, named: boolean): Member | undefined {
  const place = making.info?.at.get(field.name);
  const { read, id: item } = field;
  const path = [sentName(field)];
  // A view shows what it names, but what is shown on create alone; which it is may not be shown.
  const always = named && read.is !== "on create" && read.is !== "gap";
  if (place === undefined || (!always && read.is === "no")) return undefined;
  const column = fieldColumn(making.services, field, "shown");
  const shown = (tx: Transaction, rows: readonly Row[]) =>
    column(
      tx,
      rows.map((row) => {
        tx.meet(row, place);
        return row.values[place];
      }),
    );
  const rowsOf = (activation: Activation, rows: readonly Row[] | undefined) =>
    rows ?? [activation.values[making.it] as Row];
  if (always || read.is === "yes") {
    return {
      item,
      path,
      write: (activation, rows) => shown(activation.tx, rowsOf(activation, rows)),
    };
  }
  if (read.is === "gap") {
    return {
      item,
      path,
      write: (_, rows) => {
        if (rows?.length === 0) return [];
        throw new Stop({ is: "gap", gap: read.gap });
      },
    };
  }
  if (read.is === "actors") {
    const holds = read.actors.map((actor) => making.services.holds(actor));
    return {
      item,
      path,
      write: (activation, rows) => {
        const all = rowsOf(activation, rows);
        return !activation.tx.telling && holds.some((one) => one(activation.tx))
          ? shown(activation.tx, all)
          : all.map(() => undefined);
      },
    };
  }
  return {
    item,
    path,
    write: (activation, rows) =>
      column(
        activation.tx,
        rowsOf(activation, rows).map((row) =>
          !activation.tx.telling && isNew(activation.tx, row)
            ? made(activation.tx, row, place)
            : undefined,
        ),
      ),
  };
}

function isNew(tx: Transaction, row: Row): boolean {
  return tx.touched.get(`${row.resource} ${row.key}`)?.created === true;
}

/** A value as it was made in this work: a secret before it was hashed. */
function made(tx: Transaction, row: Row, place: number): Value {
  return tx.plainOf(row, place) ?? row.values[place];
}

/** Members that tell when they are shown. */
function traced(services: CompilerServices, members: readonly Member[]): readonly Member[] {
  const { trace } = services.model.options;
  if (trace === undefined) return members;
  return members.map((one) => ({
    ...one,
    write: (activation, rows) => {
      const texts = one.write(activation, rows);
      if (texts.some((text) => text !== undefined)) trace(one.item, "shown");
      return texts;
    },
  }));
}

function takenFields(info: ResourceInfo, shape: Shape | undefined): readonly Field[] {
  if (shape === undefined) return info.shown;
  const { taken } = shape;
  if (taken === undefined) return [];
  return info.shown.filter((field) => taken.fields.includes(field.name) !== taken.allBut);
}

/** The shape as it is shown of an event about rows of the resource. */
function shapeAbout(shape: Shape | undefined, about: string | undefined): Shape | undefined {
  if (shape === undefined || about === undefined) return shape;
  const fields = shape.fields.map((field) => {
    const value = field.byAbout?.[about];
    return value === undefined || !isStated(field.value)
      ? field
      : { ...field, value: { ...field.value, value } };
  });
  return { ...shape, fields };
}

/** The writer of a shape, a view or a resource, by name. `about`: what an event is about. */
export function compileShape(
  services: CompilerServices,
  name: string,
  about?: string,
): ShapeWriter {
  const shape = shapeAbout(services.model.shapes.get(name), about);
  const of = shape === undefined ? name : shape.viewOf;
  const scope = new Scope(services.model);
  const info = of === undefined ? undefined : services.model.info(of);
  const making: Making = {
    services,
    scope,
    it: scope.slot("it"),
    info,
    ahead: [],
    through: new Map(),
  };
  const fromRow =
    info === undefined
      ? []
      : takenFields(info, shape).map((field) =>
          fieldMember(making, field, shape?.taken?.allBut === false),
        );
  const members = traced(services, [
    ...fromRow.filter((one) => one !== undefined),
    ...(shape?.fields ?? []).map((field) => shapeMember(making, field)),
  ]);
  const assemble = compileTree(members.map((one) => one.path));
  const ahead = of === undefined ? undefined : new Prefetch(scope, of, making.ahead);
  const through = [...making.through];
  const gap = shape?.gap;
  return {
    contentType: shape?.contentType,
    rows: (tx, rows) => {
      if (gap !== undefined && rows.length > 0) throw new Stop({ is: "gap", gap });
      for (const row of rows) tx.meetThere(row);
      const activation = new Activation(scope, tx);
      for (const [place, resource] of through) {
        tx.prefetch(
          resource,
          rows.map((row) => row.values[place]).filter((one) => typeof one === "number"),
        );
      }
      ahead?.read(activation, rows);
      if (rows.length === 1)
        return [assemble(members.map((one) => one.write(activation, rows)[0]))];
      const columns = members.map((one) => one.write(activation, rows));
      return rows.map((_, i) => assemble(columns.map((column) => column[i])));
    },
    given: (tx: Transaction, given: Members) => {
      const activation = new Activation(scope, tx);
      for (const [key, value] of given) activation.set(scope.slot(key), value as Value);
      return assemble(members.map((one) => one.write(activation, undefined)[0]));
    },
  };
}
