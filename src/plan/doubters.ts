/** Tells what is not known of rows when something has come that met a gap: all that it may do. */
import { type AfterAttempt, afterAttempts } from "./after-attempts.ts";
import { References } from "./references.ts";
import { type Doubt, Effects, isUnasked } from "./touches.ts";
import type { ItemId, Machine, Plan, Transition } from "./types/index.ts";

/** What may come of a transition that nobody asks for, and of those that may follow it. */
function ofTransition(plan: Plan, references: References, of: readonly Transition[]): Doubt {
  const effects = new Effects(plan, references);
  const [first] = of;
  const machine = plan.machines.find(
    ({ transitions }) => first !== undefined && transitions.includes(first),
  );
  if (machine === undefined) return effects;
  const row = { resource: machine.resource, isOwn: true };
  for (const one of of) {
    for (const state of one.from) effects.states.add(state);
    effects.taken(machine, one, row);
  }
  const later = machine.transitions.filter(isUnasked);
  for (let size = -1; size !== effects.states.size; ) {
    size = effects.states.size;
    for (const one of later) {
      if (one.from.some((state) => effects.states.has(state))) effects.taken(machine, one, row);
    }
  }
  return effects;
}

/** What may come of some steps behind an attempt to deliver to a row. */
function ofAttempt(
  plan: Plan,
  references: References,
  { resource, steps }: { readonly resource: string; readonly steps: AfterAttempt["steps"] },
): Doubt {
  const effects = new Effects(plan, references, { isExact: true });
  const row = { resource, isOwn: true };
  if (steps === undefined) effects.anything();
  else effects.steps(steps, new Map([["receiver", row]]));
  // No time comes for the row any more, whatever its state is.
  for (const machine of plan.machines) {
    if (machine.resource !== resource) continue;
    for (const one of machine.transitions) if (isUnasked(one)) effects.taken(machine, one, row);
  }
  return effects;
}

/** What may come of all that follows an attempt to deliver to rows of a resource, by name. */
function ofAttempts(
  plan: Plan,
  references: References,
  resource: string,
): readonly (readonly [ItemId, Doubt])[] {
  return plan.webhooks
    .filter(({ receivers: to }) => to.is === "stated" && to.value.resource === resource)
    .flatMap((one) => afterAttempts(one))
    .map(({ item, steps }) => [item, ofAttempt(plan, references, { resource, steps })]);
}

/** Names what the word of a call brings about on rows of a resource; no word: some word. */
export function saidItem(resource: string, call: string, word?: string): ItemId {
  return word === undefined ? `${resource} said ${call}` : `${resource} said ${call} ${word}`;
}

/** What the answers of calls may bring about on the rows of a machine's resource, by name. */
function ofAnswers(
  plan: Plan,
  references: References,
  machine: Machine | undefined,
): readonly (readonly [ItemId, Doubt])[] {
  const caused = new Map<ItemId, Transition[]>();
  for (const one of machine?.transitions ?? []) {
    if (machine === undefined || one.on.is !== "call") continue;
    const { call, word } = one.on;
    for (const item of [saidItem(machine.resource, call), saidItem(machine.resource, call, word)]) {
      caused.set(item, [...(caused.get(item) ?? []), one]);
    }
  }
  return [...caused].map(([item, all]) => [item, ofTransition(plan, references, all)]);
}

/** What is not known of rows when the time of one has met a gap. */
export interface Doubts {
  /**
   * By transition that nobody asks for, by what a call says, by invariant that says how long rows
   * are kept, and by what follows an attempt to deliver.
   */
  readonly of: ReadonlyMap<ItemId, Doubt>;
  /** By resource, where it is not known which of its transitions was to be taken. */
  readonly ofAny: ReadonlyMap<string, Doubt>;
  /** Resource -> those of which a time that comes for a row may touch other rows of the first. */
  readonly doubters: ReadonlyMap<string, readonly string[]>;
}

function madeOf(plan: Plan): Doubts {
  const references = new References(plan.partTypes);
  const of = new Map<ItemId, Doubt>();
  const ofAny = new Map<string, Doubt>();
  const doubters = new Map<string, string[]>();
  const isDoubtful = plan.gaps.some((gap) => gap.blocking);
  for (const { name, invariants } of isDoubtful ? plan.resources : []) {
    const machine = plan.machines.find((one) => one.resource === name);
    const unasked = (machine?.transitions ?? []).filter(isUnasked);
    const own = unasked.map((one) => [one.id, ofTransition(plan, references, [one])] as const);
    const said = ofAnswers(plan, references, machine);
    const kept = invariants.flatMap((one) => {
      if (one.kind !== "kept for") return [];
      const effects = new Effects(plan, references);
      effects.gone({ resource: name, isOwn: true });
      return [[one.id, effects] as const];
    });
    const received = ofAttempts(plan, references, name);
    for (const [id, doubt] of [...own, ...said, ...kept, ...received]) {
      of.set(id, doubt);
      for (const other of doubt.others.keys()) {
        const known = doubters.get(other) ?? [];
        if (!known.includes(name)) doubters.set(other, [...known, name]);
      }
    }
    ofAny.set(name, ofTransition(plan, references, unasked));
  }
  return { of, ofAny, doubters };
}

const known = new WeakMap<Plan, Doubts>();

/** Empty for a plan in which no time can meet a gap. */
export function doubtsOf(plan: Plan): Doubts {
  let found = known.get(plan);
  if (found === undefined) {
    found = madeOf(plan);
    known.set(plan, found);
  }
  return found;
}
