/** What falls due by the clock: timed transitions and rows kept for a time; fires them in order. */
import { type Code, callOf, nameOf, type Type } from "../../expr/index.ts";

import {
  clockField,
  durationOf,
  gapOf,
  type ItemId,
  isStated,
  MARK,
  type Machine,
  type ResourceInvariant,
  type Transition,
} from "../../plan/index.ts";
import type { Chooser } from "../chance/chooser.ts";
import type { CompilerServices } from "../compile/services.ts";
import { Activation, ROW, Scope } from "../context/activation.ts";
import { fieldType, isGiven } from "../context/field-type.ts";
import type { ResourceInfo } from "../context/model.ts";
import { Transaction } from "../context/transaction.ts";
import type { RowClock } from "../context/transition-timers.ts";
import { GapFault } from "../evaluate/fault.ts";
import type { Ambient, Firing, FiringHost, Row, Session, Value } from "../ports/index.ts";
import { compileExpression, findKept } from "../query/expression.ts";
import type { Finder } from "../query/finder.ts";
import { type Compare, compareKeys } from "../query/sort.ts";
import type { Evaluated } from "../query/specialize.ts";

/** One cause that the clock can bring: a transition, or the end of a row's keeping. */
export interface Timer {
  readonly info: ResourceInfo;
  readonly transition: Transition | undefined;
  readonly machine: Machine | undefined;
  /** Place of the field that holds the time. */
  readonly place: number;
  /** Set where the service itself keeps that time. */
  readonly clock: RowClock | undefined;
  /** Added to the field's time. */
  readonly delay: bigint;
  readonly item: ItemId;
  readonly scope: Scope;
  /** Due at `#until`, at the earliest first. */
  readonly due: Finder;
  /** Set past `#until`, at the earliest first. */
  readonly later: Finder;
  readonly until: number;
  readonly it: number;
  /** What orders rows that fall on the same instant. */
  readonly together: readonly Evaluated[];
  /** The order of those values. */
  readonly compare: Compare;
}

interface TimerParts {
  readonly transition?: Transition;
  readonly machine?: Machine;
  readonly field: string;
  readonly clock?: RowClock;
  readonly delay: bigint;
  readonly item: ItemId;
}

function timerOf(services: CompilerServices, info: ResourceInfo, parts: TimerParts): Timer {
  const { transition, machine, field, clock, delay, item } = parts;
  const scope = new Scope(services.model);
  const it = nameOf("it", { kind: "row", resource: info.name });
  const until = nameOf("#until", { kind: "timestamp" });
  const where: Code[] = [];
  if (machine !== undefined && transition !== undefined) {
    const state: Code = { op: "get", type: { kind: "string" }, of: it, member: machine.field };
    const states = transition.from.map(
      (value): Code => ({ op: "literal", type: { kind: "string" }, value }),
    );
    const [only] = states;
    where.push(
      states.length === 1 && only !== undefined
        ? callOf("==", state, only)
        : callOf("in", state, {
            op: "list",
            type: { kind: "list", of: { kind: "string" } },
            items: states,
          }),
    );
  }
  const type = fieldType(info, field);
  const read = (of: Code): Code => ({ op: "get", type, of, member: field });
  const nothing: Code = { op: "literal", type: { kind: "null" }, value: null };
  const bounded = (fn: string): Code[] => [
    ...isGiven(info, field),
    ...(type.kind === "nullable" ? [callOf("!=", read(it), nothing)] : []),
    // Known to be there by now: a store compares only what cannot be null.
    callOf(fn, plain(read(it)), until),
  ];
  if (info.mark !== undefined) {
    const type: Type = { kind: "nullable", of: { kind: "string" } };
    where.push(callOf("==", { op: "get", type, of: it, member: MARK }, nothing));
  }
  const row = nameOf(ROW, { kind: "row", resource: info.name });
  const order = [{ by: plain(read(row)), descending: false }];
  return {
    info,
    transition,
    machine,
    clock,
    delay,
    item,
    scope,
    place: info.at.get(field) ?? -1,
    until: scope.slot("#until"),
    it: scope.slot("it"),
    compare: compareKeys(
      isStated(machine?.together)
        ? machine.together.value.map(({ by, descending }) => ({ by: by.code, descending }))
        : [],
    ),
    together: isStated(machine?.together)
      ? machine.together.value.map((key) => compileExpression(scope, key.by))
      : [],
    due: findKept(scope, info.name, [...where, ...bounded("<=")]).ordered(order),
    later: findKept(scope, info.name, [...where, ...bounded(">")]).ordered(order),
  };
}

