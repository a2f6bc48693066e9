/** Rule: every error of the table is sent by something. */
import { type Rule, type RuleContext, report } from "./context.ts";

/** Names of errors in refusals and failure rows, anywhere below a value. */
function collect(value: unknown, into: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  const { is, error, op } = value as { is?: unknown; error?: unknown; op?: unknown };
  if (op !== undefined) return;
  if (is === "error" && typeof error === "string") into.add(error);
  for (const inner of Object.values(value)) collect(inner, into);
}

/** Names of all errors that something below a value sends. */
export function errorsIn(value: unknown): Set<string> {
  const into = new Set<string>();
  collect(value, into);
  return into;
}

function used(c: RuleContext): Set<string> {
  const { errors: _errors, shapes: _shapes, ...rest } = c.service;
  return errorsIn(rest);
}

/** Reports `never-sent`. */
export const sent: Rule = (c) => {
  if (c.service.endpoints.length === 0) return;
  const names = used(c);
  for (const error of c.service.errors) {
    if (names.has(error.name)) continue;
    report(c, {
      code: "never-sent",
      severity: "warning",
      at: error.id,
      message: `Nothing ever sends the error \`${error.name}\`.`,
      hint: "Name it behind an `else`, in the failure table or at a limit, or take its row away.",
    });
  }
};
