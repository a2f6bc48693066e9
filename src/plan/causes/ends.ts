/** Every way in which a request to an endpoint can end, each with the items that determine it. */

import { never } from "../../base/index.ts";
import { blocksOf, stepKinds } from "../step-kinds.ts";
import type {
  CheckKind,
  Endpoint,
  ErrorDefinition,
  ItemId,
  Refusal,
  Service,
  Step,
} from "../types/index.ts";
import { fromTheStart, refusalsOf } from "./rows.ts";
import {
  actorsStage,
  besideStage,
  bodyStage,
  type Conditions,
  callerStage,
  failureStage,
  keyStage,
  limitsStage,
  namesStage,
  outerStage,
  pathsStage,
  type Refused,
  routeStage,
  type Stage,
} from "./stages.ts";
import { rowsNamed, stepUses } from "./steps.ts";
import { type Path, Trail } from "./trail.ts";
import { Uses } from "./uses.ts";

/** One way to end. `within` are the steps around it, outermost first. */
interface End {
  readonly id: ItemId;
  readonly within: readonly ItemId[];
  /** What it shows and how: the error, the shape, the fields in it. */
  readonly shown: ReadonlySet<ItemId>;
  /** What is done before it; undefined: nothing is. */
  readonly after?: Path;
  /** Undefined where it is a gap: the answer is 501 then. */
  readonly status?: number;
  readonly error?: string;
}

/** Status of an answer that names a gap. */
const GAP_STATUS = 501;

interface Walk {
  readonly service: Service;
  readonly endpoint: Endpoint;
  readonly occurs: Conditions;
  /** Several inputs can have failed at once. */
  readonly isSeveral: boolean;
  readonly ends: End[];
  readonly trail: Trail;
  /** Rows by the name that a step or a Path bullet gave them. */
  readonly rows: Map<string, string>;
  /** Refusals of what must hold of rows that were touched: judged when an answer is given. */
  readonly pending: Map<ItemId, Refused>;
  /** Transitions that can be taken for sure, by row and transition. */
  readonly sure: Set<string>;
  /** What is done up to the last look at rows: no fault is met behind it. */
  looked: Path | undefined;
  /** What it does is kept in the end, which may fail too. */
  writes: boolean;
  /** Routines, transitions and invariants that are being walked: no document makes this endless. */
  readonly active: Set<string>;
}

function errorOf(service: Service, name: string): ErrorDefinition | undefined {
  return service.errors.find((each) => each.name === name);
}

function endOf(
  walk: Walk,
  { id, refusal, together }: Refused,
  within: readonly ItemId[] = [],
): End {
  const uses = new Uses(walk.service, walk.endpoint);
  if (together && walk.isSeveral) uses.answer(walk.service.failuresReported);
  uses.refusal(refusal);
  const rows = [...walk.endpoint.failures, ...walk.service.failures];
  for (const one of rows.find((row) => row.id === id)?.columns ?? []) uses.answer(one.value);
  if (refusal.is === "gap") return { id, within, shown: uses.items, status: GAP_STATUS };
  uses.error(refusal.error);
  const status = errorOf(walk.service, refusal.error)?.status;
  return {
    id,
    within,
    shown: uses.items,
    error: refusal.error,
    status: status?.is === "stated" ? status.value : GAP_STATUS,
  };
}

function addEnd(walk: Walk, end: End): void {
  const { path } = walk.trail;
  walk.ends.push(path === undefined ? end : { ...end, after: path });
}

/** Where rows are looked at or written, a fault may end the request. */
function looks(walk: Walk, items: ReadonlySet<ItemId>, writes = false): void {
  const isLook = writes || walk.service.resources.some(({ id }) => items.has(id));
  if (isLook) walk.looked = walk.trail.path;
  walk.writes ||= writes;
}

function passStage(walk: Walk, id: ItemId, stages: readonly Stage[]): void {
  const items = new Set(stages.flatMap((stage) => [...stage.uses.items]));
  walk.trail.pass({ id, items, isLast: false });
  looks(walk, items);
  for (const stage of stages) for (const one of stage.ends) addEnd(walk, endOf(walk, one));
}

