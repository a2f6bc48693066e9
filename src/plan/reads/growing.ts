/** Finds every read of a plan's rows whose work grows with them. */
import { type Code, partsOf, rowChain } from "../../expr/index.ts";
import { isStated, statedOf } from "../answers.ts";
import { everyStep, stepKinds } from "../step-kinds.ts";
import type { Endpoint, ItemId, Resource, Service, Step } from "../types/index.ts";
import { rowsOf } from "../within-rows.ts";
import { isIndexable } from "./conditions.ts";
import { codePartsOf, indexesOf } from "./indexes.ts";
import { isBounded, type Numbers } from "./numbers.ts";
import { type Condition, type Growth, growthOf, type Indexes, madeOf, type Read } from "./read.ts";

/** A read whose work grows with the rows of a resource. */
export interface Growing {
  /** Where it stands: items from the outermost to the innermost. */
  readonly at: readonly ItemId[];
  readonly resource: string;
  readonly why: Growth;
}

/** Stands for the rows of a chain of filters, whatever each filter names them. */
const ROW = "#row";

/** The rows themselves stand in the order of their making. */
const NO_INDEX = madeOf([]);

class Reads {
  readonly found: Growing[] = [];
  readonly #told = new Set<string>();
  readonly #resources: ReadonlyMap<string, Resource>;
  readonly #indexes = new Map<string, Indexes>();

  constructor(service: Service) {
    this.#resources = new Map(service.resources.map((one) => [one.name, one]));
    for (const [name, wishes] of Map.groupBy(
      indexesOf(service, codePartsOf(service)),
      (one) => one.resource,
    )) {
      const resource = this.#resources.get(name);
      if (resource === undefined) continue;
      const fields = wishes.map((one) => {
        const end = one.fields.findIndex((field) => !isIndexable(resource, field));
        return [...new Set(end < 0 ? one.fields : one.fields.slice(0, end))];
      });
      this.#indexes.set(name, madeOf(fields));
    }
  }

  judge(read: Read): void {
    const why = this.why(read);
    if (why !== undefined) this.add({ at: read.at, resource: read.resource, why });
  }

  /** Why the work of a read grows with the rows; undefined: it does not. */
  why(read: Read): Growth | undefined {
    const resource = this.#resources.get(read.resource);
    if (resource === undefined) return undefined;
    const rows = rowsOf(resource);
    const seen: Condition[] =
      rows?.kind === "rows" ? [{ as: "it", code: rows.where.code, isSure: false }] : [];
    return growthOf(
      { ...read, where: [...seen, ...read.where] },
      resource,
      this.#indexes.get(read.resource) ?? NO_INDEX,
    );
  }

