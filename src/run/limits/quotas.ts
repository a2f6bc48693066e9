/** Judges limits on rows kept and on sums of what transitions moved, inside the transaction. */
import { type Code, nameOf, type Type } from "../../expr/index.ts";
import { durationOf, type Limit, type Transition, unknownOf } from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { fieldIs, fieldType } from "../context/field-type.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Touched, Transaction } from "../context/transaction.ts";
import type { Row, Value } from "../ports/index.ts";
import { compileExpression, compileIn, findRows } from "../query/expression.ts";
import { Pruner } from "./prune.ts";

/** A limit that what was done to a row may pass. */
type Judge = (work: Transaction, row: Row) => StepOutcome | undefined;

export interface Quotas {
  /** Notes that a row has taken a transition. */
  moved(work: Transaction, row: Row, transition: Transition): void;
  /** The first limit that the work passes. */
  judge(work: Transaction, among: Iterable<Touched>): StepOutcome | undefined;
}

interface Making {
  readonly kit: CompilerServices;
  readonly limit: Limit;
  readonly resource: string;
  readonly unit: Scope;
}

/** The key of the row whose count it is; null: everybody's; undefined: nobody's. */
type Group = (work: Transaction, row: Row) => number | null | undefined;

function groupOf({ kit, limit, resource }: Making): Group | undefined {
  const { per } = limit;
  if (per.is !== "stated") return undefined;
  const { value } = per;
  if (value.is === "everyone") return () => null;
  if (value.is === "caller") return (work) => work.caller?.key;
  if (value.is !== "field") return undefined;
  const place = kit.model.info(resource).at.get(value.field) ?? -1;
  return (_, row) => {
    const key = row.values[place];
    return typeof key === "number" ? key : undefined;
  };
}

/** The amount for the group's row; undefined: none is stated, or only a lower bound. */
function amountOf({
  kit,
  limit,
  unit,
  resource,
}: Making): ((work: Transaction, group: number | null) => Value) | undefined {
  const { amount, per } = limit;
  if (amount.is !== "stated" || amount.value.atLeast) return undefined;
  const it = unit.slot("it");
  const value = compileExpression(unit, amount.value.value);
  const info = kit.model.info(resource);
  const field = per.is === "stated" && per.value.is === "field" ? per.value.field : undefined;
  const type = field === undefined ? undefined : info.fields[info.at.get(field) ?? -1]?.type.type;
  return (work, group) => {
    const frame = new Activation(unit, work);
    const target = type?.kind === "reference" ? type.resource : work.caller?.resource;
    frame.set(it, group === null || target === undefined ? null : work.get(target, group));
    return value(frame);
  };
}

/** `seconds`: until a request may pass, for a limit that says so. */
function passed(
  { kit, limit, unit }: Making,
  seconds?: (work: Transaction, row: Row) => bigint,
): (work: Transaction, row: Row) => StepOutcome {
  const { whenPassed } = limit;
  if (whenPassed.is !== "stated") {
    const gap = whenPassed.is === "gap" ? whenPassed.gap : limit.id;
    return () => ({ is: "gap", gap, silent: whenPassed.is !== "gap" });
  }
  const refuse = kit.refusal(unit, whenPassed.value);
  const { retryAfter } = whenPassed.value;
  return (work, row) => {
    const ending = refuse(new Activation(unit, work), row);
    if (retryAfter !== true || seconds === undefined || ending.is !== "error") return ending;
    return { ...ending, retryAfter: String(seconds(work, row)) };
  };
}

/** `Hook kept`: the rows that are there when the steps have ended. */
function rowsKept(making: Making): Judge | undefined {
  const { kit, limit, unit, resource } = making;
  const gap = unknownOf(limit);
  if (gap !== undefined) {
    return (work, row) =>
      work.touched.get(`${resource} ${row.key}`)?.created === true ? { is: "gap", gap } : undefined;
  }
  const [group, amount] = [groupOf(making), amountOf(making)];
  const field =
    limit.per.is === "stated" && limit.per.value.is === "field" ? limit.per.value.field : undefined;
  const isEveryone = limit.per.is === "stated" && limit.per.value.is === "everyone";
  if (group === undefined || amount === undefined || (field === undefined && !isEveryone)) {
    return undefined;
  }
  const info = kit.model.info(resource);
  const slot = unit.slot("#group");
  const where =
    field === undefined ? [] : fieldIs(info, field, nameOf("#group", fieldType(info, field)));
  const finder = findRows(unit, resource, where);
  const refuse = passed(making);
  return (work, row) => {
    const key = group(work, row);
    if (key === undefined || work.touched.get(`${resource} ${row.key}`)?.created !== true) {
      return undefined;
    }
    const frame = new Activation(unit, work);
    frame.set(1, true);
    frame.set(slot, key);
    return finder.count(frame) > (amount(work, key) as bigint) ? refuse(work, row) : undefined;
  };
}

/** The instant at which the window that holds now began; undefined: what has no window. */
function windowStart({ limit, unit }: Making): ((work: Transaction) => bigint) | undefined {
  const { window } = limit;
  if (window.is !== "stated") return undefined;
  const { value } = window;
  if (value.is === "day") {
    const instant: Type = { kind: "timestamp" };
    const zone = value.zone.code;
    const today: Code = {
      op: "call",
      type: { kind: "date" },
      fn: "date_of",
      args: [nameOf("now", instant), zone],
    };
    const start = compileIn(unit, {
      op: "call",
      type: instant,
      fn: "start_of",
      args: [today, zone],
    });
    return (work) => start(new Activation(unit, work)) as bigint;
  }
  const length = durationOf(value.durationText);
  if (value.is === "sliding") return ({ ambient }) => ambient.now - length + 1n;
  return ({ ambient: { now } }) => now - (((now % length) + length) % length);
}

