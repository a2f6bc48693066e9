/** Judges limits on rows kept and on sums of what transitions moved, inside the transaction. */
import { type Code, nameOf, type Type } from "../../expr/index.ts";
import {
  durationOf,
  gapOf,
  isStated,
  type Limit,
  statedOf,
  type Transition,
  unknownOf,
} from "../../plan/index.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, Scope } from "../context/activation.ts";
import { fieldIs, fieldType } from "../context/field-type.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import type { Touched, Transaction } from "../context/transaction.ts";
import type { Row, Value } from "../ports/index.ts";
import { compileExpression, compileIn, findRows } from "../query/expression.ts";
import { countedUntil } from "./ahead.ts";
import { Pruner } from "./prune.ts";

/** A limit that what was done to a row may pass. */
type Judge = (tx: Transaction, row: Row) => StepOutcome | undefined;

export interface Quotas {
  /** Notes that a row has taken a transition. */
  moved(tx: Transaction, row: Row, transition: Transition): void;
  /** The first limit that the work passes. */
  judge(tx: Transaction, among: Iterable<Touched>): StepOutcome | undefined;
}

interface Making {
  readonly services: CompilerServices;
  readonly limit: Limit;
  readonly resource: string;
  readonly scope: Scope;
}

/** The key of the row whose count it is; null: everybody's; undefined: nobody's. */
type Group = (tx: Transaction, row: Row) => number | null | undefined;

function groupOf({ services, limit, resource }: Making): Group | undefined {
  const { per } = limit;
  if (!isStated(per)) return undefined;
  const { value } = per;
  if (value.is === "everyone") return () => null;
  if (value.is === "caller") return (tx) => tx.caller?.key;
  if (value.is !== "field") return undefined;
  const place = services.model.info(resource).at.get(value.field) ?? -1;
  return (_, row) => {
    const key = row.values[place];
    return typeof key === "number" ? key : undefined;
  };
}

/** The amount for the group's row; undefined: none is stated. */
function amountOf({
  services,
  limit,
  scope,
  resource,
}: Making): ((tx: Transaction, group: number | null) => Value) | undefined {
  const { amount, per } = limit;
  if (!isStated(amount)) return undefined;
  const it = scope.slot("it");
  const value = compileExpression(scope, amount.value.value);
  const info = services.model.info(resource);
  const whose = statedOf(per);
  const field = whose?.is === "field" ? whose.field : undefined;
  const type = field === undefined ? undefined : info.fields[info.at.get(field) ?? -1]?.type.type;
  return (tx, group) => {
    const activation = new Activation(scope, tx);
    const target = type?.kind === "reference" ? type.resource : tx.caller?.resource;
    activation.set(it, group === null || target === undefined ? null : tx.get(target, group));
    return value(activation);
  };
}

/** `seconds`: until a request may pass, for a limit that says so. */
function passed(
  { services, limit, scope }: Making,
  seconds?: (tx: Transaction, row: Row) => bigint,
): (tx: Transaction, row: Row) => StepOutcome {
  const { whenPassed } = limit;
  if (!isStated(whenPassed)) {
    const gap = gapOf(whenPassed) ?? limit.id;
    return () => ({ is: "gap", gap, silent: whenPassed.is !== "gap" });
  }
  const refuse = services.refusal(scope, whenPassed.value);
  const { retryAfter } = whenPassed.value;
  return (tx, row) => {
    services.model.options.trace?.(limit.id, "failed");
    const outcome = refuse(new Activation(scope, tx), row);
    if (retryAfter !== true || seconds === undefined || outcome.is !== "error") return outcome;
    return { ...outcome, retryAfter: String(seconds(tx, row)) };
  };
}

/** `Hook kept`: the rows that are there when the steps have ended. */
function rowsKept(making: Making): Judge | undefined {
  const { services, limit, scope, resource } = making;
  const gap = unknownOf(limit);
  if (gap !== undefined) {
    return (tx, row) =>
      tx.touched.get(`${resource} ${row.key}`)?.created === true ? { is: "gap", gap } : undefined;
  }
  const [group, amount] = [groupOf(making), amountOf(making)];
  const per = statedOf(limit.per);
  const field = per?.is === "field" ? per.field : undefined;
  const isEveryone = per?.is === "everyone";
  if (group === undefined || amount === undefined || (field === undefined && !isEveryone)) {
    return undefined;
  }
  const info = services.model.info(resource);
  const slot = scope.slot("#group");
  const where =
    field === undefined ? [] : fieldIs(info, field, nameOf("#group", fieldType(info, field)));
  const finder = findRows(scope, resource, where);
  const refuse = passed(making);
  return (tx, row) => {
    const key = group(tx, row);
    if (key === undefined || tx.touched.get(`${resource} ${row.key}`)?.created !== true) {
      return undefined;
    }
    const activation = new Activation(scope, tx).seeingAll();
    activation.set(slot, key);
    return finder.count(activation) > (amount(tx, key) as bigint) ? refuse(tx, row) : undefined;
  };
}

