/** Fires what is due, one savepoint each; a refused transition is followed by its `refused` row. */

import { gapMet } from "../answers/gap.ts";
import { mark } from "../context/marks.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import { Transaction } from "../context/transaction.ts";
import { nextTime } from "../context/transition-timers.ts";
import { undoneGap, unmet } from "../effects/answered-call.ts";
import type { Ambient, Effects, Fired, FiringHost, Row, Session, Value } from "../ports/index.ts";
import { type Due, named, type Timer } from "../states/timers.ts";
import { type Executor, guarded } from "./execute.ts";

/** Does one thing in a savepoint; the ending tells why it was undone. */
export function attempt(
  executor: Executor,
  work: Transaction,
  act: () => StepOutcome | "refused" | undefined,
): StepOutcome | "refused" | undefined {
  work.session.savepoint();
  let refused = false;
  const ending = guarded(() => {
    const met = act();
    refused = met === "refused";
    return met === "refused" ? undefined : (met ?? executor.judge(work));
  });
  const kept = ending?.is === "error" && ending.keep;
  if (refused || (ending !== undefined && !kept)) {
    work.session.rollback();
    if (refused) return "refused";
    return ending?.is === "unasked" ? ending : (undoneGap(executor.kit.model, work) ?? ending);
  }
  work.flush();
  work.session.release();
  return kept ? ending : undefined;
}

/** Transitions that the document states for the refusal of this one. */
function afterRefusal({ machine, transition }: Timer): readonly string[] {
  return (machine?.transitions ?? [])
    .filter((one) => one.on.is === "refused" && one.on.transition === transition?.name)
    .map((one) => one.name);
}

function effects(
  executor: Executor,
  work: Transaction,
  due: Due,
  ending: StepOutcome | "refused" | undefined,
): Effects {
  const called = work.called.map((one) => one.key);
  const base = { events: work.events, timersChanged: true, freedoms: [...work.freedoms], called };
  const { model } = executor.kit;
  if (ending === undefined) return base;
  const none = { ...base, events: [], timersChanged: false, called: [] };
  if (ending === "refused" && due.timer.transition?.on.is === "by itself") return none;
  const isRefused = ending === "refused" || ending.is === "error" || ending.is === "failures";
  if (isRefused && due.timer.transition === undefined) return none;
  const met = ending === "refused" ? undefined : unmet(executor.kit, ending);
  if (met !== undefined) return { ...none, ...met };
  if (isRefused) {
    return { ...none, gap: gapMet(model, `${due.timer.item}/refused`) };
  }
  if (ending.is === "gap") {
    return { ...none, gap: gapMet(model, ending.gap) };
  }
  if (ending.is === "unsupported")
    return { ...none, unsupported: ending.item, gap: gapMet(model, ending.item) };
  const fault = ending.is === "fault" ? ending.message : "a transition on time made an answer";
  return { ...none, fault, gap: gapMet(model, "failures/fault inside") };
}

interface Place {
  readonly executor: Executor;
  readonly session: Session;
  readonly ambient: Ambient;
}

function workOf({ executor, session, ambient }: Place): Transaction {
  return new Transaction({ model: executor.kit.model, session, ambient });
}

/** The row that is still there and still due; a firing before it may have changed that. */
function fresh(session: Session, { timer, row, at }: Due): Row | undefined {
  const now = session.get(row.resource, row.key);
  if (now === undefined) return undefined;
  const { transition, info } = timer;
  const state = now.values[info.state ?? -1];
  if (transition !== undefined && !transition.from.includes(state as string)) return undefined;
  const time = now.values[timer.place] as Value;
  return typeof time === "bigint" && time + timer.delay === at ? now : undefined;
}

/** What falls on one instant in no known order: neither happens, and the rows are not known. */
function undecided({ executor, session }: Place, due: Due, row: Row): Fired {
  const { timer } = due;
  const gap = gapMet(executor.kit.model, due.undecided ?? "");
  mark(session, { info: timer.info, row }, gap.id);
  const effects = { events: [], timersChanged: true, freedoms: [], called: [], gap };
  const { resource, key } = row;
  return {
    resource,
    key,
    refused: false,
    transition: timer.transition?.name,
    effects,
    due: named(due),
    left: false,
  };
}

/** Fires one; undefined: it is no longer due. */
export function fireOne(firing: Place, due: Due): Fired | undefined {
  const { executor, session } = firing;
  const { timer } = due;
  const found = fresh(session, due);
  if (found === undefined) return undefined;
  const { resource, key } = found;
  const before = { resource, key, values: [...found.values] };
  if (due.undecided !== undefined) return undecided(firing, due, found);
  // The time is used up, whatever comes of it.
  if (timer.clock !== undefined) {
    session.update(resource, key, nextTime(timer.clock, found, due.at));
  }
  const { machines, rows } = executor.kit;
  const work = workOf(firing);
  const row = work.get(resource, key);
  if (row === undefined) return undefined;
  const name = timer.transition?.name;
  const ending = attempt(executor, work, () =>
    name === undefined ? rows.delete(work, row) : machines.fire(work, row, [name]),
  );
  const error = ending !== "refused" && ending?.is === "error" ? ending.error : null;
  const isRefused = ending === "refused" || error !== null;
  const fired = { resource, key, refused: isRefused };
  // A row whose deletion is refused stays until nothing refuses it.
  const stays = timer.transition === undefined && ending !== undefined;
  const made = (what: Effects, transition: string | undefined, isStated = false): Fired => {
    const waits = what.asking !== undefined;
    if (waits && timer.clock !== undefined) session.update(resource, key, before.values);
    const isUnknown = what.gap !== undefined && what.fault === undefined && !isStated;
    if (isUnknown) mark(session, { info: timer.info, row: before }, what.gap.id);
    const isFault = what.gap !== undefined && !isUnknown && timer.clock === undefined;
    return {
      ...fired,
      transition,
      effects: what,
      due: named(due),
      left: waits || isFault || (stays && !isUnknown),
    };
  };
  const next = afterRefusal(timer);
  if (!isRefused || next.length === 0) return made(effects(executor, work, due, ending), name);
  const second = workOf(firing);
  second.refusal = error;
  const again = second.get(resource, key);
  if (again === undefined) return undefined;
  const after = attempt(executor, second, () => machines.fire(second, again, next));
  // A row that states what the refusal brings about, and cannot be taken, leaves all as it is.
  const isStated = after === "refused" || after?.is === "error";
  return made(effects(executor, second, due, after), next[0], isStated);
}

/**
 * Fires what is due, the earliest first, at most `countMax`. Where one of them falls due again
 * before the others, those are left for the next time this is called.
 */
export function fireAll(place: Place, all: readonly Due[], host?: FiringHost): readonly Fired[] {
  const made: Fired[] = [];
  let again: bigint | undefined;
  for (const due of all) {
    if (again !== undefined && again < due.at) break;
    if (host?.waits(named(due)) === true) continue;
    const ambient = host?.begin(named(due)) ?? place.ambient;
    const fired = fireOne({ ...place, ambient }, due);
    if (fired !== undefined) made.push(fired);
    if (fired?.effects.asking !== undefined) continue;
    const period = due.timer.clock?.period;
    const next = period === undefined ? undefined : due.at + period;
    if (next !== undefined && (again === undefined || next < again)) again = next;
  }
  return made;
}