/** When something that is counted no longer counts: the window's end, or that of the first. */
function windowEnd({
  limit,
  unit,
}: Making): ((work: Transaction, first: bigint) => bigint) | undefined {
  const { window } = limit;
  if (window.is !== "stated") return undefined;
  const { value } = window;
  if (value.is !== "day") {
    const length = durationOf(value.durationText);
    if (value.is === "sliding") return (_, first) => first + length;
    return ({ ambient: { now } }) => now - (((now % length) + length) % length) + length;
  }
  const zone = value.zone.code;
  const day: Type = { kind: "date" };
  const today: Code = {
    op: "call",
    type: day,
    fn: "date_of",
    args: [nameOf("now", { kind: "timestamp" }), zone],
  };
  const one: Code = { op: "literal", type: { kind: "integer" }, value: "1" };
  const next: Code = { op: "call", type: day, fn: "add_days", args: [today, one] };
  const end = compileIn(unit, {
    op: "call",
    type: { kind: "timestamp" },
    fn: "start_of",
    args: [next, zone],
  });
  return (work) => end(new Activation(unit, work)) as bigint;
}

interface Sum {
  readonly limit: Limit;
  readonly resource: string;
  readonly transitions: readonly string[];
  readonly judge: Judge;
  /** Undefined: what is not shown of it is met, and nothing is added. */
  readonly tally: Tally | undefined;
}

interface Tally {
  readonly field: number;
  readonly group: Group;
  /** Where the window begins that holds now; undefined: all counts for ever. */
  readonly start: ((work: Transaction) => bigint) | undefined;
  readonly pruner: Pruner;
}

function sumOf(making: Making): Sum | undefined {
  const { kit, limit, resource } = making;
  const { counts } = limit;
  if (counts.is !== "sum") return undefined;
  const gap = unknownOf(limit);
  if (gap !== undefined) {
    const { transitions } = counts;
    return { limit, resource, transitions, judge: () => ({ is: "gap", gap }), tally: undefined };
  }
  const [group, amount, start] = [groupOf(making), amountOf(making), windowStart(making)];
  if (group === undefined || amount === undefined) return undefined;
  const end = windowEnd(making);
  const refuse = passed(making, (work, row) => {
    const from = start?.(work) ?? -(2n ** 63n);
    const [first] = work.session.counters.tallies(limit.name, group(work, row) ?? 0, from);
    const micros = (end?.(work, first ?? work.ambient.now) ?? 0n) - work.ambient.now;
    return micros <= 0n ? 1n : (micros + 999_999n) / 1_000_000n;
  });
  return {
    limit,
    resource,
    transitions: counts.transitions,
    tally: {
      group,
      start,
      pruner: new Pruner(limit.name),
      field: kit.model.info(resource).at.get(counts.field) ?? -1,
    },
    judge: (work, row) => {
      const key = group(work, row);
      if (key === undefined) return undefined;
      const from = start?.(work) ?? -(2n ** 63n);
      const sum = work.session.counters.tallied(limit.name, key ?? 0, from);
      return sum > (amount(work, key) as bigint) ? refuse(work, row) : undefined;
    },
  };
}

/** Adds what a transition has moved to the count of its group. */
function add(
  work: Transaction,
  limit: Limit,
  { field, start, pruner, key, row }: Tally & { readonly key: number | null; readonly row: Row },
): void {
  const amount = row.values[field] as bigint;
  work.session.counters.tally(limit.name, key ?? 0, { at: work.ambient.now, amount });
  if (start) pruner.counted(work.session.counters, start(work));
}

/** Compiles the limits that rows and transitions can pass. */
export function compileQuotas(kit: CompilerServices): Quotas {
  const kept = new Map<string, Judge[]>();
  const sums: Sum[] = [];
  for (const limit of kit.model.plan.limits) {
    const { counts } = limit;
    if (counts.is !== "rows kept" && counts.is !== "sum") continue;
    const making = { kit, limit, resource: counts.resource, unit: new Scope(kit.model) };
    const judge = counts.is === "rows kept" ? rowsKept(making) : undefined;
    if (judge !== undefined)
      kept.set(counts.resource, [...(kept.get(counts.resource) ?? []), judge]);
    const sum = counts.is === "sum" ? sumOf(making) : undefined;
    if (sum !== undefined) sums.push(sum);
  }
  return {
    moved: (work, row, transition) => {
      for (const sum of sums) {
        if (sum.resource !== row.resource || !sum.transitions.includes(transition.name)) continue;
        const key = sum.tally === undefined ? null : sum.tally.group(work, row);
        if (key === undefined) continue;
        if (sum.tally !== undefined) add(work, sum.limit, { ...sum.tally, key, row });
        work.counted.push({ row, judge: sum.judge });
      }
    },
    judge: (work, among) => {
      for (const { row } of among) {
        if (work.isDeleted(row)) continue;
        for (const judge of kept.get(row.resource) ?? []) {
          const ending = judge(work, row);
          if (ending !== undefined) return ending;
        }
      }
      for (const { row, judge } of work.counted) {
        const ending = judge(work, row);
        if (ending !== undefined) return ending;
      }
      return undefined;
    },
  };
}
