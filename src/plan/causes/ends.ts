/** Every way in which a request to an endpoint can end, each with the items that determine it. */

import { never } from "../../base/index.ts";
import { blocksOf, stepKinds } from "../step-kinds.ts";
import { bindRow, rowsGiven, touchOf } from "../step-rows.ts";
import type {
  CheckKind,
  Endpoint,
  ItemId,
  Machine,
  Refusal,
  Service,
  Step,
  Transition,
} from "../types/index.ts";
import { besideStage, bodyStage, namedBy, namesStage, outerStage } from "./reading.ts";
import { fromTheStart, refusalsOf, refusalsOfGone } from "./rows.ts";
import {
  actorsStage,
  type Conditions,
  callerStage,
  failureStage,
  keyStage,
  limitsStage,
  pathsStage,
  routeStage,
  type Stage,
} from "./stages.ts";
import { givenIds, namesOf, resourceNamed, rowOn, stepUses } from "./steps.ts";
import { knownEnd, tagEnds } from "./tags.ts";
import { Timed } from "./timed.ts";
import { Trail } from "./trail.ts";
import { Uses } from "./uses.ts";
import { addEnd, type End, endOf, passes, passStage, type Walk } from "./walk.ts";

function checkStage(walk: Walk, what: CheckKind): Stage {
  switch (what) {
    case "caller":
      return callerStage(walk.service, walk.endpoint);
    case "limits":
      return limitsStage(walk.service, walk.endpoint, "requests");
    case "inputs":
      return bodyStage(walk.service, walk.endpoint);
    case "idempotency key":
      return keyStage(walk.service, walk.endpoint);
    case "paths":
      return pathsStage(walk.service, walk.endpoint);
    default:
      return never(what);
  }
}

/** What must hold of rows of the resource that were touched: it is judged in the end. */
function touches(walk: Walk, name: string): void {
  const { service, pending } = walk;
  const resource = service.resources.find((each) => each.name === name);
  if (resource === undefined) return;
  for (const one of refusalsOf(resource)) pending.set(one.id, one);
  for (const { id, counts, whenPassed } of service.limits) {
    const isCounted = counts.is === "rows kept" || counts.is === "sum";
    if (!isCounted || counts.resource !== name || whenPassed.is !== "stated") continue;
    pending.set(id, { id, refusal: whenPassed.value });
  }
}

function once(walk: Walk, key: string, act: () => void): void {
  if (walk.active.has(key)) return;
  walk.active.add(key);
  act();
  walk.active.delete(key);
}

/** The transitions that a Fire step can take, with their effects. */
function fireEnds(
  walk: Walk,
  step: Extract<Step, { kind: "fire" | "may fire" }>,
  within: readonly ItemId[],
): void {
  const names = step.kind === "fire" ? step.transitions : [step.transition];
  const resource = resourceNamed(walk, step.on);
  for (const machine of walk.service.machines) {
    if (resource !== undefined && machine.resource !== resource) continue;
    const taken = machine.transitions.filter((each) => names.includes(each.name));
    if (taken.length === 0) continue;
    // Which of them can be taken, or that none can, is found out first.
    const choice = new Uses(walk.service, walk.endpoint);
    choice.held(machine);
    for (const each of taken) choice.transition(each, machine.resource);
    walk.trail.pass({ id: step.id, items: walk.timed.all(choice), isLast: false });
    const isSure = names.some((name) => walk.sure.has(`${step.on} ${name}`));
    if (step.otherwise === undefined && !isSure) {
      const id = `${machine.id}/any other transition`;
      addEnd(walk, endOf(walk, { id, refusal: machine.anyOther }, within));
    }
    for (const each of taken) {
      const uses = new Uses(walk.service, walk.endpoint);
      uses.transition(each, machine.resource);
      uses.changes(machine.resource, rowOn(walk, step.on)?.isNew);
      walk.trail.pass({ id: each.id, items: walk.timed.all(uses), isLast: false });
      if (step.kind === "may fire") {
        walk.sure.add(`${step.on} ${each.name}`);
        continue;
      }
      touches(walk, machine.resource);
      for (const one of walk.sure) if (one.startsWith(`${step.on} `)) walk.sure.delete(one);
      once(walk, each.id, () => effects(walk, machine, each, within));
      caused(walk, each.name, within);
    }
  }
}

/** What a transition does besides. */
function effects(
  walk: Walk,
  { resource }: Machine,
  { id, then }: Transition,
  within: readonly ItemId[],
): void {
  const before = walk.rows.get("it");
  walk.rows.set("it", { resource, isOwn: true });
  branch(walk, [then], [...within, id]);
  if (before === undefined) walk.rows.delete("it");
  else walk.rows.set("it", before);
}

