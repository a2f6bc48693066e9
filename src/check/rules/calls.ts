/** Rule: nothing is refused behind a call that acts outside, unless the call can be undone. */
import type { Call } from "../../model/index.ts";
import { report, type Rule } from "./context.ts";

function acts(call: Call): boolean {
  return call.kind.is === "stated" && call.kind.value === "effect" && call.undo.is !== "stated";
}

/** Reports `call-first`. */
export const calls: Rule = (c) => {
  const acting = new Map(c.service.calls.filter(acts).map((one) => [one.name, one] as const));
  let owner: string | undefined;
  let called: string | undefined;
  const checked = new Set<string>();
  for (const { step, owner: at } of c.steps) {
    if (owner !== at.id) {
      owner = at.id;
      called = undefined;
      checked.clear();
    }
    if (step.kind === "may fire") checked.add(`${step.on} ${step.transition}`);
    if (step.kind === "call" && acting.has(step.call)) called = step.call;
    if (called === undefined) continue;
    const refused =
      step.kind === "fire" && !step.transitions.every((one) => checked.has(`${step.on} ${one}`));
    if (!refused && step.kind !== "may fire") continue;
    report(c, {
      code: "call-first",
      severity: "warning",
      at: step.id,
      message: `\`${called}\` has acted when this step can still refuse the request.`,
      hint: "Write `Require that ... may ...` before the call, or state an `Undo` for it.",
    });
    called = undefined;
  }
};
