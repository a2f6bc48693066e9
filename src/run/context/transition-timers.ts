/** Keeps the times of `every` and `by itself` up to date as rows are made and enter states. */
import {
  clockField,
  durationOf,
  hasClock,
  type Machine,
  type Transition,
} from "../../plan/index.ts";
import type { Ambient, Row, Value } from "../ports/index.ts";

/** A time that the service keeps in each row of a machine. */
export interface RowClock {
  readonly transition: Transition;
  /** Place of the field that holds the time. */
  readonly place: number;
  /** Micros from one time to the next; undefined: the time comes once, after a state is entered. */
  readonly period: bigint | undefined;
  /** Micros within which the transition happens by itself. */
  readonly within: bigint;
}

/** The clocks of a machine; `at` gives the places of fields. */
export function clocksOf(
  machine: Machine | undefined,
  at: ReadonlyMap<string, number>,
): readonly RowClock[] {
  return (machine?.transitions ?? []).filter(hasClock).map((transition): RowClock => {
    const place = at.get(clockField(transition));
    if (place === undefined) throw new Error(`${transition.id}: its clock has no field`);
    const { on } = transition;
    const period = on.is === "every" ? durationOf(on.durationText) : undefined;
    const within = on.is === "by itself" ? durationOf(on.withinText) : 0n;
    return { transition, place, period, within };
  });
}

/** The last moment at which a transition may happen by itself, or an earlier one. */
function moment(within: bigint, { now, chooser }: Ambient): bigint {
  return now + (chooser?.within(within) ?? within);
}

/** Sets the times of a new row. */
export function startClocks(
  clocks: readonly RowClock[],
  values: Value[],
  state: Value,
  ambient: Ambient,
): void {
  const { now } = ambient;
  for (const { transition, place, period, within } of clocks) {
    const isIn = transition.from.includes(state as string);
    values[place] = period !== undefined ? now + period : isIn ? moment(within, ambient) : null;
  }
}

/**
 * Sets the times of a row that has entered a state. Times that passed while the row was in no state
 * of From are not made up for.
 */
export function enterState(
  clocks: readonly RowClock[],
  row: Row,
  states: { readonly before: Value; readonly after: Value; readonly ambient: Ambient },
): void {
  const { before, after, ambient } = states;
  const { now } = ambient;
  for (const {
    transition: { from },
    place,
    period,
    within,
  } of clocks) {
    const isIn = from.includes(after as string);
    if (period === undefined) {
      row.values[place] = isIn ? moment(within, ambient) : null;
      continue;
    }
    const due = row.values[place];
    if (!isIn || from.includes(before as string) || typeof due !== "bigint" || due > now) continue;
    row.values[place] = due + ((now - due) / period + 1n) * period;
  }
}

/** The values of a row whose time `at` has come, with the time behind it. */
export function nextTime({ place, period }: RowClock, row: Row, at: bigint): readonly Value[] {
  return row.values.map((value, i) =>
    i !== place ? value : period === undefined ? null : at + period,
  );
}
