/** What each kind of step consults and writes, besides the steps inside it. */
import { type NamedRow, type RowNames, rowNamed } from "../step-rows.ts";
import type { Endpoint, ItemId, Service, Step } from "../types/index.ts";
import { emitted } from "./single.ts";
import { Uses } from "./uses.ts";

/** Where a step stands. */
export interface Place {
  readonly service: Service;
  /** Undefined: it is done on time. */
  readonly endpoint: Endpoint | undefined;
  /** Rows by the name that a step or a Path bullet gave them. */
  readonly rows: RowNames;
}

/** The row that a name or dotted name means, where its resource is known. */
export function rowOn({ service, rows }: Place, name: string): NamedRow | undefined {
  return rowNamed(service.resources, rows, name);
}

/** The resource of the row that a name or dotted name means, where it is known. */
export function resourceNamed(place: Place, name: string): string | undefined {
  return rowOn(place, name)?.resource;
}

/** The names that steps know from the beginning: the caller is a row. */
export function namesOf({ schemes }: Service): Map<string, NamedRow> {
  const found = schemes.flatMap(({ caller }) => (caller.is === "stated" ? [caller.value] : []));
  return new Map(found.map(({ resource }) => ["caller", { resource, isOwn: false }]));
}

/** The items of what steps under a name are given. */
export function givenIds({ id, given }: Service["routines"][number]): ItemId[] {
  return given.map(({ name }) => `${id}/given \`${name}\``);
}

type Kinds = { readonly [K in Step["kind"]]: Consults<Extract<Step, { kind: K }>> };
type Consults<S> = (uses: Uses, step: S, place: Place) => void;

const nothing = (): void => {};

function writes(how: "changes" | "deletes"): Consults<{ readonly target: string }> {
  return (uses, { target }, place) => {
    const row = rowOn(place, target);
    // A row whose resource is not known here may be of any.
    const all = place.service.resources.map((one) => one.name);
    for (const one of row === undefined ? all : [row.resource]) uses[how](one, row?.isNew);
  };
}

const changes = writes("changes");

const KINDS: Kinds = {
  check: nothing,
  do: (uses, step) => {
    for (const one of step.with) uses.expression(one.value);
  },
  "any order": nothing,
  // Their ends say what they consult.
  respond: nothing,
  refuse: nothing,
  // Its ends say what they consult.
  "check tag": nothing,
  require: (uses, step) => {
    uses.expression(step.condition);
    uses.refusal(step.otherwise);
  },
  "let one": (uses, step) => {
    // That there is no second one is known when all are.
    uses.reads(step.resource);
    uses.expression(step.where);
    if (step.otherwise !== undefined) uses.refusal(step.otherwise);
  },
  "let every": (uses, step) => {
    uses.reads(step.resource);
    uses.expression(step.where);
  },
  let: (uses, step) => uses.expression(step.value),
  order: (uses, step) => {
    for (const key of step.keys) uses.expression(key.by);
  },
  page: (uses, step) => {
    uses.expression(step.from);
    uses.expression(step.atMost);
  },
  "page after": (uses, step) => {
    uses.expression(step.after);
    uses.expression(step.atMost);
    uses.refusal(step.otherwise);
  },
  create: (uses, step) => {
    uses.creates(step.resource);
    uses.expression(step.from);
    for (const one of step.with) {
      uses.expression(one.value);
      uses.written(step.resource, one.name);
    }
  },
  "set from": (uses, step, place) => {
    uses.expression(step.from);
    changes(uses, step, place);
  },
  set: (uses, step, place) => {
    uses.expression(step.value);
    const resource = resourceNamed(place, step.target);
    if (resource !== undefined) uses.written(resource, step.field);
    changes(uses, step, place);
  },
  delete: writes("deletes"),
  "delete every": (uses, step) => {
    uses.expression(step.where);
    uses.reads(step.resource);
    uses.deletes(step.resource);
  },
  fire: (uses, step) => {
    if (step.otherwise !== undefined) uses.refusal(step.otherwise);
  },
  "may fire": (uses, step) => {
    if (step.otherwise !== undefined) uses.refusal(step.otherwise);
  },
  emit: (uses, step, { service }) => {
    uses.expression(step.of);
    emitted(uses, service.events, step.event);
  },
  call: (uses, step, { service }) => {
    for (const one of step.with) uses.expression(one.value);
    calls(uses, service, step.call);
    if (step.otherwise !== undefined) uses.refusal(step.otherwise);
  },
  when: (uses, step) => uses.expression(step.condition),
  cases: (uses, step) => {
    for (const one of step.subjects) uses.expression(one);
    for (const one of step.cases) uses.add(one.id);
  },
  "for each": (uses, step) => uses.expression(step.in),
  gap: (uses, step) => uses.add(step.gap),
};

function calls(uses: Uses, service: Service, name: string): void {
  const call = service.calls.find((one) => one.name === name);
  if (call === undefined) return;
  uses.add(call.id);
  if (call.gap !== undefined) uses.add(call.gap);
  uses.answer(call.timeOut);
  uses.answer(call.kind);
  uses.answer(call.sameKey);
  uses.answer(call.standIn);
  for (const { id, when, with: data } of call.standIns ?? []) {
    uses.add(id);
    uses.expression(when);
    for (const one of data) uses.expression(one.value);
  }
  for (const { name, type } of call.given) {
    uses.add(`${call.id}/given \`${name}\``);
    uses.type(type);
  }
  for (const one of call.invariants) uses.expression(one);
}

/** What the step itself consults, with its own item. */
export function stepUses(place: Place, step: Step): Uses {
  const uses = new Uses(place.service, place.endpoint);
  uses.add(step.id as ItemId);
  // The table has a function for each kind, over that kind alone.
  (KINDS[step.kind] as Consults<Step>)(uses, step, place);
  return uses;
}
