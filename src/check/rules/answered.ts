/** Rule: a table of answers covers what the endpoint answers; blocks beside it are JSON. */
import { type Endpoint, type StatedAnswer, statusesOf } from "../../plan/index.ts";
import type { FenceNode } from "../../spec/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";
import { occurrencesOf } from "./occurs.ts";

/** The status of answers that meet a gap: no document states it. */
const GAP = 501;

function covers(answers: readonly StatedAnswer[], status: number): boolean {
  const family = `${Math.trunc(status / 100)}xx`;
  return answers.some((each) => [String(status), family, "any other"].includes(each.status));
}

function covered(c: RuleContext, endpoint: Endpoint): void {
  const { answers, steps } = endpoint;
  // Nothing is known of what is answered where the steps are a gap from the beginning.
  if (answers === undefined || steps[0]?.kind === "gap") return;
  const asked = occurrencesOf(c.service)(endpoint);
  const missing = statusesOf(c.service, endpoint, asked).filter(
    (status) => status !== GAP && !covers(answers, status),
  );
  if (missing.length === 0) return;
  const said = missing.map((status) => `\`${status}\``).join(", ");
  report(c, {
    code: "answer-not-listed",
    severity: "error",
    at: answers[0]?.id,
    message: `${endpoint.method} answers ${said}, which no row of its table of answers covers.`,
    hint: "Add a row for the status, for its class, or for `any other`.",
  });
}

function blockIsJson(c: RuleContext, { block, name, content }: FenceNode): void {
  const at = { start: content.start, end: content.end };
  try {
    const value: unknown = JSON.parse(content.text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (block === "openapi" && !isObject) {
      const message = "This block is no JSON object.";
      report(c, { code: "bad-block", severity: "error", at, message });
    }
  } catch (error) {
    const message = `This block is not JSON: ${(error as Error).message}.`;
    report(c, { code: "bad-block", severity: "error", at, message });
  }
  if (block === "answer example" && !/^[1-5]\d\d( |$)/.test(name.text)) {
    const message = `\`${name.text}\` does not begin with the status of the answer.`;
    const hint = "Write `json example 200`, and behind it the media type where it is another.";
    report(c, { code: "bad-block", severity: "error", at: name, message, hint });
  }
}

/** Tables of answers, and the blocks that stand beside them. */
export const answered: Rule = (c) => {
  for (const endpoint of c.service.endpoints) covered(c, endpoint);
  for (const part of c.spec.parts) {
    for (const { fences } of part.sections) {
      for (const fence of fences) {
        if (fence.block === "openapi" || fence.block === "answer example") blockIsJson(c, fence);
      }
    }
  }
};
