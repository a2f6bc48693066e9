/** Compiles the steps that read: `Let`, `Order` and pages. */
import { rename, withoutNull } from "../../expr/index.ts";
import type { Step } from "../../plan/index.ts";
import { compileUnfound } from "../checks/unfound.ts";
import type { Run, StepContext } from "../compile/services.ts";
import { type Activation, ROW } from "../context/activation.ts";
import type { Row, Slice, Value } from "../ports/index.ts";
import { compileExpression, findRows, prepared } from "../query/expression.ts";
import type { Finder } from "../query/finder.ts";
import { RowList } from "../query/list.ts";
import { compileNamed } from "../query/rows.ts";
import { type SortKey, sortRows, sortValues } from "../query/sort.ts";

type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;

/** The list that a name holds, read where it was not. */
function listIn(activation: Activation, slot: number): readonly Value[] {
  const list = activation.values[slot];
  return list instanceof RowList ? list.rows() : (list as readonly Value[]);
}

/** `Let x be the R where ...`: a fault where the condition names more than one row. */
export function letOne(context: StepContext, step: Of<"let one">): Run {
  const { scope, services, endpoint } = context;
  const { routines } = services.model.plan;
  const finder = findRows(scope, step.resource, [step.where.code]);
  const slot = scope.slot(step.as);
  const refuse = step.otherwise === undefined ? undefined : services.refusal(scope, step.otherwise);
  const unfound = compileUnfound(services.model, step.resource, endpoint?.steps ?? routines);
  return (activation) => {
    const found = finder.rows(activation, { limit: 2n });
    if (found.length > 1) {
      return { is: "fault", message: `${step.id}: more than one row satisfies the condition` };
    }
    const row = found[0] ?? null;
    if (row === null) unfound(activation.tx);
    if (row === null && refuse !== undefined) return refuse(activation);
    activation.set(slot, row);
    return undefined;
  };
}

/** `Let x be every R where ...`: read when needed, at the latest before the next write. */
export function letEvery(context: StepContext, step: Of<"let every">): Run {
  const { scope } = context;
  const where = step.where === undefined ? [] : [step.where.code];
  const finder = findRows(scope, step.resource, where);
  const slot = scope.slot(step.as);
  context.lists.set(step.as, finder);
  return (activation) => {
    activation.set(slot, new RowList(finder, activation));
    return undefined;
  };
}

/** `Let x be e`, and the different values of a field, which come in any order. */
export function letValue(context: StepContext, step: Of<"let">): Run {
  const value = compileNamed(context.scope, step.value);
  const slot = context.scope.slot(step.as);
  const isFree = step.order === "free";
  return (activation) => {
    const found = value(activation);
    const { chooser } = activation.tx.ambient;
    const isChosen = isFree && chooser !== undefined && Array.isArray(found);
    activation.set(slot, isChosen ? chooser.inOrder(found, (_, at) => `${step.as} ${at}`) : found);
    return undefined;
  };
}

function isRows(list: readonly Value[]): list is readonly Row[] {
  const [first] = list;
  return typeof first === "object" && first !== null && "key" in first && "values" in first;
}

/** `Order x by ...`: handed to the query where the list was not read yet. */
export function order(context: StepContext, step: Of<"order">): Run {
  const { scope } = context;
  const keys: readonly SortKey[] = step.keys.map((key) => ({
    by: prepared(scope, rename(key.by.code, "it", ROW)),
    descending: key.descending,
  }));
  for (const key of keys) scope.reserve(rename(key.by, ROW, "it"));
  const slot = scope.slot(step.list);
  const finders = new Map<Finder, Finder>();
  const known = context.lists.get(step.list);
  if (known !== undefined) finders.set(known, known.ordered(keys));
  const sorting = { scope, order: keys };
  return (activation) => {
    const list = activation.values[slot];
    const ordered = list instanceof RowList ? list.ordered(keys, finders) : undefined;
    if (ordered !== undefined) {
      activation.set(slot, ordered);
      return undefined;
    }
    const values = listIn(activation, slot);
    activation.set(
      slot,
      isRows(values)
        ? sortRows(activation, values, sorting)
        : sortValues(activation, values, sorting),
    );
    return undefined;
  };
}

/** `Let page be x from a, at most b`. */
export function page(context: StepContext, step: Of<"page">): Run {
  const { scope } = context;
  const from = compileExpression(scope, step.from);
  const atMost = compileExpression(scope, step.atMost);
  const [slot, of] = [scope.slot(step.as), scope.slot(step.of)];
  const { trace } = context.services.model.options;
  return (activation) => {
    const slice: Slice = {
      offset: from(activation) as bigint,
      limit: atMost(activation) as bigint,
    };
    if ((slice.offset ?? 0n) < 0n || (slice.limit ?? 0n) < 0n) {
      return { is: "fault", message: `${step.id}: a page begins or ends below zero` };
    }
    const list = activation.values[of];
    const part = list instanceof RowList ? list.part(slice) : undefined;
    const values = part === undefined || trace !== undefined ? listIn(activation, of) : [];
    if (isFull(values, slice)) trace?.(step.id, "full");
    activation.set(slot, part ?? partOf(values, slice));
    return undefined;
  };
}

function isFull({ length }: readonly Value[], { offset = 0n, limit = 0n }: Slice): boolean {
  return limit > 0n && offset + limit === BigInt(length);
}

function partOf(list: readonly Value[], { offset = 0n, limit = 0n }: Slice): readonly Value[] {
  if (offset >= BigInt(list.length)) return [];
  const from = Number(offset);
  return limit >= BigInt(list.length) ? list.slice(from) : list.slice(from, from + Number(limit));
}

/** `Let page be x after k, at most b`: the rows behind `k`, a row or its key, or before it. */
export function pageAfter(context: StepContext, step: Of<"page after">): Run {
  const { scope, services } = context;
  const after = compileExpression(scope, step.after);
  const atMost = compileExpression(scope, step.atMost);
  const [slot, of] = [scope.slot(step.as), scope.slot(step.of)];
  const refuse = services.refusal(scope, step.otherwise);
  const isRow = withoutNull(step.after.code.type).kind === "row";
  const isAt = (row: Row, cursor: Value): boolean => {
    if (isRow) return row.key === (typeof cursor === "number" ? cursor : (cursor as Row).key);
    const place = services.model.info(row.resource).key;
    return place !== undefined && row.values[place] === cursor;
  };
  return (activation) => {
    const cursor = after(activation) ?? null;
    const list = listIn(activation, of) as readonly Row[];
    const at = cursor === null ? undefined : list.findIndex((row) => isAt(row, cursor));
    if (at === -1) return refuse(activation);
    const limit = atMost(activation) as bigint;
    activation.set(
      slot,
      step.backward ? before(list, at ?? list.length, limit) : behind(list, at ?? -1, limit),
    );
    return undefined;
  };
}

function behind(list: readonly Row[], at: number, limit: bigint): readonly Value[] {
  return partOf(list, { offset: BigInt(at + 1), limit });
}

function before(list: readonly Row[], at: number, limit: bigint): readonly Value[] {
  return limit >= BigInt(at) ? list.slice(0, at) : list.slice(at - Number(limit), at);
}
