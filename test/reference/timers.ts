/** What happens by the clock alone: timed transitions, and rows that are kept for a time. */
import type { Machine, Plan, Transition } from "../../src/plan/index.ts";
import { meet, pass } from "./coverage.ts";
import { GapFault } from "./evaluate.ts";
import { judgeInvariants } from "./invariants.ts";
import { fire, type RunSteps } from "./machines.ts";
import { deleteRow } from "./rows.ts";
import { statedDuration } from "./times.ts";
import { compare, Fault, GapMet, type Ref, type Value } from "./values.ts";
import { type Ending, type Outside, rowName, Work } from "./work.ts";
import { copyWorld, type LaterCall, resourceOf, type Unknown, type World } from "./world.ts";

interface Due {
  readonly it: Ref;
  readonly at: bigint;
  /** The transition, or the invariant that says how long rows are kept. */
  readonly item: string;
  readonly machine?: Machine;
  readonly transition?: Transition;
  /** Place in the order of the document's tables. */
  readonly place: number;
  readonly keys: readonly Value[];
}

/** What comes for a row, and when. */
export type Caused = Pick<Due, "it" | "at" | "item">;

export interface Clockwork {
  readonly plan: Plan;
  readonly outside: Outside;
  readonly run: RunSteps;
  answered(work: Work, call: LaterCall): Ending | undefined;
  /** What an answer brings about: on which rows, by which word of the call. */
  caused(work: Work, call: LaterCall): readonly Caused[];
}

/** Does all that is due at `now`, one after another, each all or nothing. Gives the new world. */
export function tick(parts: Clockwork, world: World, now: bigint): World {
  // Nothing happens twice for the same time.
  const passed = new Set<string>(world.happened);
  let current = world;
  for (let rounds = 0; rounds < 100_000; rounds++) {
    const work = new Work(parts.plan, parts.outside, current, now);
    work.isRaw = true;
    const due = dueNow(work);
    const next = due.find((one) => !passed.has(nameOf(one)));
    if (next === undefined) {
      const names = new Set(due.map(nameOf));
      const happened = current.happened.filter((one) => names.has(one));
      return happened.length === current.happened.length ? current : { ...current, happened };
    }
    const made = happen(parts, current, next, now);
    passed.add(nameOf(next));
    if (made !== undefined) current = { ...made, happened: [...made.happened, nameOf(next)] };
  }
  throw new Error("timers never end");
}

function nameOf({ it, transition, at }: Due): string {
  return `${rowName(it)} ${transition?.id ?? "kept for"} ${at}`;
}

/** Everything due, the earliest first; on one instant in the stated order, then by table and row. */
function dueNow(work: Work): readonly Due[] {
  const found: Due[] = [];
  let place = 0;
  for (const machine of work.plan.machines) {
    for (const transition of machine.transitions) {
      place++;
      for (const it of work.rows(machine.resource)) {
        if (work.find(it)?.unknown !== undefined) continue;
        const at = dueAt(work, machine, transition, it);
        if (at === undefined || at > work.now) continue;
        const keys =
          machine.together.is === "stated"
            ? machine.together.value.map((key) => work.eval(key.by, [["it", it]]))
            : [];
        found.push({ it, at, item: transition.id, machine, transition, place, keys });
      }
    }
  }
  for (const resource of work.plan.resources) {
    for (const invariant of resource.invariants) {
      place++;
      if (invariant.kind !== "kept for") continue;
      for (const it of work.rows(resource.name)) {
        if (work.find(it)?.unknown !== undefined) continue;
        const from = work.field(it, invariant.after);
        if (typeof from !== "bigint") continue;
        const at = from + statedDuration(invariant.durationText);
        if (at <= work.now) found.push({ it, at, item: invariant.id, place, keys: [] });
      }
    }
  }
  const all = found.sort(inOrder);
  for (const [i, { machine, at }] of all.entries()) {
    const before = all[i - 1];
    if (machine !== undefined && machine === before?.machine && at === before.at) {
      pass(machine.together);
    }
  }
  return all;
}

function dueAt(work: Work, machine: Machine, transition: Transition, it: Ref): bigint | undefined {
  if (!transition.from.includes(work.field(it, machine.field) as string)) return undefined;
  const { on } = transition;
  if (on.is === "time") {
    const time = work.field(it, on.field);
    return typeof time === "bigint" ? time : undefined;
  }
  // Of the moments at which something may happen by itself this is the last.
  return work.find(it)?.times.get(transition.id) ?? undefined;
}

function inOrder(a: Due, b: Due): number {
  if (a.at !== b.at) return a.at < b.at ? -1 : 1;
  if (a.machine !== undefined && a.machine === b.machine && a.machine.together.is === "stated") {
    for (const [i, { descending }] of a.machine.together.value.entries()) {
      const order = compareNull(a.keys[i], b.keys[i]);
      if (order !== 0) return descending ? -order : order;
    }
  } else if (a.machine !== b.machine && a.place !== b.place) return a.place - b.place;
  return a.it.key - b.it.key || a.place - b.place;
}

