/** What each kind of step is to those who walk steps: what it holds, binds, works on and can do. */
import type { Step } from "./types/index.ts";

/** A step of one kind. */
type Of<K extends Step["kind"]> = Extract<Step, { kind: K }>;

interface StepKind<S> {
  /** Whether it can end the request in a refusal by itself. */
  readonly refuses: boolean | ((step: S) => boolean);
  /** Whether it can change what is kept, or something outside. */
  readonly writes: boolean;
  /** The name of the row that it works on. */
  readonly target?: (step: S) => string;
  /** The name that it binds for the steps behind it. */
  readonly binds?: (step: S) => string | undefined;
}

const READS = { refuses: false, writes: false } as const;
const JUDGES = { refuses: true, writes: false } as const;
const WRITES = { refuses: true, writes: true } as const;

/** One entry for each kind: a kind without one does not compile. */
export const stepKinds: { readonly [K in Step["kind"]]: StepKind<Of<K>> } = {
  check: READS,
  "check tag": { ...JUDGES, target: (step) => step.of },
  require: JUDGES,
  "let one": {
    refuses: (step) => step.otherwise !== undefined,
    writes: false,
    binds: (step) => step.as,
  },
  "let every": { ...READS, binds: (step) => step.as },
  let: { ...READS, binds: (step) => step.as },
  order: READS,
  page: { ...READS, binds: (step) => step.as },
  "page after": { ...READS, binds: (step) => step.as },
  create: { ...WRITES, binds: (step) => step.as },
  "set from": { refuses: false, writes: true, target: (step) => step.target },
  set: { ...WRITES, target: (step) => step.target },
  delete: { ...WRITES, target: (step) => step.target },
  "delete every": WRITES,
  fire: { ...WRITES, target: (step) => step.on },
  "may fire": { ...JUDGES, target: (step) => step.on },
  emit: READS,
  call: { ...WRITES, binds: (step) => step.as },
  do: WRITES,
  respond: READS,
  refuse: JUDGES,
  when: READS,
  cases: READS,
  "for each": READS,
  "any order": READS,
  gap: READS,
};

/** A step that holds others. */
export type NestingStep = Of<"when" | "cases" | "for each" | "any order">;

const NESTS: { readonly [K in Step["kind"]]: K extends NestingStep["kind"] ? true : false } = {
  check: false,
  "check tag": false,
  require: false,
  "let one": false,
  "let every": false,
  let: false,
  order: false,
  page: false,
  "page after": false,
  create: false,
  "set from": false,
  set: false,
  delete: false,
  "delete every": false,
  fire: false,
  "may fire": false,
  emit: false,
  call: false,
  do: false,
  respond: false,
  refuse: false,
  when: true,
  cases: true,
  "for each": true,
  "any order": true,
  gap: false,
};

/** Whether the step holds others. */
export function isNesting(step: Step): step is NestingStep {
  return NESTS[step.kind];
}

/** The lists of steps inside a step; each has names of its own. */
export function blocksOf(step: Step): readonly (readonly Step[])[] {
  if (!isNesting(step)) return [];
  switch (step.kind) {
    case "when":
      return step.otherwise === undefined ? [step.then] : [step.then, step.otherwise];
    case "cases":
      return step.cases.map((one) => one.steps);
    case "for each":
    case "any order":
      return [step.steps];
  }
}

/** The steps with all inside them, each before those that it holds. */
export function everyStep(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...blocksOf(step).flatMap(everyStep)]);
}

type Any = StepKind<Step>;

/** The name of the row that a step works on, where there is one. */
export function targetOf(step: Step): string | undefined {
  return (stepKinds[step.kind] as Any).target?.(step);
}

/** The name that a step binds for those behind it, where it binds one. */
export function boundBy(step: Step): string | undefined {
  return (stepKinds[step.kind] as Any).binds?.(step);
}

/** Whether the step, or one inside it, can end in a refusal. */
export function canRefuse(step: Step): boolean {
  const { refuses } = stepKinds[step.kind] as Any;
  return (
    (typeof refuses === "function" ? refuses(step) : refuses) ||
    blocksOf(step).some((steps) => steps.some(canRefuse))
  );
}
