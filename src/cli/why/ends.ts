/** Takes an endpoint, gives every way in which a request to it can end, each with its causes. */
import type {
  Answer,
  CheckKind,
  Endpoint,
  ErrorDefinition,
  FailureRow,
  ItemId,
  Refusal,
  Resource,
  Service,
  Step,
} from "../../model/index.ts";
import { Trail, type Way } from "./way.ts";

/** One way to end. `within` are the steps around it, outermost first. */
export interface End {
  readonly id: ItemId;
  readonly within: readonly ItemId[];
  /** What is done before it; undefined: nothing is. */
  readonly after?: Way;
  /** Undefined where it is not shown. */
  readonly status?: number;
  readonly error?: string;
  readonly shape?: string;
}

interface Walk {
  readonly service: Service;
  readonly ends: End[];
  /** Steps in their order, those of routines and transitions at the place that does them. */
  readonly trail: Trail;
  /** Rows by the name that a step or a Path bullet gave them. */
  readonly rows: Map<string, string>;
  /** Routines and transitions that are being walked: no document may make this endless. */
  readonly active: Set<string>;
}

function errorOf(service: Service, name: string): ErrorDefinition | undefined {
  return service.errors.find((each) => each.name === name);
}

/** Adds an end at the place where the walk is. */
function addEnd(walk: Walk, end: End): void {
  const { way } = walk.trail;
  walk.ends.push(way === undefined ? end : { ...end, after: way });
}

function refusalEnd(
  service: Service,
  refusal: Refusal,
  id: ItemId,
  within: readonly ItemId[],
): End {
  if (refusal.is === "gap") return { id, within };
  const error = errorOf(service, refusal.error);
  const { status, body } = error ?? {};
  return {
    id,
    within,
    error: refusal.error,
    ...(status?.is === "stated" ? { status: status.value } : {}),
    ...(body?.is === "stated" ? { shape: body.value } : {}),
  };
}

/** What a refusal of a promise or of a unique rule on rows of the resource ends with. */
function promiseEnds(walk: Walk, name: string, within: readonly ItemId[]): void {
  const resource = walk.service.resources.find((each) => each.name === name);
  if (resource === undefined || walk.active.has(`promises of ${name}`)) return;
  walk.active.add(`promises of ${name}`);
  for (const { id, refusal } of refusalsOf(resource)) {
    addEnd(walk, refusalEnd(walk.service, refusal, id, within));
  }
}