/** Null comes first in ascending order. */
export function compareNull(a: Value, b: Value): number {
  const missing = (value: Value): boolean => value === null || value === undefined;
  if (missing(a) || missing(b)) return Number(missing(b)) - Number(missing(a));
  return compare(a, b);
}

/** Long calls that are answered now, each all or nothing. */
export function answerLater(parts: Clockwork, world: World, now: bigint): World {
  let current = world;
  for (const one of world.later) {
    current = { ...current, later: current.later.filter((other) => other !== one) };
    const work = new Work(parts.plan, parts.outside, current, now);
    const outcome = attempt(work, () => parts.answered(work, one));
    if (outcome === undefined) current = work.world;
    if (outcome !== undefined && isGap(outcome)) {
      current = parts
        .caused(work, one)
        .reduce((before, due) => unknown(before, due, { gap: outcome.gap, stays: true }), current);
    }
  }
  return current;
}

type Outcome = Ending | "refused" | "fault" | undefined;

/** The world after what was due, or after its refusal; undefined: it stays undone. */
function happen(parts: Clockwork, world: World, due: Due, now: bigint): World | undefined {
  const { plan, outside, run } = parts;
  const { it, transition, machine } = due;
  const isClock = transition?.on.is === "every" || transition?.on.is === "by itself";
  const begun = isClock ? usedUp(world, due) : world;
  const left = isClock ? begun : undefined;
  const work = new Work(plan, outside, begun, now);
  if (transition === undefined) meet("invariant", "kept for, passed");
  const outcome = attempt(work, () =>
    transition === undefined ? deleteRow(work, it) : fire(work, it, [transition.name], run),
  );
  if (outcome === undefined) return work.world;
  // Nobody is told with which error a deletion is refused.
  if (transition === undefined && isGap(outcome) && outcome.refuses === true) return left;
  if (isGap(outcome)) return unknown(world, due, { gap: outcome.gap, stays: false });
  const error =
    outcome !== "refused" && outcome !== "fault" && outcome.is === "error" ? outcome.error : null;
  if (outcome !== "refused" && error === null) return left;
  const names = (machine?.transitions ?? [])
    .filter((one) => one.on.is === "refused" && one.on.transition === transition?.name)
    .map((one) => one.name);
  if (names.length === 0) return left;
  const second = new Work(plan, outside, begun, now);
  second.refusal = error;
  const after = attempt(second, () => fire(second, it, names, run));
  if (after !== undefined && isGap(after))
    return unknown(world, due, { gap: after.gap, stays: false });
  return after === undefined ? second.world : left;
}

function isGap(outcome: NonNullable<Outcome>): outcome is Extract<Ending, { is: "gap" }> {
  return typeof outcome === "object" && outcome.is === "gap";
}

/** The world in which something has come for the row and met a gap. */
function unknown(
  world: World,
  { it, at, item }: Caused,
  { gap, stays }: Pick<Unknown, "gap" | "stays">,
): World {
  const made = copyWorld(world);
  const row = made.rows.get(it.resource)?.find((one) => one.key === it.key);
  if (row === undefined) return made;
  const before = (row.unknown ?? []).filter((one) => one.gap !== gap || one.of !== item);
  row.unknown = [...before, { gap, of: item, at, stays }];
  return made;
}

/** A time that the service itself keeps is used up, whatever comes of it. */
function usedUp(world: World, { it, at, transition }: Due): World {
  const made = copyWorld(world);
  const row = made.rows.get(it.resource)?.find((one) => one.key === it.key);
  if (transition?.on.is === "every") {
    row?.times.set(transition.id, at + statedDuration(transition.on.durationText));
  } else if (transition !== undefined) row?.times.set(transition.id, null);
  return made;
}

/** Does it and judges the invariants; whatever stands in its way leaves the world as it was. */
function attempt(work: Work, act: () => Ending | "refused" | undefined): Outcome {
  const undo = work.save();
  let outcome: Outcome;
  try {
    outcome = act() ?? judgeInvariants(work);
  } catch (thrown) {
    if (thrown instanceof GapMet || thrown instanceof GapFault) {
      outcome = { is: "gap", gap: thrown.gap };
    } else if (thrown instanceof Fault) outcome = "fault";
    else throw thrown;
  }
  const keeps = typeof outcome === "object" && outcome.is === "error" && outcome.keep;
  if (outcome !== undefined && !keeps) undo();
  return outcome;
}

/** Whether the plan names anything that the clock brings about. */
export function isTimed(plan: Plan): boolean {
  return (
    plan.machines.some((machine) =>
      machine.transitions.some(({ on }) => ["time", "every", "by itself"].includes(on.is)),
    ) ||
    plan.resources.some(({ name }) =>
      resourceOf(plan, name).invariants.some((one) => one.kind === "kept for"),
    )
  );
}
