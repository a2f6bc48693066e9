/** Derives from a plan which fields are looked up, ordered and joined by, and so need an index. */

import { type Code, conjuncts, everyPart, partsOf, rowChain } from "../../expr/index.ts";
import { isStated } from "../answers.ts";
import { bindingsIn } from "../bindings.ts";
import { clockField, hasClock } from "../clocks.ts";
import type { Machine, Resource, Service, Step } from "../types/index.ts";
import { lowered, readInLower } from "./lowered.ts";
import { fieldOfRow } from "./one-row.ts";

/** An index that some query of the plan wants: fields (some `lowered`), equal ones first. */
export interface Wish {
  readonly resource: string;
  readonly fields: readonly string[];
}

const MOST_FIELDS = 4;
/** Stands for the rows of a chain of filters, whatever each filter names them. */
const ROW = "#row";

/** The field of the variable that a comparison pins or joins by: the first one of its path. */
function fieldOf(code: Code, as: string): string | undefined {
  const inLower = readInLower(code);
  if (inLower !== undefined) return fieldOfRow(code, as) ?? fieldOf(inLower, as);
  if (code.op !== "get") return undefined;
  if (code.of.op === "name") return code.of.name === as ? code.member : undefined;
  return fieldOf(code.of, as);
}

function alternatives(code: Code): readonly Code[] {
  return code.op === "call" && code.fn === "||" ? code.args.flatMap(alternatives) : [code];
}

/** Fields of `as` that one condition pins (`=`), and that it bounds. */
function pinned(code: Code, as: string): { equal: string[]; range: string[] } {
  const equal: string[] = [];
  const range: string[] = [];
  if (code.op === "call" && ["==", "in"].includes(code.fn)) {
    for (const arg of code.args) {
      const field = fieldOf(arg, as);
      if (field !== undefined) equal.push(field);
    }
  } else if (code.op === "call" && ["<", "<=", ">", ">="].includes(code.fn)) {
    for (const arg of code.args) {
      const field = fieldOf(arg, as);
      if (field !== undefined) range.push(field);
    }
  } else if (code.op === "each" && (code.macro === "exists" || code.macro === "all")) {
    // A join: what the inner row is compared with is looked up by the outer row's field.
    for (const part of everyPart(code.body)) {
      if (part.op === "call" && part.fn === "==") equal.push(...pinned(part, as).equal);
    }
  }
  return { equal, range };
}

/** The indexes that a conjunction over `as` wants; `order`: fields that the result is sorted by. */
function wishesOf(
  bodies: readonly { as: string; body: Code }[],
  resource: string,
  order: readonly string[],
): readonly Wish[] {
  const must: string[] = [];
  const may: string[] = [];
  const range: string[] = [];
  for (const { as, body } of bodies) {
    for (const part of conjuncts(body)) {
      const choices = alternatives(part);
      for (const choice of choices.flatMap(conjuncts)) {
        const found = pinned(choice, as);
        (choices.length === 1 ? must : may).push(...found.equal);
        range.push(...found.range);
      }
    }
  }
  const equal = [...new Set(must)].slice(0, MOST_FIELDS);
  const rest = order.length > 0 ? order : range.slice(0, 1);
  const wishes: Wish[] = [{ resource, fields: [...equal, ...rest] }];
  for (const first of new Set([...equal, ...may])) {
    const others = equal.filter((one) => one !== first);
    wishes.push({ resource, fields: [first, ...others, ...rest] });
  }
  return wishes;
}

function fromParts(parts: readonly Code[], wishes: Wish[]): void {
  for (const part of parts) {
    if (part.op === "get" && part.of.type.kind === "row" && part.of.op === "get") {
      wishes.push({ resource: part.of.type.resource, fields: [part.member] });
    }
    const inLower = readInLower(part);
    if (inLower?.of.op === "get" && inLower.of.type.kind === "row") {
      wishes.push({ resource: inLower.of.type.resource, fields: [lowered(inLower.member)] });
    }
    if (part.op !== "each") continue;
    const chain = rowChain(part.over, ROW);
    if (chain === undefined) continue;
    const own =
      part.macro === "exists" ||
      part.macro === "all" ||
      part.macro === "filter" ||
      part.macro === "exists_one";
    const bodies = chain.where.map((body) => ({ as: ROW, body }));
    if (own) bodies.push({ as: part.as, body: part.body });
    if (bodies.length > 0) wishes.push(...wishesOf(bodies, chain.resource, []));
  }
}