/** The instant at which the window that holds now began; undefined: what has no window. */
function windowStart({ limit, scope }: Making): ((tx: Transaction) => bigint) | undefined {
  const { window } = limit;
  if (!isStated(window)) return undefined;
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
    const start = compileIn(scope, {
      op: "call",
      type: instant,
      fn: "start_of",
      args: [today, zone],
    });
    return (tx) => start(new Activation(scope, tx)) as bigint;
  }
  const length = durationOf(value.durationText);
  if (value.is === "sliding") return ({ ambient }) => ambient.now - length + 1n;
  return ({ ambient: { now } }) => now - (((now % length) + length) % length);
}

/** When something that is counted no longer counts: the window's end, or that of the first. */
function windowEnd({
  limit,
  scope,
}: Making): ((tx: Transaction, first: bigint) => bigint) | undefined {
  const { window } = limit;
  if (!isStated(window)) return undefined;
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
  const end = compileIn(scope, {
    op: "call",
    type: { kind: "timestamp" },
    fn: "start_of",
    args: [next, zone],
  });
  return (tx) => end(new Activation(scope, tx)) as bigint;
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
  readonly start: ((tx: Transaction) => bigint) | undefined;
  readonly pruner: Pruner;
}

function sumOf(making: Making): Sum | undefined {
  const { services, limit, resource } = making;
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
  const refuse = passed(making, (tx, row) => {
    const from = start?.(tx) ?? -(2n ** 63n);
    const until = start && countedUntil(tx.ambient.now);
    const [first] = tx.session.counters.tallies(limit.name, group(tx, row) ?? 0, from, until);
    const micros = (end?.(tx, first ?? tx.ambient.now) ?? 0n) - tx.ambient.now;
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
      field: services.model.info(resource).at.get(counts.field) ?? -1,
    },
    judge: (tx, row) => {
      const key = group(tx, row);
      if (key === undefined) return undefined;
      const from = start?.(tx) ?? -(2n ** 63n);
      const until = start && countedUntil(tx.ambient.now);
      const sum = tx.session.counters.tallied(limit.name, key ?? 0, from, until);
      return sum > (amount(tx, key) as bigint) ? refuse(tx, row) : undefined;
    },
  };
}

/** Adds what a transition has moved to the count of its group. */
function add(
  tx: Transaction,
  limit: Limit,
  { field, start, pruner, key, row }: Tally & { readonly key: number | null; readonly row: Row },
): void {
  const amount = row.values[field] as bigint;
  tx.session.counters.tally(limit.name, key ?? 0, { at: tx.ambient.now, amount });
  if (start) pruner.counted(tx.session.counters, start(tx));
}

/** Compiles the limits that rows and transitions can pass. */
export function compileQuotas(services: CompilerServices): Quotas {
  const kept = new Map<string, Judge[]>();
  const sums: Sum[] = [];
  for (const limit of services.model.plan.limits) {
    const { counts } = limit;
    if (counts.is !== "rows kept" && counts.is !== "sum") continue;
    const making = { services, limit, resource: counts.resource, scope: new Scope(services.model) };
    const judge = counts.is === "rows kept" ? rowsKept(making) : undefined;
    if (judge !== undefined)
      kept.set(counts.resource, [...(kept.get(counts.resource) ?? []), judge]);
    const sum = counts.is === "sum" ? sumOf(making) : undefined;
    if (sum !== undefined) sums.push(sum);
  }
  return {
    moved: (tx, row, transition) => {
      for (const sum of sums) {
        if (sum.resource !== row.resource || !sum.transitions.includes(transition.name)) continue;
        const key = sum.tally === undefined ? null : sum.tally.group(tx, row);
        if (key === undefined) continue;
        if (sum.tally !== undefined) add(tx, sum.limit, { ...sum.tally, key, row });
        tx.counted.push({ row, judge: sum.judge });
      }
    },
    judge: (tx, among) => {
      for (const { row } of among) {
        if (tx.isDeleted(row)) continue;
        for (const judge of kept.get(row.resource) ?? []) {
          const outcome = judge(tx, row);
          if (outcome !== undefined) return outcome;
        }
      }
      for (const { row, judge } of tx.counted) {
        const outcome = judge(tx, row);
        if (outcome !== undefined) return outcome;
      }
      return undefined;
    },
  };
}
