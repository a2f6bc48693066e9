/** Fires what is due, one savepoint each; a refused transition is followed by its `refused` row. */

import { gapMet } from "../answers/gap.ts";
import type { CompilerServices } from "../compile/services.ts";
import { mark } from "../context/row-marks.ts";
import type { StepOutcome } from "../context/step-outcome.ts";
import { Transaction } from "../context/transaction.ts";
import { nextTime } from "../context/transition-timers.ts";
import { undoneGap, unmet } from "../effects/answered-call.ts";
import type { Ambient, Effects, Fired, FiringHost, Row, Session, Value } from "../ports/index.ts";
import { type Due, named, type Timer } from "../states/timers.ts";
import { type Executor, guarded } from "./execute.ts";

/** Does one thing in a savepoint; the outcome tells why it was undone. */
export function attempt(
  executor: Executor,
  tx: Transaction,
  act: () => StepOutcome | "refused" | undefined,
): StepOutcome | "refused" | undefined {
  tx.session.savepoint();
  let refused = false;
  const outcome = guarded(() => {
    const met = act();
    refused = met === "refused";
    return met === "refused" ? undefined : (met ?? executor.judge(tx));
  });
  const kept = outcome?.is === "error" && outcome.keep;
  if (refused || (outcome !== undefined && !kept)) {
    tx.session.rollback();
    if (refused) return "refused";
    return outcome?.is === "unasked"
      ? outcome
      : (undoneGap(executor.services.model, tx) ?? outcome);
  }
  tx.flush();
  tx.session.release();
  return kept ? outcome : undefined;
}

/** Transitions that the document states for the refusal of this one. */
function afterRefusal({ machine, transition }: Timer): readonly string[] {
  return (machine?.transitions ?? [])
    .filter((one) => one.on.is === "refused" && one.on.transition === transition?.name)
    .map((one) => one.name);
}

function effects(
  executor: Executor,
  tx: Transaction,
  due: Due,
  outcome: StepOutcome | "refused" | undefined,
): Effects {
  const called = tx.called.map((one) => one.key);
  const base = { events: tx.events, timersChanged: true, freedoms: [...tx.freedoms], called };
  const { model } = executor.services;
  if (outcome === undefined) return base;
  const none = { ...base, events: [], timersChanged: false, called: [] };
  if (outcome === "refused" && due.timer.transition?.on.is === "by itself") return none;
  const isRefused = outcome === "refused" || outcome.is === "error" || outcome.is === "failures";
  if (isRefused && due.timer.transition === undefined) return none;
  const met = outcome === "refused" ? undefined : unmet(executor.services, outcome);
  if (met !== undefined) return { ...none, ...met };
  if (isRefused) {
    return { ...none, gap: gapMet(model, `${due.timer.item}/refused`) };
  }
  if (outcome.is === "gap") {
    return { ...none, gap: gapMet(model, outcome.gap) };
  }
  if (outcome.is === "unsupported")
    return { ...none, unsupported: outcome.item, gap: gapMet(model, outcome.item) };
  const fault = outcome.is === "fault" ? outcome.message : "a transition on time made an answer";
  return { ...none, fault, gap: gapMet(model, "failures/fault inside") };
}

interface Place {
  readonly executor: Executor;
  readonly session: Session;
  readonly ambient: Ambient;
}

function workOf({ executor, session, ambient }: Place): Transaction {
  return new Transaction({ model: executor.services.model, session, ambient });
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
  const gap = gapMet(executor.services.model, due.undecided ?? "");
  mark(session, { info: timer.info, row, due: named(due) }, gap.id);
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

/** Nobody is told with which error it is refused. */
function deletion(
  rows: CompilerServices["rows"],
  tx: Transaction,
  row: Row,
): StepOutcome | "refused" | undefined {
  const outcome = rows.delete(tx, row);
  return outcome?.is === "gap" && outcome.refuses === true ? "refused" : outcome;
}

/** Fires one; undefined: it is no longer due. */
function fireOne(firing: Place, due: Due): Fired | undefined {
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
  const { machines, rows } = executor.services;
  const tx = workOf(firing);
  const row = tx.get(resource, key);
  if (row === undefined) return undefined;
  const name = timer.transition?.name;
  const outcome = attempt(executor, tx, () =>
    name === undefined ? deletion(rows, tx, row) : machines.fire(tx, row, [name]),
  );
  const error = outcome !== "refused" && outcome?.is === "error" ? outcome.error : null;
  const isRefused = outcome === "refused" || error !== null;
  const fired = { resource, key, refused: isRefused };
  // A row whose deletion is refused stays until nothing refuses it.
  const stays = timer.transition === undefined && outcome !== undefined;
  const made = (what: Effects, transition: string | undefined, isStated = false): Fired => {
    const waits = what.asking !== undefined;
    if (waits && timer.clock !== undefined) session.update(resource, key, before.values);
    const isUnknown = what.gap !== undefined && what.fault === undefined && !isStated;
    if (isUnknown) {
      mark(session, { info: timer.info, row: before, due: named(due) }, what.gap.id);
    }
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
  if (!isRefused || next.length === 0) return made(effects(executor, tx, due, outcome), name);
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