  add(growing: Growing): void {
    const text = JSON.stringify(growing);
    if (this.#told.has(text)) return;
    this.#told.add(text);
    this.found.push(growing);
  }

  /** The collections that code goes through. */
  code(code: Code, at: readonly ItemId[]): void {
    if (code.op === "call" && code.fn === "size" && code.args[0] !== undefined) {
      if (this.#chain(code.args[0], at, "count")) return;
    }
    if (code.op === "each") {
      const need = { exists: "one", all: "one", exists_one: "count", filter: "all" } as const;
      const known = code.macro === "map" || code.macro === "group" ? undefined : need[code.macro];
      const body = code.macro === "all" ? negated(code.body) : code.body;
      const own: Condition[] =
        known === undefined ? [] : [{ as: code.as, code: body, isSure: true }];
      if (this.#chain(code.over, at, known ?? "all", own)) return;
    }
    if (this.#chain(code, at, "all")) return;
    for (const part of partsOf(code)) this.code(part, at);
  }

  #chain(code: Code, at: readonly ItemId[], need: Read["need"], own: Condition[] = []): boolean {
    const chain = rowChain(code, ROW);
    if (chain === undefined) return false;
    const where = chain.where.map((one) => ({ as: ROW, code: one, isSure: true }));
    const { resource } = chain;
    this.judge({ at, resource, need, where: [...where, ...own], order: [] });
    return true;
  }
}

const negated = (code: Code): Code => ({ op: "call", type: code.type, fn: "!", args: [code] });

const whereOf = (code: Code | undefined): readonly Condition[] =>
  code === undefined ? [] : [{ as: "it", code, isSure: true }];

/** The code that stands in a value, with the items that it stands below. */
function codeBelow(
  value: unknown,
  at: readonly ItemId[],
  tell: (code: Code, at: readonly ItemId[]) => void,
): void {
  if (typeof value !== "object" || value === null) return;
  if ("op" in value && "type" in value) return tell(value as Code, at);
  const id = "id" in value && typeof value.id === "string" ? [...at, value.id] : at;
  for (const inner of Object.values(value)) codeBelow(inner, id, tell);
}

/** The step without what finds its rows, which is judged as a read of its own. */
function withoutWhere(step: Step): unknown {
  return step.kind === "let one" || step.kind === "let every" || step.kind === "delete every"
    ? { ...step, where: undefined }
    : step;
}

interface Owner {
  readonly at: readonly ItemId[];
  readonly steps: readonly Step[];
  readonly endpoint?: Endpoint;
}

function ownersOf(service: Service): readonly Owner[] {
  const { prologue, endpoints, routines, machines, webhooks } = service;
  return [
    { at: [], steps: prologue },
    ...endpoints.map((one) => ({ at: [one.id], steps: one.steps, endpoint: one })),
    ...routines.map(({ id, steps }) => ({ at: [id], steps })),
    ...machines.flatMap((machine) =>
      machine.transitions.map(({ id, then }) => ({ at: [machine.id, id], steps: then })),
    ),
    ...webhooks.flatMap(({ id, afterLast, onStatus }) => [
      { at: [id], steps: statedOf(afterLast) ?? [] },
      ...onStatus.map(({ then }) => ({ at: [id], steps: then })),
    ]),
  ];
}

/** What steps make of a list that they have named: where it is counted, cut, or read as a whole. */
interface Uses {
  readonly counted: Step[];
  readonly read: Step[];
  readonly pages: (Step & { kind: "page" | "page after" })[];
}

function usesOf(name: string, steps: readonly Step[]): Uses {
  const uses: Uses = { counted: [], read: [], pages: [] };
  for (const step of steps) {
    if ((step.kind === "page" || step.kind === "page after") && step.of === name) {
      uses.pages.push(step);
    }
    codeBelow(withoutSteps(step), [], (code) => {
      const how = useIn(code, name);
      if (how !== undefined) uses[how].push(step);
    });
  }
  return uses;
}

function withoutSteps(step: Step): unknown {
  const { steps: _s, then: _t, otherwise: _o, cases: _c, ...own } = step as Record<string, unknown>;
  return own;
}

/** How code uses the list of that name. */
function useIn(code: Code, name: string): "counted" | "read" | undefined {
  if (code.op === "name") return code.name === name ? "read" : undefined;
  if (code.op === "call" && code.fn === "size" && code.args[0]?.op === "name") {
    return code.args[0].name === name ? "counted" : undefined;
  }
  const all = partsOf(code).map((part) => useIn(part, name));
  return all.includes("read") ? "read" : all.includes("counted") ? "counted" : undefined;
}

type Every = Step & { kind: "let every" };

/** What a list costs that steps have named: only what is made of it, and then no more than that. */
function judgeList(reads: Reads, step: Every, later: readonly Step[], owner: Owner): void {
  const { resource } = step;
  const where = whereOf(step.where?.code);
  const order = later.flatMap((one) =>
    one.kind === "order" && one.list === step.as ? one.keys : [],
  );
  const read = (at: Step, need: Read["need"]): Read => ({
    at: [...owner.at, at.id],
    resource,
    need,
    where,
    order,
  });
  const { counted, read: whole, pages } = usesOf(step.as, later);
  // A list that nobody has read is read before something is written.
  const isKept = later.some(({ kind }) => stepKinds[kind].writes);
  const [first] = counted;
  if (whole.length > 0 || isKept) reads.judge(read(step, "all"));
  else if (first !== undefined) reads.judge(read(first, "count"));
  const numbers: Numbers = { inputs: owner.endpoint?.inputs ?? [], lets: letsOf(owner) };
  for (const page of pages) {
    const why =
      reads.why(read(page, "all")) &&
      growthOfPage(page, numbers, () => reads.why(read(page, "page")));
    if (why !== undefined) reads.add({ at: [...owner.at, page.id], resource, why });
  }
}

/** Why a page of a list takes longer, the more rows the list has. */
function growthOfPage(
  page: Uses["pages"][number],
  numbers: Numbers,
  cut: () => Growth | undefined,
): Growth | undefined {
  if (page.kind === "page after") return { is: "page after" };
  const why = cut();
  if (why !== undefined) return why;
  if (!isBounded(page.atMost.code, numbers)) return { is: "long page" };
  return isBounded(page.from.code, numbers) ? undefined : { is: "far page" };
}

function letsOf({ steps }: Owner): ReadonlyMap<string, Code> {
  return new Map(
    everyStep(steps).flatMap((one) =>
      one.kind === "let" ? [[one.as, one.value.code] as const] : [],
    ),
  );
}

function judgeSteps(reads: Reads, owner: Owner): void {
  const all = everyStep(owner.steps);
  for (const [i, step] of all.entries()) {
    const at = [...owner.at, step.id];
    if (step.kind === "let every") judgeList(reads, step, all.slice(i + 1), owner);
    if (step.kind === "let one" || step.kind === "delete every") {
      const need = step.kind === "let one" ? "one" : "all";
      const where = whereOf(step.where.code);
      reads.judge({ at, resource: step.resource, need, where, order: [] });
    }
    codeBelow(withoutSteps(withoutWhere(step) as Step), owner.at, (code, inner) =>
      reads.code(code, inner),
    );
  }
}

/**
 * The reads of a service whose work grows with the rows that are kept, as far as the plan tells:
 * every other one reads no more rows than the document itself bounds.
 */
export function growingReads(service: Service): readonly Growing[] {
  const reads = new Reads(service);
  for (const owner of ownersOf(service)) judgeSteps(reads, owner);
  for (const { id, bindings } of service.endpoints) {
    for (const one of bindings) {
      const key = { op: "name", type: { kind: "unknown" }, name: "#key" } as const;
      const it: Code = { op: "name", type: { kind: "row", resource: one.resource }, name: "it" };
      const named: Code = { op: "get", type: { kind: "string" }, of: it, member: one.by };
      const inLower: Code = { op: "call", type: { kind: "string" }, fn: "lower", args: [named] };
      const sought = one.anyCase ? inLower : named;
      const by: Code = { op: "call", type: { kind: "boolean" }, fn: "==", args: [sought, key] };
      reads.judge({
        at: [id, one.id],
        resource: one.resource,
        need: "one",
        where: [...whereOf(by), ...whereOf(one.where?.code)],
        order: [],
      });
    }
  }
  for (const { id, caller } of service.schemes) {
    if (!isStated(caller)) continue;
    const { resource, where } = caller.value;
    const at = [id, caller.id];
    reads.judge({ at, resource, need: "one", where: whereOf(where.code), order: [] });
  }
  for (const { id, receivers } of service.webhooks) {
    if (!isStated(receivers)) continue;
    const { resource, where } = receivers.value;
    const own = [{ as: "receiver", code: where.code, isSure: true }];
    reads.judge({ at: [id, receivers.id], resource, need: "all", where: own, order: [] });
  }
  for (const one of [service.shapes, service.resources, service.limits, service.streams]) {
    codeBelow(one, [], (code, at) => reads.code(code, at));
  }
  return reads.found;
}