/** Every object of a plan that looks like code, found without knowing where code can stand. */
function codesIn(value: unknown, found: Code[] = []): readonly Code[] {
  if (Array.isArray(value)) {
    for (const item of value) codesIn(item, found);
  } else if (typeof value === "object" && value !== null) {
    if ("op" in value && "type" in value) found.push(value as Code);
    else for (const name in value) codesIn(value[name as keyof typeof value], found);
  }
  return found;
}

/** Every piece of code of a plan, also those inside others. It is walked once for all uses. */
export function codePartsOf(plan: Service): readonly Code[] {
  const found: Code[] = [];
  const add = (code: Code): void => {
    found.push(code);
    for (const part of partsOf(code)) add(part);
  };
  for (const code of codesIn(plan)) add(code);
  return found;
}

function stepsIn(value: unknown, found: Step[] = []): readonly Step[] {
  if (Array.isArray(value)) {
    for (const item of value) stepsIn(item, found);
  } else if (typeof value === "object" && value !== null && !("op" in value)) {
    if ("kind" in value && "id" in value) found.push(value as Step);
    for (const name in value) stepsIn(value[name as keyof typeof value], found);
  }
  return found;
}

function orderFields(steps: readonly Step[], list: string): readonly string[] {
  const order = steps.find((step) => step.kind === "order" && step.list === list);
  if (order?.kind !== "order") return [];
  const fields: string[] = [];
  for (const key of order.keys) {
    const field = fieldOfRow(key.by.code, "it");
    if (field === undefined || field === "") break;
    fields.push(field);
  }
  return fields;
}

/** The steps of one endpoint, routine or machine: a list and its order have the same name there. */
function fromSteps(steps: readonly Step[], wishes: Wish[]): void {
  for (const step of steps) {
    if (step.kind === "let one" || step.kind === "delete every") {
      wishes.push(...wishesOf([{ as: "it", body: step.where.code }], step.resource, []));
    } else if (step.kind === "let every") {
      const bodies = step.where === undefined ? [] : [{ as: "it", body: step.where.code }];
      wishes.push(...wishesOf(bodies, step.resource, orderFields(steps, step.as)));
    } else if (step.kind === "create" && step.unlessThere) {
      wishes.push({ resource: step.resource, fields: step.with.map((one) => one.name) });
    }
  }
}

function fromResource(resource: Resource, wishes: Wish[]): void {
  const add = (fields: readonly string[]) => wishes.push({ resource: resource.name, fields });
  if (resource.key !== undefined) add([resource.key]);
  for (const field of resource.fields) {
    if (field.type.type.kind === "reference") add([field.name]);
    for (const rule of field.rules) {
      if (rule.kind === "unique") {
        add([rule.anyCase ? lowered(field.name) : field.name, ...rule.within]);
      }
      if (rule.kind === "counts up" && !rule.onEveryChange) add([...rule.within, field.name]);
    }
  }
  for (const invariant of resource.invariants) {
    if (invariant.kind === "unique") add(invariant.fields);
    if (invariant.kind === "kept for") add([invariant.after]);
    if (invariant.kind === "rows") {
      wishes.push(...wishesOf([{ as: "it", body: invariant.where.code }], resource.name, []));
    }
  }
}

function fromMachine(machine: Machine, wishes: Wish[]): void {
  for (const transition of machine.transitions) {
    if (transition.on.is === "time") {
      wishes.push({ resource: machine.resource, fields: [machine.field, transition.on.field] });
    } else if (hasClock(transition)) {
      wishes.push({ resource: machine.resource, fields: [machine.field, clockField(transition)] });
    }
  }
}

/** All indexes that the plan's queries want, with repetitions; `parts` are all its code. */
export function indexesOf(plan: Service, parts: readonly Code[]): readonly Wish[] {
  const wishes: Wish[] = [];
  for (const resource of plan.resources) fromResource(resource, wishes);
  for (const machine of plan.machines) fromMachine(machine, wishes);
  for (const { resource, by, anyCase } of bindingsIn(plan)) {
    wishes.push({ resource, fields: [anyCase ? lowered(by) : by] });
  }
  for (const scheme of plan.schemes) {
    if (!isStated(scheme.caller)) continue;
    const { resource, where } = scheme.caller.value;
    wishes.push(...wishesOf([{ as: "it", body: where.code }], resource, []));
  }
  const owners = [
    plan.prologue,
    ...plan.endpoints,
    ...plan.routines,
    ...plan.machines,
    ...plan.webhooks,
  ];
  for (const owner of owners) fromSteps(stepsIn(owner), wishes);
  fromParts(parts, wishes);
  return wishes;
}
