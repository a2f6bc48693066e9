/** Who may ask what, and what is read of who asks. */
import { type Code, everyPart } from "../../expr/index.ts";
import {
  type Endpoint,
  type Expression,
  everyStep,
  isStated,
  type Resource,
  type Step,
} from "../../plan/index.ts";
import type { RuleContext } from "./context.ts";

/** All expressions anywhere below a value. */
export function expressionsIn(value: unknown): Expression[] {
  if (typeof value !== "object" || value === null) return [];
  const { code, text } = value as { code?: unknown; text?: unknown };
  if (typeof code === "object" && code !== null && typeof text === "string") {
    return [value as Expression];
  }
  return Object.values(value).flatMap(expressionsIn);
}

/** All pieces of code anywhere below a value. */
export function codesIn(value: unknown): Code[] {
  return expressionsIn(value).flatMap(({ code }) => [...everyPart(code)]);
}

const readsName = (value: unknown, name: string): boolean =>
  codesIn(value).some((code) => code.op === "name" && code.name === name);

/** Whether an expression below a value reads who asks. */
export function readsCaller(value: unknown): boolean {
  return readsName(value, "caller");
}

/** The steps of an endpoint with those of the named steps that it does. */
export function stepsOf(c: RuleContext, { steps }: Endpoint): Step[] {
  const found: Step[] = [];
  const done = new Set<string>();
  const open = [steps];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const step of everyStep(at)) {
      found.push(step);
      if (step.kind !== "do" || done.has(step.routine)) continue;
      done.add(step.routine);
      const routine = c.service.routines.find((one) => one.name === step.routine);
      if (routine !== undefined) open.push(routine.steps);
    }
  }
  return found;
}

/** Whether every request to it has a caller. */
export function needsCaller(c: RuleContext, { who }: Endpoint): boolean {
  return isStated(who) && !who.value.some((actor) => c.always.has(actor));
}

/** Whether requests without a caller come to it; false where that is not shown. */
export function isOpen(c: RuleContext, endpoint: Endpoint): boolean {
  return endpoint.who.is === "none" || (isStated(endpoint.who) && !needsCaller(c, endpoint));
}

/** Whether rows of the resource are kept from some callers. */
export function isWalled({ invariants }: Resource): boolean {
  return invariants.some((one) => one.kind === "rows" && readsCaller(one.where));
}