/** The same code, known to be not null: rows without the time were left out before. */
function plain(code: Code): Code {
  return code.type.kind === "nullable" ? { ...code, type: code.type.of } : code;
}

/** A timer that is compiled when a row is there that it can be due for. */
interface Later {
  readonly resource: string;
  readonly make: () => Timer;
  made: Timer | undefined;
}

function later(services: CompilerServices, info: ResourceInfo, parts: TimerParts): Later {
  return { resource: info.name, make: () => timerOf(services, info, parts), made: undefined };
}

function machineTimers(services: CompilerServices, machine: Machine): readonly Later[] {
  const info = services.model.info(machine.resource);
  if (machine.gap !== undefined) return [];
  return machine.transitions.flatMap((transition) => {
    const { on, id } = transition;
    if (on.is === "time") {
      return [later(services, info, { transition, machine, field: on.field, delay: 0n, item: id })];
    }
    const clock = info.clocks.find((one) => one.transition === transition);
    return clock === undefined
      ? []
      : [
          later(services, info, {
            transition,
            machine,
            clock,
            field: clockField(transition),
            delay: 0n,
            item: id,
          }),
        ];
  });
}

function keepingTimer(
  services: CompilerServices,
  info: ResourceInfo,
  invariant: ResourceInvariant,
): readonly Later[] {
  if (invariant.kind !== "kept for") return [];
  return [
    later(services, info, {
      field: invariant.after,
      item: invariant.id,
      delay: durationOf(invariant.durationText),
    }),
  ];
}

/** The timers of a plan. */
export interface Timers {
  /** Those that can be due in a session: no row falls due of a resource that never held one. */
  in(session: Session): readonly Timer[];
}

/** All timers of a plan, each compiled when it is first needed. */
export function compileTimers(services: CompilerServices): Timers {
  const all = [
    ...services.model.plan.machines.flatMap((one) => machineTimers(services, one)),
    ...[...services.model.resources.values()].flatMap((info) =>
      info.resource.invariants.flatMap((invariant) => keepingTimer(services, info, invariant)),
    ),
  ];
  return {
    in: (session) => {
      const filled = session.filled();
      return all
        .filter((one) => filled.has(one.resource))
        .map((one) => {
          one.made ??= one.make();
          return one.made;
        });
    },
  };
}

function activationAt(
  services: CompilerServices,
  timer: Timer,
  session: Session,
  now: bigint,
): Activation {
  const tx = new Transaction({
    model: services.model,
    session,
    ambient: clockAlone(now),
    isRaw: true,
  });
  return new Activation(timer.scope, tx).set(timer.until, now - timer.delay);
}

/** The clock and nothing else: looking what is due makes and sends nothing. */
function clockAlone(now: bigint): Ambient {
  const random = (bytes: number): Uint8Array => new Uint8Array(bytes);
  const digest = (): never => {
    throw new Error("looking what is due computes no hash");
  };
  return { now, hooks: {}, settings: new Map(), random, digest };
}

/** Whether a timer is due at `now`. */
export function anyDue(
  services: CompilerServices,
  timers: Timers,
  session: Session,
  now: bigint,
): boolean {
  return timers
    .in(session)
    .some((timer) => timer.due.exists(activationAt(services, timer, session, now)));
}

/** The earliest instant past `after` at which a timer falls due. */
export function nextDue(
  services: CompilerServices,
  timers: Timers,
  session: Session,
  after: bigint,
): bigint | undefined {
  let first: bigint | undefined;
  for (const timer of timers.in(session)) {
    const row = timer.later.rows(activationAt(services, timer, session, after), { limit: 1n })[0];
    const time = row?.values[timer.place];
    if (typeof time !== "bigint") continue;
    const due = time + timer.delay;
    if (first === undefined || due < first) first = due;
  }
  return first;
}

