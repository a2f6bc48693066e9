/** Fires what is due, one savepoint each; a refused transition is followed by its `refused` row. */
import type { Ending } from "../ending.ts";
import { gapMet } from "../answers/gap.ts";
import { guarded, type Executor } from "../execute.ts";
import type { Ambient, Effects, Fired, Row, Session, Value } from "../ports.ts";
import { Work } from "../work.ts";
import type { Due, Timer } from "./timers.ts";

/** Does one thing in a savepoint; the ending tells why it was undone. */
export function attempt(executor: Executor, work: Work, act: () => Ending | "refused" | undefined):
  Ending | "refused" | undefined {
  work.session.savepoint();
  let refused = false;
  const ending = guarded(() => {
    const met = act();
    refused = met === "refused";
    return met === "refused" ? undefined : met ?? executor.judge(work);
  });
  const kept = ending?.is === "error" && ending.keep;
  if (refused || (ending !== undefined && !kept)) {
    work.session.rollback();
    return refused ? "refused" : ending;
  }
  work.flush();
  work.session.release();
  return kept ? ending : undefined;
}

/** Transitions that the document states for the refusal of this one. */
function afterRefusal({ machine, transition }: Timer): readonly string[] {
  return (machine?.transitions ?? []).filter((one) =>
    one.on.is === "refused" && one.on.transition === transition?.name).map((one) => one.name);
}

function effects(executor: Executor, work: Work, due: Due, ending: Ending | "refused" | undefined):
  Effects {
  const base = { events: work.events, timersChanged: true, freedoms: [...work.freedoms] };
  const { model } = executor.kit;
  if (ending === undefined) {
    return due.undecided === undefined ? base
      : { ...base, freedoms: [...base.freedoms, due.undecided] };
  }
  const none = { ...base, events: [], timersChanged: false };
  if (ending === "refused" || ending.is === "error" || ending.is === "failures") {
    return { ...none, gap: gapMet(model, `${due.timer.item}/refused`, true) };
  }
  if (ending.is === "gap") {
    return { ...none, gap: gapMet(model, ending.gap, ending.silent === true) };
  }
  if (ending.is === "unsupported") return { ...none, unsupported: ending.item,
    gap: gapMet(model, ending.item, true) };
  const fault = ending.is === "fault" ? ending.message : "a transition on time made an answer";
  return { ...none, fault, gap: gapMet(model, "failures/fault inside", true) };
}

interface Firing {
  readonly executor: Executor;
  readonly session: Session;
  readonly ambient: Ambient;
}

function workOf({ executor, session, ambient }: Firing): Work {
  return new Work({ model: executor.kit.model, session, ambient });
}

/** The row that is still there and still due; a firing before it may have changed that. */
function fresh(work: Work, { timer, row, at }: Due): Row | undefined {
  const now = work.get(row.resource, row.key);
  if (now === undefined || timer.place === undefined) return now;
  const time = now.values[timer.place] as Value;
  return typeof time === "bigint" && time + timer.delay === at ? now : undefined;
}

/** Fires one; undefined: it is no longer due. */
export function fireOne(firing: Firing, due: Due): Fired | undefined {
  const { executor } = firing;
  const { kit } = executor;
  const { timer, row: { resource, key } } = due;
  const work = workOf(firing);
  const row = fresh(work, due);
  if (row === undefined) return undefined;
  const name = timer.transition?.name;
  if (name !== undefined && !kit.machines.may(work, row, name)) return undefined;
  const ending = attempt(executor, work, () => (name === undefined
    ? kit.rows.delete(work, row) : kit.machines.fire(work, row, [name])));
  const error = ending !== "refused" && ending?.is === "error" ? ending.error : null;
  const refused = ending === "refused" || error !== null;
  const next = afterRefusal(timer);
  if (!refused || next.length === 0) {
    return { resource, key, transition: name, refused,
      effects: effects(executor, work, due, ending) };
  }
  const second = workOf(firing);
  second.refusal = error;
  const again = second.get(resource, key);
  if (again === undefined) return undefined;
  const after = attempt(executor, second, () => kit.machines.fire(second, again, next));
  return { resource, key, transition: next[0], refused: true,
    effects: effects(executor, second, due, after) };
}
