/** Tells of a resolved step whether it can end in a refusal; nested steps count. */
import type { Step } from "../../../plan/index.ts";

/** Whether a step can end in a refusal. */
export function canRefuse(step: Step): boolean {
  switch (step.kind) {
    case "require":
    case "refuse":
    case "do":
    case "fire":
    case "call":
    case "create":
    case "set":
    case "delete":
    case "delete every":
    case "check tag":
    case "may fire":
      return true;
    case "let one":
      return step.otherwise !== undefined;
    case "when":
      return [...step.then, ...(step.otherwise ?? [])].some(canRefuse);
    case "cases":
      return step.cases.some((one) => one.steps.some(canRefuse));
    case "for each":
    case "any order":
      return step.steps.some(canRefuse);
    default:
      return false;
  }
}