/** A timer that is due for a row. */
export interface Due {
  readonly timer: Timer;
  readonly row: Row;
  readonly at: bigint;
  /** Another transition falls on the same instant, and which comes first is not shown. */
  readonly undecided: ItemId | undefined;
}

/** Key values by which a machine orders what falls on the same instant. */
function togetherKeys(
  services: CompilerServices,
  timer: Timer,
  session: Session,
  row: Row,
): readonly Value[] {
  const activation = activationAt(services, timer, session, 0n);
  activation.set(timer.it, row);
  return timer.together.map((key) => key(activation));
}

/** The same; the gap where one of them cannot be told. */
function keysOrGap(...given: Parameters<typeof togetherKeys>): readonly Value[] | ItemId {
  try {
    return togetherKeys(...given);
  } catch (thrown) {
    if (thrown instanceof GapFault) return thrown.gap;
    throw thrown;
  }
}

/** The firing by its name. */
export function named({
  timer,
  row: { resource, key },
  at,
}: Pick<Due, "timer" | "row" | "at">): Firing {
  return { resource, key, item: timer.item, at };
}

/** How many of those found are taken; an instant of which the order is not shown is not cut. */
function endOf(found: readonly Pick<Due, "timer" | "at">[], countMax: number): number {
  let end = countMax;
  while (end < found.length) {
    const [last, next] = [found[end - 1], found[end]];
    if (last?.at !== next?.at || next?.timer.machine?.together.is !== "gap") break;
    end++;
  }
  return end;
}

interface Keyed {
  readonly timer: Timer;
  readonly keys: readonly Value[];
  readonly gap: ItemId | undefined;
}

/** Which of two rows of one machine comes first at the same instant; 0: that cannot be told. */
function orderOf(a: Keyed, b: Keyed): number {
  return a.gap === undefined && b.gap === undefined ? a.timer.compare(a.keys, b.keys) : 0;
}

/** What is due at `now`, the earliest first, at most `countMax`. */
export function dueAt(
  services: CompilerServices,
  timers: Timers,
  session: Session,
  clock: {
    readonly now: bigint;
    readonly countMax: number;
    readonly chooser?: Chooser;
    readonly host?: FiringHost;
  },
): readonly Due[] {
  const { now, countMax, chooser, host } = clock;
  const limit = BigInt(countMax + (host?.waiting ?? 0));
  const rank = ({ timer, row }: { timer: Timer; row: Row }): number =>
    chooser === undefined || timer.machine?.together.is !== "free"
      ? row.key
      : chooser.rank(`${row.resource} ${row.key}`);
  const found = timers
    .in(session)
    .flatMap((timer, order) => {
      // Where it is not shown which comes first, all of an instant have to be seen.
      const some = timer.machine?.together.is === "gap" ? undefined : { limit };
      const at = activationAt(services, timer, session, now);
      const isKnown = ({ values }: Row): boolean => typeof values[timer.place] === "bigint";
      const first = timer.due.rows(at, some);
      // A host may have rows of which it does not know the time.
      const rows = first.every(isKnown) ? first : timer.due.rows(at).filter(isKnown);
      return rows.map((row) => {
        const time = row.values[timer.place] as bigint;
        const keys = keysOrGap(services, timer, session, row);
        const gap = typeof keys === "string" ? keys : undefined;
        const known = typeof keys === "string" ? [] : keys;
        return { timer, row, at: time + timer.delay, order, keys: known, gap };
      });
    })
    .filter((one) => host?.waits(named(one)) !== true);
  found.sort(
    (a, b) =>
      (a.at < b.at ? -1 : a.at > b.at ? 1 : 0) ||
      (a.timer.machine !== b.timer.machine ? a.order - b.order : orderOf(a, b)) ||
      rank(a) - rank(b),
  );
  return found.slice(0, endOf(found, countMax)).map(({ timer, row, at, gap }, i) => {
    const answer = timer.machine?.together;
    const same = [found[i - 1], found[i + 1]].some(
      (other) => other?.at === at && other.timer.machine === timer.machine,
    );
    return { timer, row, at, undecided: same ? (gapOf(answer) ?? gap) : undefined };
  });
}
