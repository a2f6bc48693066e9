/** Rule: nothing is refused behind a call that acts outside, unless the call can be undone. */
import { type Call, statedOf, type ValueType } from "../../plan/index.ts";
import { isHiddenField, type Rule, type RuleContext, report } from "./context.ts";

/** Whether it does something that stays done; where its undo is not shown, that is not known. */
function acts(call: Call): boolean {
  return statedOf(call.kind) === "effect" && call.undo.is === "none";
}

/** The resource of a reference that passes a call as the field which names its rows. */
function bare({ type }: ValueType): string | undefined {
  if (type.kind === "list" || type.kind === "map") return bare(type.of);
  return type.kind === "reference" && type.view === undefined ? type.resource : undefined;
}

/** Rows pass a call by the field that names them. */
function judgeRows(c: RuleContext): void {
  const unnamed = new Set(
    c.service.resources
      .filter((one) => one.key === undefined && !one.fields.some(isHiddenField))
      .map((one) => one.name),
  );
  for (const call of c.service.calls) {
    const all = [...call.given, ...call.says.flatMap((said) => said.data)];
    const found = all.find((one) => unnamed.has(bare(one.type) ?? ""));
    if (found === undefined) continue;
    report(c, {
      code: "wrong-type",
      severity: "error",
      at: call.id,
      message: `\`${found.name}\` is a row of \`${bare(found.type)}\`, which no field names.`,
      hint: "Give the resource a field of type `id` or with the rule `key`, or name a view: `as`.",
    });
  }
}

/** Reports `call-first`, `wrong-type`. */
export const calls: Rule = (c) => {
  judgeRows(c);
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
