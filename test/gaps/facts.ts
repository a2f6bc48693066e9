/** What is known where a step is done: conditions that hold, and rows that have been looked for. */
import type { Code } from "../../src/expr/index.ts";
import type { Plan, Step } from "../../src/plan/index.ts";

interface Sought {
  readonly resource: string;
  readonly where: Code;
}

export interface Known {
  /** Conditions that hold. */
  readonly facts: readonly Code[];
  /** Rows that were looked for, by their names; each may be null. */
  readonly sought: ReadonlyMap<string, Sought>;
}

const NOTHING: Known = { facts: [], sought: new Map() };
const DEPTH_MAX = 8;

/** The text of an expression, without its types, in which names may have others. */
export function codeText(code: unknown, names: ReadonlyMap<string, string> = new Map()): string {
  return JSON.stringify(code, (key, value: unknown) => {
    if (key === "type") return undefined;
    const { op, name } = (value ?? {}) as { readonly op?: unknown; readonly name?: unknown };
    if (op !== "name" || typeof name !== "string") return value;
    return { op, name: names.get(name) ?? name };
  });
}

const conjuncts = (code: Code): Code[] =>
  code.op === "call" && code.fn === "&&" ? code.args.flatMap(conjuncts) : [code];

/** Whether a condition compares a member of a row that has a name with a literal. */
function isOfRow(code: Code): boolean {
  const [a, b] = code.op === "call" && code.fn === "==" ? code.args : [];
  return a?.op === "get" && a.of.op === "name" && b?.op === "literal";
}

/** The expression with other names for what is given on. */
function renamed(code: Code, names: ReadonlyMap<string, string>): Code {
  const all = JSON.stringify(code, (_, value: unknown) => {
    const { op, name } = (value ?? {}) as { readonly op?: unknown; readonly name?: unknown };
    const isName = op === "name" && typeof name === "string" && names.has(name);
    return isName ? { ...(value as object), name: names.get(name) } : value;
  });
  return JSON.parse(all) as Code;
}

class Walk {
  readonly places = new Map<Step, Known[]>();
  private readonly plan: Plan;

  constructor(plan: Plan) {
    this.plan = plan;
  }

  steps(steps: readonly Step[], begun: Known, depth = 0): void {
    let known = begun;
    for (const step of steps) {
      this.places.set(step, [...(this.places.get(step) ?? []), known]);
      this.inside(step, known, depth);
      known = after(step, known);
    }
  }

  private inside(step: Step, known: Known, depth: number): void {
    const holding = (code: Code): Known => ({
      ...known,
      facts: [...known.facts, ...conjuncts(code)],
    });
    if (step.kind === "when") {
      this.steps(step.then, holding(step.condition.code), depth);
      this.steps(step.otherwise ?? [], known, depth);
    }
    if (step.kind === "cases") {
      for (const one of step.cases) this.steps(one.steps, known, depth);
    }
    // What one round does another meets.
    if (step.kind === "for each") this.steps(step.steps, NOTHING, depth);
    if (step.kind === "any order") this.steps(step.steps, NOTHING, depth);
    if (step.kind !== "do" || depth > DEPTH_MAX) return;
    const routine = this.plan.routines.find((one) => one.name === step.routine);
    const names = new Map(
      step.with.flatMap(({ name, value: { code } }): [string, string][] =>
        code.op === "name" ? [[code.name, name]] : [],
      ),
    );
    const facts = known.facts.map((one) => renamed(one, names));
    this.steps(routine?.steps ?? [], { facts, sought: new Map() }, depth + 1);
  }
}

/** What is still known behind a step. */
function after(step: Step, known: Known): Known {
  const { facts, sought } = known;
  switch (step.kind) {
    case "require":
      return { facts: [...facts, ...conjuncts(step.condition.code)], sought };
    case "let one": {
      const { resource, where } = step;
      return { facts, sought: new Map([...sought, [step.as, { resource, where: where.code }]]) };
    }
    case "let":
    case "let every":
    case "order":
    case "check":
    case "emit":
      return known;
    case "create":
      // A new row changes no other, but what is said of all rows.
      return { facts: facts.filter(isOfRow), sought: new Map() };
    default:
      return NOTHING;
  }
}

const walked = new WeakMap<Plan, ReadonlyMap<Step, readonly Known[]>>();

/** What is known at each step, each time that it stands behind others. */
export function knownAt(plan: Plan, step: Step): readonly Known[] {
  let found = walked.get(plan);
  if (found === undefined) {
    const walk = new Walk(plan);
    for (const { steps } of plan.endpoints) walk.steps(steps, NOTHING);
    for (const { transitions } of plan.machines) {
      for (const { then } of transitions) walk.steps(then, NOTHING);
    }
    found = walk.places;
    walked.set(plan, found);
  }
  return found.get(step) ?? [NOTHING];
}