/** Transitions that another transition brings about. */
function caused(walk: Walk, name: string, within: readonly ItemId[]): void {
  for (const machine of walk.service.machines) {
    for (const each of machine.transitions) {
      if (each.on.is !== "transition" || each.on.transition !== name) continue;
      const uses = new Uses(walk.service, walk.endpoint);
      uses.transition(each, machine.resource);
      uses.changes(machine.resource);
      walk.trail.pass({ id: each.id, items: walk.timed.all(uses), isLast: false });
      once(walk, each.id, () => effects(walk, machine, each, within));
    }
  }
}

/** What a call adds: its late answer, and the transitions that its words bring about. */
function callEnds(
  walk: Walk,
  step: Extract<Step, { kind: "call" }>,
  within: readonly ItemId[],
): void {
  const call = walk.service.calls.find((each) => each.name === step.call);
  if (call === undefined || (call.kind.is === "stated" && call.kind.value === "long")) return;
  const { late } = call;
  if (step.otherwise === undefined && late.is === "gap") {
    addEnd(walk, endOf(walk, { id: late.gap, refusal: late }, within));
  }
  if (step.otherwise === undefined && late.is === "stated") {
    addEnd(walk, endOf(walk, { id: late.id, refusal: late.value }, within));
  }
}

function respondEnd(
  walk: Walk,
  step: Extract<Step, { kind: "respond" }>,
  within: readonly ItemId[],
): void {
  const uses = new Uses(walk.service, walk.endpoint);
  uses.add(step.id);
  const { body } = step;
  switch (body.is) {
    case "none":
      break;
    case "shape": {
      uses.expression(body.of);
      const { code } = body.of;
      uses.body(body.shape, code.op === "name" && walk.rows.get(code.name)?.isNew === true);
      break;
    }
    case "shape with":
      for (const one of body.with) uses.expression(one.value);
      uses.body(body.shape);
      break;
    case "value":
      uses.expression(body.value);
      uses.answer(walk.service.about.bodyFormat);
      break;
    case "text":
      uses.expression(body.value);
      break;
    default:
      never(body);
  }
  for (const one of step.headers) uses.expression(one.value);
  for (const one of walk.pending.values()) addEnd(walk, endOf(walk, one, [...within, step.id]));
  const shown = walk.timed.all(uses);
  addEnd(walk, { id: step.id, within, status: step.status, shown });
  knownEnd(walk, step, { within, shown });
}

function stepEnds(walk: Walk, step: Step, within: readonly ItemId[]): void {
  if (step.kind === "respond") respondEnd(walk, step, within);
  if (step.kind === "check tag") tagEnds(walk, step, within);
  if (step.kind === "refuse") addEnd(walk, endOf(walk, step, within));
  if (step.kind === "gap") {
    addEnd(walk, endOf(walk, { id: step.id, refusal: { is: "gap", gap: step.gap } }, within));
  }
  if (step.kind === "any order" && step.gap !== undefined) {
    const { gap } = step;
    addEnd(walk, endOf(walk, { id: gap, refusal: { is: "gap", gap } }, within));
  }
  if ("otherwise" in step && step.otherwise !== undefined && !Array.isArray(step.otherwise)) {
    const refusal = step.otherwise as Refusal;
    const lacks = step.kind === "let one" ? { lacks: step.resource } : {};
    addEnd(walk, endOf(walk, { id: step.id, refusal, ...lacks }, within));
  }
  const touch = touchOf(walk.service, step, walk.rows);
  const resource = touch?.row?.resource;
  if (touch?.is === "gone" && resource !== undefined) {
    const around = [...within, step.id];
    for (const one of refusalsOfGone(walk.service, resource))
      addEnd(walk, endOf(walk, one, around));
  }
  if (resource !== undefined) touches(walk, resource);
  if (step.kind === "create" && step.as !== undefined) {
    for (const name of fromTheStart(walk.service, step.resource))
      walk.sure.add(`${step.as} ${name}`);
  }
}

function branch(walk: Walk, blocks: readonly (readonly Step[])[], within: readonly ItemId[]): void {
  const sure = [...walk.sure];
  walk.trail.branch(blocks, (steps) => {
    walkSteps(walk, steps, within);
    walk.sure.clear();
    for (const one of sure) walk.sure.add(one);
  });
}

function isLast({ kind }: Step): boolean {
  return kind === "respond" || kind === "refuse" || kind === "gap";
}

