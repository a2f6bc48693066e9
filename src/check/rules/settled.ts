/** Rule: a condition can hold and can fail; else it is not what its author meant. */
import { type Code, meetsGap } from "../../expr/index.ts";
import type { Expression, ItemId } from "../../plan/index.ts";
import { assignments, casesOf, holds } from "./cases.ts";
import { type Place, statedConditions } from "./conditions.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { atomOf, pathOf } from "./regions.ts";

/** What follows from a condition that is always, or never, true. */
const FOLLOWS: Readonly<Record<Place, readonly [always: string, never: string]>> = {
  require: ["this step refuses nobody", "every request that comes to this step is refused"],
  when: ["what stands below it is done in any case", "what stands below it is never done"],
  find: ["it leaves no row out", "no row is found"],
  guard: ["it keeps nothing back", "this row is never taken"],
  invariant: ["it demands nothing", "no row can keep it"],
  rule: ["it demands nothing", "no value keeps it"],
  given: ["write `required`", "write `optional`"],
  actor: ["write `always`", "nobody is this actor"],
  sees: ["write `true`", "nobody sees an event"],
};

function isWritten({ code }: Expression): boolean {
  return code.op === "literal";
}

/** Whether something is compared at least twice: else no case excludes another. */
function comparesTwice(code: Code): boolean {
  const seen = new Set<string>();
  const open = [code];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (one.op === "call" && ["&&", "||", "!"].includes(one.fn)) {
      open.push(...one.args);
      continue;
    }
    const path = pathOf(one) ?? atomOf(one)?.path;
    if (path === undefined) continue;
    if (seen.has(path)) return true;
    seen.add(path);
  }
  return false;
}

/** The outcome that all cases which the condition tells apart have in common. */
function outcomeOf(code: Code): boolean | undefined {
  const cases = comparesTwice(code) ? casesOf([code]) : undefined;
  if (cases === undefined) return undefined;
  let outcome: boolean | undefined;
  for (const given of assignments(cases)) {
    const held = holds(code, cases, given);
    if (outcome !== undefined && outcome !== held) return undefined;
    outcome = held;
  }
  return outcome;
}

function judge(c: RuleContext, condition: Expression, place: Place, item: ItemId): void {
  if (isWritten(condition) || meetsGap(condition.code)) return;
  const outcome = c.settled.get(condition) ?? outcomeOf(condition.code);
  if (outcome === undefined) return;
  const [always, never] = FOLLOWS[place];
  const at = { severity: "warning", at: c.places.get(condition) ?? item } as const;
  if (outcome) {
    report(c, {
      code: "always-true",
      ...at,
      message: `\`${condition.text}\` always holds: ${always}.`,
      hint: "Take it away, or compare with what can be otherwise.",
    });
  } else {
    report(c, {
      code: "never-true",
      ...at,
      message: `\`${condition.text}\` never holds: ${never}.`,
      hint: "Change the comparison: no value is so.",
    });
  }
}

/** Reports `always-true`, `never-true`. */
export const settled: Rule = (c) => {
  for (const { condition, place, at } of statedConditions(c)) judge(c, condition, place, at);
};
