/** Rule: something triggers every transition, and what triggers it exists. */
import type { Call, Machine, Transition } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

interface Happens {
  /** `Resource.transition` of every Fire step. */
  readonly fired: ReadonlySet<string>;
  readonly called: ReadonlySet<string>;
  /** Call -> the resources whose rows it is given. */
  readonly given: ReadonlyMap<string, ReadonlySet<string>>;
  /** Call -> the words that it says. */
  readonly words: ReadonlyMap<string, ReadonlySet<string>>;
  /** Those that happen on time. */
  readonly timed: ReadonlySet<string>;
}

function rowsOf({ type: { type } }: Call["given"][number]): string[] {
  if (type.kind === "list") return rowsOf({ name: "", type: type.of });
  return type.kind === "reference" ? [type.resource] : [];
}

function happens(c: RuleContext): Happens {
  const fired = new Set<string>();
  const called = new Set<string>();
  for (const { step, resource = "" } of c.steps) {
    if (step.kind === "fire") for (const one of step.transitions) fired.add(`${resource}.${one}`);
    if (step.kind === "call") called.add(step.call);
  }
  const rows = c.service.machines.flatMap((machine) =>
    machine.transitions.map((one) => ({ key: `${machine.resource}.${one.name}`, on: one.on.is })),
  );
  return {
    fired,
    called,
    given: new Map(
      c.service.calls.map((one) => [one.name, new Set(one.given.flatMap(rowsOf))] as const),
    ),
    timed: new Set(
      rows.filter((one) => one.on === "time" || one.on === "every").map((one) => one.key),
    ),
    words: new Map(
      c.service.calls.map((one) => [one.name, new Set(one.says.map((said) => said.word))] as const),
    ),
  };
}

function never(c: RuleContext, one: Transition, why: string, hint: string): void {
  report(c, {
    code: "never-fired",
    severity: "warning",
    at: one.id,
    message: `Nothing triggers the transition \`${one.name}\`: ${why}.`,
    hint,
  });
}

function judge(c: RuleContext, machine: Machine, one: Transition, what: Happens): void {
  const { on } = one;
  if (on.is === "step" && !what.fired.has(`${machine.resource}.${one.name}`)) {
    never(
      c,
      one,
      "no step fires it",
      `Write a step such as: Fire \`${one.name}\` on ... Or another cause under On.`,
    );
  }
  if (on.is === "refused" && !what.timed.has(`${machine.resource}.${on.transition}`)) {
    never(
      c,
      one,
      `\`${on.transition}\` does not happen on time`,
      "A refusal is told only of a transition on `time` or `every`.",
    );
  }
  const words = on.is === "call" ? what.words.get(on.call) : undefined;
  if (on.is !== "call" || words === undefined) return;
  if (words.has(on.word) && !what.called.has(on.call)) {
    never(c, one, `no step calls \`${on.call}\``, `Write a step such as: Call \`${on.call}\` ...`);
  } else if (what.given.get(on.call)?.has(machine.resource) === false) {
    never(
      c,
      one,
      `\`${on.call}\` is given no \`${machine.resource}\``,
      "An answer is about the rows that the call was given: write a Given bullet for the row.",
    );
  }
}

/** Reports `never-fired`. */
export const fired: Rule = (c) => {
  const what = happens(c);
  for (const machine of c.service.machines) {
    for (const one of machine.transitions) judge(c, machine, one, what);
  }
};