function walkSteps(walk: Walk, steps: readonly Step[], within: readonly ItemId[]): void {
  for (const step of steps) {
    bindRow(step, walk.rows);
    walk.at = step.id;
    if (step.kind === "check") passCheck(walk, step.id, step.what);
    else {
      const uses = stepUses(walk, step);
      if (isLast(step)) walk.trail.pass({ id: step.id, items: uses.items, isLast: true });
      else passes(walk, step.id, [uses], stepKinds[step.kind].writes);
    }
    stepEnds(walk, step, within);
    const around = [...within, step.id];
    if (step.kind === "fire" || step.kind === "may fire") fireEnds(walk, step, around);
    if (step.kind === "call") callEnds(walk, step, around);
    if (step.kind === "do") {
      const routine = walk.service.routines.find((each) => each.name === step.routine);
      if (routine !== undefined) {
        walk.trail.pass({ id: step.id, items: new Set(givenIds(routine)), isLast: false });
        const before = walk.rows;
        walk.rows = rowsGiven(routine, step, before);
        once(walk, routine.id, () => branch(walk, [routine.steps], around));
        walk.rows = before;
      }
    }
    const blocks = blocksOf(step);
    if (blocks.length > 0) branch(walk, blocks, around);
  }
}

/** Checks that are made before the endpoint's own steps where no step says when. */
const UNASKED = ["caller", "inputs", "paths"] as const;

function passCheck(walk: Walk, id: ItemId, what: CheckKind): void {
  const { service, endpoint, occurs, unread } = walk;
  walk.at = id;
  if (what === "inputs") {
    const met = (where: "query" | "outer" | "beside") =>
      failureStage(service, endpoint, { occurs, unread, where });
    passStage(walk, id, [met("query")]);
    passStage(walk, id, [outerStage(service, endpoint), met("outer")]);
    passStage(walk, id, [besideStage(service, endpoint), met("beside")]);
  }
  if (what === "limits") passStage(walk, id, [limitsStage(service, endpoint, "sizes")]);
  const stages = [checkStage(walk, what)];
  if (what === "caller" || what === "inputs") {
    stages.push(failureStage(service, endpoint, { occurs, unread, where: what }));
  }
  passStage(walk, id, stages);
  if (what === "inputs") {
    passStage(walk, id, [failureStage(service, endpoint, { occurs, unread, where: "unnamed" })]);
    passStage(walk, id, [namesStage(service, endpoint)]);
    // An input that names no row.
    const nameless = { occurs, unread, where: "inputs", only: "wrong type" } as const;
    const { ends } = failureStage(service, endpoint, nameless);
    for (const lacks of namedBy(service, endpoint)) {
      for (const { id: row, refusal } of ends)
        addEnd(walk, endOf(walk, { id: row, refusal, lacks }));
    }
  }
  if (what !== "caller") return;
  const actors = failureStage(service, endpoint, { occurs, unread, where: "actors" });
  passStage(walk, id, [actorsStage(service, endpoint), actors]);
}

/** Of which requests the ends are asked. */
export interface Asked {
  readonly occurs: Conditions;
  /** Conditions that can occur where nothing is read of a body. Default: all that occur. */
  readonly unread?: Conditions;
  /** False: no two inputs have failed at once. Default: true. */
  readonly isSeveral?: boolean;
}

const known = new WeakMap<Service, Timed>();

function timedOf(service: Service): Timed {
  const timed = known.get(service) ?? new Timed(service);
  known.set(service, timed);
  return timed;
}

interface Ends {
  readonly ends: readonly End[];
  readonly trail: Trail;
}

/** The walk of a request to the endpoint, with every end in the order in which it is met. */
export function endsOf(
  service: Service,
  endpoint: Endpoint,
  { occurs, unread = occurs, isSeveral = true }: Asked,
): Ends {
  const trail = new Trail();
  const rows = namesOf(service);
  for (const { as, resource } of endpoint.bindings) rows.set(as, { resource, isOwn: false });
  const walk: Walk = {
    ...{ service, endpoint, occurs, unread, isSeveral, trail, rows, timed: timedOf(service) },
    ...{ ends: [], pending: new Map(), sure: new Set(), active: new Set() },
    ...{ looked: undefined, writes: endpoint.idempotency !== undefined, at: endpoint.id },
  };
  const before = failureStage(service, endpoint, { occurs, unread, where: "before" });
  passStage(walk, endpoint.id, [routeStage(service, endpoint), before]);
  walkSteps(walk, service.prologue, []);
  for (const what of UNASKED) {
    const isMade = [...service.prologue, ...endpoint.steps].some(
      (step) => step.kind === "check" && step.what === what,
    );
    if (!isMade) passCheck(walk, endpoint.id, what);
  }
  walkSteps(walk, endpoint.steps, []);
  const anywhere = failureStage(service, endpoint, { occurs, unread, where: "anywhere" });
  const { path } = trail;
  for (const one of anywhere.ends) {
    const after = walk.writes ? path : walk.looked;
    walk.ends.push({ ...endOf(walk, one), ...(after && { after }) });
  }
  return { ends: walk.ends, trail };
}
