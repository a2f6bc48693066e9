/** Compares states and transitions, named steps and calls. */
import { contentName } from "../base/index.ts";
import type { Call, Machine, Routine, State, Transition } from "../plan/index.ts";
import { givenList } from "./fields.ts";
import {
  type Compare,
  each,
  gapBeside,
  type Members,
  type On,
  tell,
  tellAdded,
  tellGone,
  told,
  toldSet,
  under,
  wording,
} from "./found.ts";
import { paired } from "./pairs.ts";
import { refusal } from "./refusals.ts";
import { isSame } from "./same.ts";
import { stepList } from "./steps.ts";

const states: Compare<readonly State[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ name }) => name);
  for (const { name } of gone) tell(on, "state removed", { what: name });
  for (const { name } of added) tell(on, "state added", { what: name });
  for (const [old, one] of both) {
    if (!isSame(old, one)) tell(on, "state changed", { what: one.name });
  }
};

const transitionChanged = told("transition changed");

const transition: Members<Transition> = {
  id: wording,
  name: transitionChanged,
  from: toldSet("transition changed"),
  to: transitionChanged,
  on: transitionChanged,
  when: transitionChanged,
  gap: gapBeside,
  then: stepList,
};

/** Of rows with one name no two hold at once: their order is nothing. */
const transitions: Compare<readonly Transition[]> = (before, now, on) => {
  const from = (one: Transition): string => `${one.name} ${one.from.toSorted().join(" ")}`;
  const whole = (one: Transition): string => `${from(one)} ${one.to} ${one.when?.text ?? ""}`;
  const row = (one: Transition): string => `${one.from.toSorted().join(" ")} ${one.to}`;
  const { both, gone, added } = paired(before, now, whole, from, ({ name }) => name, row);
  for (const { id, name } of gone) tellGone(on, "transition removed", id, { what: name });
  for (const { id, name } of added) tellAdded(on, "transition added", id, { what: name });
  for (const [old, one] of both) {
    if (old.name === one.name) {
      each(transition, old, one, { ...on, before: old.id, now: one.id });
    } else {
      tellGone(on, "transition removed", old.id, { what: old.name });
      tellAdded(on, "transition added", one.id, { what: one.name });
    }
  }
};

const machine: Members<Machine> = {
  id: wording,
  resource: wording,
  field: under("held in", told("state field changed")),
  gap: gapBeside,
  states: under("states", states),
  transitions,
  anyOther: under("any other transition", refusal),
  clock: told("clock of transitions changed"),
  together: told("clock of transitions changed"),
};

/** A resource has its states under a heading of their own. */
export const machineList: Compare<readonly Machine[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ resource }) => resource);
  const at = ({ resource }: Machine): On => ({ ...on, about: resource });
  for (const one of gone) {
    for (const { name } of one.states) {
      tellGone(at(one), "state removed", `${one.id}/states`, { what: name });
    }
    if (one.states.length === 0) tellGone(at(one), "state field changed", one.id);
    for (const { id, name } of one.transitions) {
      tellGone(at(one), "transition removed", id, { what: name });
    }
  }
  for (const one of added) {
    for (const { name } of one.states) {
      tellAdded(at(one), "state added", `${one.id}/states`, { what: name });
    }
    if (one.states.length === 0) tellAdded(at(one), "state field changed", one.id);
    for (const { id, name } of one.transitions) {
      tellAdded(at(one), "transition added", id, { what: name });
    }
  }
  for (const [old, one] of both) {
    each(machine, old, one, { ...at(one), before: old.id, now: one.id });
  }
};

const routine: Members<Routine> = {
  id: wording,
  name: wording,
  given: givenList("named steps changed"),
  steps: stepList,
};

/** Compares named steps. */
export const routineList: Compare<readonly Routine[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ name }) => name);
  for (const { id, name } of gone) tellGone({ ...on, about: name }, "named steps removed", id);
  for (const { id, name } of added) tellAdded({ ...on, about: name }, "named steps added", id);
  for (const [old, one] of both) {
    each(routine, old, one, { ...on, about: one.name, before: old.id, now: one.id });
  }
};

type Said = Call["says"][number];

const callChanged = told("call changed");

const said: Members<Said> = {
  word: wording,
  data: givenList("call changed"),
  // For people.
  meaning: wording,
  gap: gapBeside,
};

const says: Compare<Call["says"]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ word }) => word);
  for (const { word } of gone) tellGone(on, "call changed", `${on.before}/${word}`, { what: word });
  for (const { word } of added) tellAdded(on, "call changed", `${on.now}/${word}`, { what: word });
  for (const [old, one] of both) {
    under(one.word, (a: Said, b: Said, at) => each(said, a, b, at))(old, one, on);
  }
};

/** What holds for all that it is given and says, in any order. */
const invariants: Compare<Call["invariants"]> = (before, now, on) => {
  const { gone, added } = paired(before, now, ({ text }) => text);
  const item = (of: string, text: string): string => `${of}/always ${contentName(text)}`;
  const { both, ...left } = paired(gone, added, () => "");
  for (const [old, one] of both) {
    const at = { before: item(on.before, old.text), now: item(on.now, one.text) };
    callChanged(old, one, { ...on, ...at });
  }
  for (const { text } of left.gone) tellGone(on, "call changed", item(on.before, text));
  for (const { text } of left.added) tellAdded(on, "call changed", item(on.now, text));
};

/** What is judged first answers: their order counts. */
const standIns: Compare<Call["standIns"]> = (before, now, on) => {
  const bare = (all: Call["standIns"]) => all?.map((one) => ({ ...one, id: "" }));
  callChanged(bare(before), bare(now), on);
};

const call: Members<Call> = {
  id: wording,
  name: wording,
  given: givenList("call changed"),
  says,
  kind: callChanged,
  sameKey: callChanged,
  timeOut: callChanged,
  late: callChanged,
  undo: callChanged,
  invariants,
  standIn: callChanged,
  standIns,
  gap: gapBeside,
};

/** Compares the doors to code. */
export const callList: Compare<readonly Call[]> = (before, now, on) => {
  const { both, gone, added } = paired(before, now, ({ name }) => name);
  for (const { id, name } of gone) tellGone({ ...on, about: name }, "call removed", id);
  for (const { id, name } of added) tellAdded({ ...on, about: name }, "call added", id);
  for (const [old, one] of both) {
    each(call, old, one, { ...on, about: one.name, before: old.id, now: one.id });
  }
};
