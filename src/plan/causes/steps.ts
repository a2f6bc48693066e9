/** What each kind of step consults and writes, besides the steps inside it. */
import type { Endpoint, ItemId, Service, Step } from "../types/index.ts";
import { Uses } from "./uses.ts";

/** Where a step stands. */
interface Place {
  readonly service: Service;
  readonly endpoint: Endpoint;
  /** Resources of rows by the name that a step or a Path bullet gave them. */
  readonly rows: ReadonlyMap<string, string>;
}

/** The resource of the row that a name or dotted name begins with, where it is known. */
export function rowsNamed({ rows }: Place, name: string): string | undefined {
  return name === "it" || name === "caller" ? undefined : rows.get(name.split(".")[0] ?? "");
}

type Kinds = { readonly [K in Step["kind"]]: Consults<Extract<Step, { kind: K }>> };
type Consults<S> = (uses: Uses, step: S, place: Place) => void;

const nothing = (): void => {};

function writes(how: "changes" | "deletes"): Consults<{ readonly target: string }> {
  return (uses, { target }, place) => {
    const resource = rowsNamed(place, target);
    // A row whose resource is not known here may be of any.
    const all = place.service.resources.map((one) => one.name);
    for (const one of resource === undefined ? all : [resource]) uses[how](one);
  };
}

const changes = writes("changes");

const KINDS: Kinds = {
  check: nothing,
  do: nothing,
  "any order": nothing,
  // Their ends say what they consult.
  respond: nothing,
  refuse: nothing,
  "check tag": (uses, _, { service }) => {
    for (const one of service.resources) if (one.versionTag) uses.add(one.versionTag.id);
  },
  require: (uses, step) => {
    uses.expression(step.condition);
    uses.refusal(step.otherwise);
  },
  "let one": (uses, step) => {
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
    for (const one of step.with) uses.expression(one.value);
  },
  "set from": (uses, step, place) => {
    uses.expression(step.from);
    changes(uses, step, place);
  },
  set: (uses, step, place) => {
    uses.expression(step.value);
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
    emits(uses, service, step.event);
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

/** An event's data is made with the request: what keeps it from being made refuses the request. */
function emits(uses: Uses, service: Service, name: string): void {
  const event = service.events.find((one) => one.name === name);
  if (event === undefined) return;
  uses.add(event.id);
  if (event.data.is === "gap") uses.add(event.data.gap);
  if (event.sentTo.is === "gap") uses.add(event.sentTo.gap);
}

function calls(uses: Uses, service: Service, name: string): void {
  const call = service.calls.find((one) => one.name === name);
  if (call === undefined) return;
  uses.add(call.id);
  if (call.gap !== undefined) uses.add(call.gap);
  uses.answer(call.timeOut);
  uses.answer(call.kind);
  uses.answer(call.sameKey);
  uses.answer(call.standIn);
  for (const one of call.given) uses.type(one.type);
  // What is given is looked at where something must hold of it.
  for (const { name } of call.given) {
    const isJudged = call.invariants.some(({ text }) => text.includes(`given.${name}`));
    if (isJudged) uses.add(`${call.id}/given \`${name}\``);
  }
  for (const one of call.invariants) uses.expression(one);
  for (const { word } of call.says) uses.add(`${call.id}/${word}`);
}

/** What the step itself consults, with its own item. */
export function stepUses(place: Place, step: Step): Uses {
  const uses = new Uses(place.service, place.endpoint);
  uses.add(step.id as ItemId);
  // The table has a function for each kind, over that kind alone.
  (KINDS[step.kind] as Consults<Step>)(uses, step, place);
  return uses;
}
