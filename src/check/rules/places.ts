/** Walks all steps of a service once; tells of each where it stands and which row it works on. */
import type { Type } from "../../expr/index.ts";
import {
  blocksOf,
  boundBy,
  type Endpoint,
  type Expression,
  type ItemId,
  isStated,
  pathText,
  type Service,
  type Step,
  statedOf,
  targetOf,
} from "../../plan/index.ts";

/** What has steps. */
export interface Owner {
  readonly kind: "prologue" | "endpoint" | "routine" | "transition" | "webhook";
  readonly id: ItemId;
  readonly name: string;
  readonly endpoint?: Endpoint;
}

export interface Placed {
  readonly step: Step;
  readonly owner: Owner;
  /** The resource of the row that `target` or `on` names, where there is one. */
  readonly resource?: string;
  readonly depth: number;
}

/** The method and path of an endpoint as its heading has them. */
export function endpointKey(endpoint: Endpoint): string {
  return `${endpoint.method} ${pathText(endpoint.path)}`;
}

/** Names in scope, with the resource of those that hold a row. */
class Rows {
  readonly #names = new Map<string, string | undefined>();
  readonly #undo: [string, string | undefined][] = [];

  get(name: string): string | undefined {
    return this.#names.get(name);
  }

  set(name: string, resource: string | undefined): void {
    this.#undo.push([name, this.#names.get(name)]);
    this.#names.set(name, resource);
  }

  mark(): number {
    return this.#undo.length;
  }

  back(mark: number): void {
    while (this.#undo.length > mark) {
      const [name, before] = this.#undo.pop() as [string, string | undefined];
      this.#names.set(name, before);
    }
  }
}

/** The resource of a row type, null or not. */
function rowOf(type: Type): string | undefined {
  const bare = type.kind === "nullable" ? type.of : type;
  return bare.kind === "row" ? bare.resource : undefined;
}

function elementOf(expression: Expression): string | undefined {
  const { type } = expression.code;
  return type.kind === "list" ? rowOf(type.of) : undefined;
}

/** The name that a step binds, with the resource of its row if it is one. */
function bound(step: Step): readonly [name: string, resource: string | undefined] | undefined {
  const name = boundBy(step);
  if (name === undefined) return undefined;
  if (step.kind === "let one" || step.kind === "create") return [name, step.resource];
  return [name, step.kind === "let" ? rowOf(step.value.code.type) : undefined];
}

interface Walk {
  readonly owner: Owner;
  readonly rows: Rows;
  readonly into: Placed[];
}

function walk(at: Walk, steps: readonly Step[], depth: number): void {
  for (const step of steps) {
    const target = targetOf(step);
    const resource = target === undefined ? undefined : at.rows.get(target);
    at.into.push({ step, owner: at.owner, depth, ...(resource === undefined ? {} : { resource }) });
    for (const group of blocksOf(step)) {
      const mark = at.rows.mark();
      if (step.kind === "for each") at.rows.set(step.as, elementOf(step.in));
      walk(at, group, depth + 1);
      at.rows.back(mark);
    }
    const name = bound(step);
    if (name !== undefined) at.rows.set(...name);
  }
}

interface Start {
  readonly owner: Owner;
  readonly steps: readonly Step[];
  readonly rows: readonly (readonly [string, string | undefined])[];
}

function starts(service: Service): Start[] {
  const endpoints = service.endpoints.map(
    (endpoint): Start => ({
      owner: { kind: "endpoint", id: endpoint.id, name: endpointKey(endpoint), endpoint },
      steps: endpoint.steps,
      rows: endpoint.bindings.map((one) => [one.as, one.resource]),
    }),
  );
  const routines = service.routines.map(
    (routine): Start => ({
      owner: { kind: "routine", id: routine.id, name: routine.name },
      steps: routine.steps,
      rows: routine.given.map((one) => [
        one.name,
        one.type.type.kind === "reference" ? one.type.type.resource : undefined,
      ]),
    }),
  );
  const transitions = service.machines.flatMap((machine) =>
    machine.transitions.map(
      (one): Start => ({
        owner: { kind: "transition", id: one.id, name: one.name },
        steps: one.then,
        rows: [["it", machine.resource]],
      }),
    ),
  );
  const webhooks = service.webhooks.map(
    (webhook): Start => ({
      owner: { kind: "webhook", id: webhook.id, name: webhook.name },
      steps: [
        ...(statedOf(webhook.afterLast) ?? []),
        ...webhook.onStatus.flatMap((one) => one.then),
      ],
      rows: [
        ["receiver", isStated(webhook.receivers) ? webhook.receivers.value.resource : undefined],
      ],
    }),
  );
  const prologue: Start = {
    owner: { kind: "prologue", id: "endpoints/Every endpoint", name: "Every endpoint" },
    steps: service.prologue,
    rows: [],
  };
  return [...routines, ...transitions, prologue, ...endpoints, ...webhooks];
}

/** Every step of the service with its place, in the order of their owners. */
export function placeSteps(service: Service): Placed[] {
  const into: Placed[] = [];
  const scheme = service.schemes.find((one) => isStated(one.caller));
  const caller = isStated(scheme?.caller) ? scheme.caller.value.resource : undefined;
  for (const start of starts(service)) {
    const rows = new Rows();
    rows.set("caller", caller);
    for (const [name, resource] of start.rows) rows.set(name, resource);
    walk({ owner: start.owner, rows, into }, start.steps, 0);
  }
  return into;
}