function checkStage(walk: Walk, what: CheckKind): Stage {
  switch (what) {
    case "caller":
      return callerStage(walk.service, walk.endpoint);
    case "limits":
      return limitsStage(walk.service, walk.endpoint);
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
  const resource = walk.rows.get(step.on);
  for (const machine of walk.service.machines) {
    if (resource !== undefined && machine.resource !== resource) continue;
    const taken = machine.transitions.filter((each) => names.includes(each.name));
    if (taken.length === 0) continue;
    // Which of them can be taken, or that none can, is found out first.
    const choice = new Uses(walk.service, walk.endpoint);
    choice.held(machine);
    for (const each of taken) choice.transition(each);
    walk.trail.pass({ id: step.id, items: choice.items, isLast: false });
    const isSure = names.some((name) => walk.sure.has(`${step.on} ${name}`));
    if (step.otherwise === undefined && !isSure) {
      const id = `${machine.id}/any other transition`;
      addEnd(walk, endOf(walk, { id, refusal: machine.anyOther }, within));
    }
    for (const each of taken) {
      const uses = new Uses(walk.service, walk.endpoint);
      uses.transition(each);
      uses.changes(machine.resource);
      walk.trail.pass({ id: each.id, items: uses.items, isLast: false });
      if (step.kind === "may fire") {
        walk.sure.add(`${step.on} ${each.name}`);
        continue;
      }
      touches(walk, machine.resource);
      for (const one of walk.sure) if (one.startsWith(`${step.on} `)) walk.sure.delete(one);
      once(walk, each.id, () => branch(walk, [each.then], [...within, each.id]));
      caused(walk, each.name, within);
    }
  }
}

/** Transitions that another transition brings about. */
function caused(walk: Walk, name: string, within: readonly ItemId[]): void {
  for (const machine of walk.service.machines) {
    for (const each of machine.transitions) {
      if (each.on.is !== "transition" || each.on.transition !== name) continue;
      const uses = new Uses(walk.service, walk.endpoint);
      uses.transition(each);
      walk.trail.pass({ id: each.id, items: uses.items, isLast: false });
      once(walk, each.id, () => branch(walk, [each.then], [...within, each.id]));
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

function rowNamed(walk: Walk, step: Step): void {
  if (step.kind === "let one") walk.rows.set(step.as, step.resource);
  if (step.kind === "create" && step.as !== undefined) walk.rows.set(step.as, step.resource);
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
    case "shape":
      uses.expression(body.of);
      uses.body(body.shape);
      break;
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
  addEnd(walk, { id: step.id, within, status: step.status, shown: uses.items });
}

/** The resource whose rows a step changes. */
function written(walk: Walk, step: Step): string | undefined {
  if (step.kind === "create" || step.kind === "delete every") return step.resource;
  if (step.kind === "set" || step.kind === "set from" || step.kind === "delete") {
    return rowsNamed(walk, step.target);
  }
  return undefined;
}

function stepEnds(walk: Walk, step: Step, within: readonly ItemId[]): void {
  if (step.kind === "respond") respondEnd(walk, step, within);
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
    addEnd(walk, endOf(walk, { id: step.id, refusal }, within));
  }
  const resource = written(walk, step);
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
    rowNamed(walk, step);
    if (step.kind === "check") passCheck(walk, step.id, step.what);
    else {
      const { items } = stepUses(walk, step);
      walk.trail.pass({ id: step.id, items, isLast: isLast(step) });
      if (!isLast(step)) looks(walk, items, stepKinds[step.kind].writes);
    }
    stepEnds(walk, step, within);
    const around = [...within, step.id];
    if (step.kind === "fire" || step.kind === "may fire") fireEnds(walk, step, around);
    if (step.kind === "call") callEnds(walk, step, around);
    if (step.kind === "do") {
      const routine = walk.service.routines.find((each) => each.name === step.routine);
      if (routine !== undefined) {
        once(walk, routine.id, () => branch(walk, [routine.steps], around));
      }
    }
    const blocks = blocksOf(step);
    if (blocks.length > 0) branch(walk, blocks, around);
  }
}

/** Checks that are made before the endpoint's own steps where no step says when. */
const UNASKED = ["caller", "inputs", "paths"] as const;

function passCheck(walk: Walk, id: ItemId, what: CheckKind): void {
  const { service, endpoint, occurs } = walk;
  if (what === "inputs") {
    const query = failureStage(service, endpoint, { occurs, where: "query" });
    passStage(walk, id, [besideStage(service, endpoint), query]);
    const outer = failureStage(service, endpoint, { occurs, where: "outer" });
    passStage(walk, id, [outerStage(service, endpoint), outer]);
  }
  const stages = [checkStage(walk, what)];
  if (what === "caller" || what === "inputs") {
    stages.push(failureStage(service, endpoint, { occurs, where: what }));
  }
  passStage(walk, id, stages);
  if (what === "inputs") passStage(walk, id, [namesStage(service, endpoint)]);
  if (what !== "caller") return;
  const actors = failureStage(service, endpoint, { occurs, where: "actors" });
  passStage(walk, id, [actorsStage(service, endpoint), actors]);
}

interface Ends {
  readonly ends: readonly End[];
  readonly trail: Trail;
}

/** The walk of a request to the endpoint, with every end in the order in which it is met. */
export function endsOf(
  service: Service,
  endpoint: Endpoint,
  occurs: Conditions,
  isSeveral = true,
): Ends {
  const trail = new Trail();
  const rows = new Map(endpoint.bindings.map((one) => [one.as, one.resource]));
  const walk: Walk = {
    ...{ service, endpoint, occurs, isSeveral, trail, rows },
    ...{ ends: [], pending: new Map(), sure: new Set(), active: new Set() },
    ...{ looked: undefined, writes: endpoint.idempotency !== undefined },
  };
  const before = failureStage(service, endpoint, { occurs, where: "before" });
  passStage(walk, endpoint.id, [routeStage(service, endpoint), before]);
  walkSteps(walk, service.prologue, []);
  for (const what of UNASKED) {
    const isMade = [...service.prologue, ...endpoint.steps].some(
      (step) => step.kind === "check" && step.what === what,
    );
    if (!isMade) passCheck(walk, endpoint.id, what);
  }
  walkSteps(walk, endpoint.steps, []);
  const anywhere = failureStage(service, endpoint, { occurs, where: "anywhere" });
  const { path } = trail;
  for (const one of anywhere.ends) {
    const after = walk.writes ? path : walk.looked;
    walk.ends.push({ ...endOf(walk, one), ...(after && { after }) });
  }
  return { ends: walk.ends, trail };
}
