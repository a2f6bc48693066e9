/** Rule: a client can tell any two errors apart. */
import { references } from "../../expr/index.ts";
import { type Answer, type ErrorDefinition, isStated, type Shape } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** Members of `error` that a shape shows; undefined where some member is not known. */
function shownBy(shape: Shape | undefined): Set<string> | undefined {
  const found = new Set<string>();
  for (const field of shape?.fields ?? []) {
    if (field.value.is === "gap" || field.value.is === "free") return undefined;
    if (!isStated(field.value)) continue;
    for (const one of references(field.value.value.code).members) {
      if (one.of === "error") found.add(one.member);
      if (one.of.startsWith("given:")) return undefined;
    }
  }
  return found;
}

const statedOrKind = (answer: Answer<string | number>): unknown =>
  isStated(answer) ? answer.value : answer.is;

/** All that a client sees of an error; undefined where it is not known. */
function seen(error: ErrorDefinition, shown: ReadonlySet<string> | undefined): string | undefined {
  const parts = [
    error.status,
    error.body,
    ...error.headers.map((one) => one.value),
    ...error.columns.filter((one) => shown?.has(one.name) === true).map((one) => one.value),
  ];
  if (shown === undefined || shown.has("name")) return undefined;
  if (parts.some((one) => one.is === "gap" || one.is === "free")) return undefined;
  return JSON.stringify(parts.map(statedOrKind));
}

function shapesShown(c: RuleContext): Map<string, Set<string> | undefined> {
  return new Map([...c.shapes].map(([name, shape]) => [name, shownBy(shape)] as const));
}

/** An error with the status of a success: clients that look at the status take it for one. */
function judgeStatus(c: RuleContext, { id, name, status }: ErrorDefinition): void {
  if (!isStated(status) || status.value >= 300) return;
  report(c, {
    code: "error-status",
    severity: "warning",
    at: id,
    message: `\`${name}\` is an error, and its status ${status.value} says that all went well.`,
    hint: "Give it a status from 400 on, or answer with a Respond step where it is no error.",
  });
}

/** Reports `same-answer`, `error-status`. */
export const errorsAlike: Rule = (c) => {
  const shapes = shapesShown(c);
  const first = new Map<string, ErrorDefinition>();
  for (const error of c.service.errors) {
    judgeStatus(c, error);
    const shown = isStated(error.body) ? shapes.get(error.body.value) : new Set<string>();
    const key = seen(error, shown);
    if (key === undefined) continue;
    const before = first.get(key);
    if (before === undefined) {
      first.set(key, error);
      continue;
    }
    report(c, {
      code: "same-answer",
      severity: "warning",
      at: error.id,
      message:
        `No client can tell \`${error.name}\` from \`${before.name}\`: status and body are ` +
        "the same.",
      hint: "Show `error.name` or a column that differs in the body, or give it another status.",
      related: [{ span: c.origins.get(before.id) ?? { start: 0, end: 0 }, message: "the other" }],
    });
  }
};