function refusalsOf(resource: Resource): { id: ItemId; refusal: Refusal }[] {
  const promises = resource.promises.flatMap((each) =>
    "otherwise" in each && each.otherwise !== undefined
      ? [{ id: each.id, refusal: each.otherwise }]
      : [],
  );
  const rules = resource.fields.flatMap((field) =>
    field.rules.flatMap((rule) =>
      "otherwise" in rule && rule.otherwise !== undefined
        ? [{ id: rule.id, refusal: rule.otherwise }]
        : [],
    ),
  );
  return [...rules, ...promises];
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
    if (step.otherwise === undefined) {
      const id = `${machine.id}/any other transition`;
      addEnd(walk, refusalEnd(walk.service, machine.anyOther, id, within));
    }
    for (const each of taken) {
      walk.trail.pass(each.id);
      if (step.kind === "may fire") continue;
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
  if (call === undefined) return;
  walk.trail.pass(call.id);
  const isLong = call.kind.is === "stated" && call.kind.value === "long";
  if (isLong) return;
  const { late } = call;
  if (step.otherwise === undefined && late.is === "gap") addEnd(walk, { id: late.gap, within });
  if (step.otherwise === undefined && late.is === "stated") {
    addEnd(walk, refusalEnd(walk.service, late.value, late.id, within));
  }
  const caused = walk.service.machines
    .flatMap((machine) => machine.transitions)
    .filter(({ on }) => on.is === "call" && on.call === step.call);
  for (const each of caused) {
    walk.trail.pass(each.id);
    once(walk, each.id, () => branch(walk, [each.then], [...within, each.id]));
  }
}

const inner = (step: Step): readonly (readonly Step[])[] => {
  switch (step.kind) {
    case "when":
      return [step.then, step.otherwise ?? []];
    case "cases":
      return step.cases.map((each) => each.steps);
    case "for each":
    case "any order":
      return [step.steps];
    default:
      return [];
  }
};

function noteRow(walk: Walk, step: Step): void {
  if (step.kind === "let one" || step.kind === "let every") walk.rows.set(step.as, step.resource);
  if (step.kind === "create" && step.as !== undefined) walk.rows.set(step.as, step.resource);
}

/** The resource whose rows a step changes. */
function written(walk: Walk, step: Step): string | undefined {
  if (step.kind === "create" || step.kind === "delete every") return step.resource;
  if (step.kind === "set" || step.kind === "set from" || step.kind === "delete") {
    return walk.rows.get(step.target.split(".")[0] ?? "");
  }
  return undefined;
}

function stepEnds(walk: Walk, step: Step, within: readonly ItemId[]): void {
  const { service } = walk;
  if (step.kind === "respond") {
    const { body, status, id } = step;
    const shape = body.is === "shape" || body.is === "shape with" ? { shape: body.shape } : {};
    addEnd(walk, { id, within, status, ...shape });
  }
  if (step.kind === "refuse") addEnd(walk, refusalEnd(service, step.refusal, step.id, within));
  if (step.kind === "gap") addEnd(walk, { id: step.id, within });
  if ("otherwise" in step && step.otherwise !== undefined && !Array.isArray(step.otherwise)) {
    addEnd(walk, refusalEnd(service, step.otherwise as Refusal, step.id, within));
  }
  const resource = written(walk, step);
  if (resource !== undefined) promiseEnds(walk, resource, [...within, step.id]);
}

function branch(walk: Walk, blocks: readonly (readonly Step[])[], within: readonly ItemId[]): void {
  walk.trail.branch(blocks, (steps) => walkSteps(walk, steps, within));
}

function walkSteps(walk: Walk, steps: readonly Step[], within: readonly ItemId[]): void {
  for (const step of steps) {
    noteRow(walk, step);
    stepEnds(walk, step, within);
    walk.trail.passStep(step);
    const around = [...within, step.id];
    if (step.kind === "fire" || step.kind === "may fire") fireEnds(walk, step, around);
    if (step.kind === "call") callEnds(walk, step, around);
    if (step.kind === "do") {
      const routine = walk.service.routines.find((each) => each.name === step.routine);
      if (routine !== undefined) {
        once(walk, routine.id, () => branch(walk, [routine.steps], around));
      }
    }
    branch(walk, inner(step), around);
  }
}

/** Failure rows that can speak at the endpoint: its own before the general ones. */
export function failureRows(service: Service, endpoint: Endpoint): FailureRow[] {
  const own = new Set(endpoint.failures.map((row) => row.condition));
  const general = service.failures.filter(
    (row) =>
      !own.has(row.condition) &&
      row.condition !== "unknown path" &&
      row.condition !== "unknown method" &&
      canOccur(endpoint, row.condition),
  );
  return [...endpoint.failures, ...general];
}

const BODY = new Set([
  "other media type",
  "body absent",
  "malformed body",
  "repeated member",
  "unknown member",
  "not settable",
  "no member given",
]);

function canOccur(endpoint: Endpoint, condition: string): boolean {
  const hasBody = endpoint.body.is !== "none" || endpoint.inputs.some((each) => each.in === "body");
  if (condition === "body not expected") return !hasBody;
  if (BODY.has(condition)) return hasBody;
  if (CREDENTIALS.test(condition)) return endpoint.who.is !== "none";
  if (/query|fault inside|time passed|version/.test(condition)) return true;
  return hasBody || endpoint.inputs.length > 0;
}

function failureEnd(service: Service, row: FailureRow): End | undefined {
  const { answer, id } = row;
  if (answer.is === "gap") return { id, within: [] };
  if (answer.is !== "error") return undefined;
  return refusalEnd(service, { is: "error", id, error: answer.error, with: [] }, id, []);
}

const statedOf = <T>(answer: Answer<T>): T | undefined =>
  answer.is === "stated" ? answer.value : undefined;

function callerEnds(service: Service, endpoint: Endpoint): End[] {
  if (endpoint.who.is === "none") return [];
  return service.schemes.flatMap((scheme) => {
    const caller = statedOf(scheme.caller);
    return caller === undefined
      ? []
      : [refusalEnd(service, caller.otherwise, `${scheme.id}/caller`, [])];
  });
}

function limitEnds(service: Service, endpoint: Endpoint): End[] {
  const name = `${endpoint.method} `;
  return service.limits.flatMap((limit) => {
    const { counts } = limit;
    const isOther =
      counts.is === "requests" &&
      counts.endpoint !== undefined &&
      !(counts.endpoint.startsWith(name) && endpoint.id.endsWith(counts.endpoint));
    const passed = statedOf(limit.whenPassed);
    if (isOther || passed === undefined || counts.is === "rows kept" || counts.is === "sum") {
      return [];
    }
    return [refusalEnd(service, passed, limit.id, [])];
  });
}

function keyEnds(service: Service, endpoint: Endpoint): End[] {
  const key = endpoint.idempotency;
  if (key === undefined) return [];
  return [key.otherBody, key.running].flatMap((answer) => {
    const value = statedOf<Refusal | "wait">(answer);
    if (value === undefined || value === "wait" || answer.is !== "stated") return [];
    return [refusalEnd(service, value, answer.id, [])];
  });
}

export interface Ways {
  readonly ends: readonly End[];
  readonly steps: readonly ItemId[];
  /** What is done before any of some ends, in the order of the document. */
  onTheWay(ends: readonly End[]): readonly ItemId[];
  /** Whether a check stands on the way to any of some ends; one that nothing names always does. */
  reaches(ends: readonly End[], check: CheckKind): boolean;
}

const CREDENTIALS = /credentials|not permitted/;

/** Ends that a check makes, behind what is done up to it. */
function endsAt(trail: Trail, check: CheckKind, ends: readonly End[]): End[] {
  const way = trail.checks.get(check)?.way;
  return ends.map((end) => (way === undefined ? end : { ...end, after: way }));
}

function rowEnds(trail: Trail, service: Service, endpoint: Endpoint): End[] {
  return failureRows(service, endpoint).flatMap((row) => {
    const end = failureEnd(service, row);
    if (end === undefined) return [];
    if (row.condition === "fault inside" || row.condition === "time passed") return [end];
    return endsAt(trail, CREDENTIALS.test(row.condition) ? "caller" : "inputs", [end]);
  });
}

function waysAlong(trail: Trail, ends: readonly End[]): Ways {
  const onTheWay = (some: readonly End[]): readonly ItemId[] =>
    trail.itemsOn(some.map((end) => end.after));
  return {
    ends,
    steps: trail.steps,
    onTheWay,
    reaches: (some, check) => {
      const found = trail.checks.get(check);
      return found === undefined || onTheWay(some).includes(found.step);
    },
  };
}

/** Every way in which a request to the endpoint can end, in the order in which they are met. */
export function waysOf(service: Service, endpoint: Endpoint): Ways {
  const trail = new Trail();
  const walk: Walk = { service, ends: [], trail, rows: new Map(), active: new Set() };
  walkSteps(walk, service.prologue, []);
  for (const binding of endpoint.bindings) walk.rows.set(binding.as, binding.resource);
  walkSteps(walk, endpoint.steps, []);
  const bound = endpoint.bindings.map((each) => refusalEnd(service, each.otherwise, each.id, []));
  return waysAlong(trail, [
    ...endsAt(trail, "caller", callerEnds(service, endpoint)),
    ...endsAt(trail, "limits", limitEnds(service, endpoint)),
    ...rowEnds(trail, service, endpoint),
    ...endsAt(trail, "idempotency key", keyEnds(service, endpoint)),
    ...endsAt(trail, "paths", bound),
    ...walk.ends,
  ]);
}
