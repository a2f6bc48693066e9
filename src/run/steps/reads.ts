/** Compiles the steps that read: `Let`, `Order` and pages. */
import { rename } from "../../expr/index.ts";
import type { Step } from "../../plan/index.ts";
import type { Run, StepScope } from "../compile/services.ts";
import type { Activation } from "../context/activation.ts";
import type { Row, Slice, Value } from "../ports/index.ts";
import { compileExpression, findRows } from "../query/expression.ts";
import { type Finder, ROW } from "../query/finder.ts";
import { RowList } from "../query/list.ts";
import { compileNamed } from "../query/rows.ts";
import { type SortKey, sortRows, sortValues } from "../query/sort.ts";

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;

/** The list that a name holds, read where it was not. */
export function listIn(frame: Activation, slot: number): readonly Value[] {
  const list = frame.values[slot];
  return list instanceof RowList ? list.rows() : (list as readonly Value[]);
}

/** `Let x be the R where ...`: a fault where the condition names more than one row. */
export function letOne(scope: StepScope, step: Of<"let one">): Run {
  const { unit, kit } = scope;
  const finder = findRows(unit, step.resource, [step.where.code]);
  const slot = unit.slot(step.as);
  const refuse = step.otherwise === undefined ? undefined : kit.refusal(unit, step.otherwise);
  return (frame) => {
    const found = finder.rows(frame, { limit: 2n });
    if (found.length > 1) {
      return { is: "fault", message: `${step.id}: more than one row satisfies the condition` };
    }
    const row = found[0] ?? null;
    if (row === null && refuse !== undefined) return refuse(frame);
    frame.set(slot, row);
    return undefined;
  };
}

/** `Let x be every R where ...`: read when needed, at the latest before the next write. */
export function letEvery(scope: StepScope, step: Of<"let every">): Run {
  const { unit } = scope;
  const where = step.where === undefined ? [] : [step.where.code];
  const finder = findRows(unit, step.resource, where);
  const slot = unit.slot(step.as);
  scope.lists.set(step.as, finder);
  return (frame) => {
    frame.set(slot, new RowList(finder, frame));
    return undefined;
  };
}

/** `Let x be e`. */
export function letValue(scope: StepScope, step: Of<"let">): Run {
  const value = compileNamed(scope.unit, step.value);
  const slot = scope.unit.slot(step.as);
  return (frame) => {
    frame.set(slot, value(frame));
    return undefined;
  };
}

function isRows(list: readonly Value[]): list is readonly Row[] {
  const [first] = list;
  return typeof first === "object" && first !== null && "key" in first && "values" in first;
}

/** `Order x by ...`: handed to the query where the list was not read yet. */
export function order(scope: StepScope, step: Of<"order">): Run {
  const { unit } = scope;
  const keys: readonly SortKey[] = step.keys.map((key) => ({
    by: rename(key.by.code, "it", ROW),
    descending: key.descending,
  }));
  for (const key of keys) unit.reserve(rename(key.by, ROW, "it"));
  const slot = unit.slot(step.list);
  const finders = new Map<Finder, Finder>();
  const known = scope.lists.get(step.list);
  if (known !== undefined) finders.set(known, known.ordered(keys));
  const sorting = { unit, order: keys };
  return (frame) => {
    const list = frame.values[slot];
    const ordered = list instanceof RowList ? list.ordered(keys, finders) : undefined;
    if (ordered !== undefined) {
      frame.set(slot, ordered);
      return undefined;
    }
    const values = listIn(frame, slot);
    frame.set(
      slot,
      isRows(values) ? sortRows(frame, values, sorting) : sortValues(frame, values, sorting),
    );
    return undefined;
  };
}

/** `Let page be x from a, at most b`. */
export function page(scope: StepScope, step: Of<"page">): Run {
  const { unit } = scope;
  const from = compileExpression(unit, step.from);
  const atMost = compileExpression(unit, step.atMost);
  const [slot, of] = [unit.slot(step.as), unit.slot(step.of)];
  return (frame) => {
    const slice: Slice = { offset: from(frame) as bigint, limit: atMost(frame) as bigint };
    if ((slice.offset ?? 0n) < 0n || (slice.limit ?? 0n) < 0n) {
      return { is: "fault", message: `${step.id}: a page begins or ends below zero` };
    }
    const list = frame.values[of];
    const part = list instanceof RowList ? list.part(slice) : undefined;
    frame.set(slot, part ?? partOf(listIn(frame, of), slice));
    return undefined;
  };
}

function partOf(list: readonly Value[], { offset = 0n, limit = 0n }: Slice): readonly Value[] {
  if (offset >= BigInt(list.length)) return [];
  const from = Number(offset);
  return limit >= BigInt(list.length) ? list.slice(from) : list.slice(from, from + Number(limit));
}

/** `Let page be x after k, at most b`: the rows that follow the one whose key is `k`. */
export function pageAfter(scope: StepScope, step: Of<"page after">): Run {
  const { unit, kit } = scope;
  const after = compileExpression(unit, step.after);
  const atMost = compileExpression(unit, step.atMost);
  const [slot, of] = [unit.slot(step.as), unit.slot(step.of)];
  const refuse = kit.refusal(unit, step.otherwise);
  return (frame) => {
    const key = after(frame) ?? null;
    const list = listIn(frame, of) as readonly Row[];
    let from = 0;
    if (key !== null) {
      from = list.findIndex((row) => names(kit.model.info(row.resource).key, row, key)) + 1;
      if (from === 0) return refuse(frame);
    }
    frame.set(slot, partOf(list, { offset: BigInt(from), limit: atMost(frame) as bigint }));
    return undefined;
  };
}

function names(place: number | undefined, row: Row, key: Value): boolean {
  if (typeof key === "object" && key !== null && "values" in key) return key === row;
  return place !== undefined && row.values[place] === key;
}
