/** Reads numbered steps with what is nested below them. */

import { contentName } from "../../base/index.ts";
import { conditions } from "../../language/index.ts";
import type { CaseNode, Match, StepNode } from "../../spec/index.ts";
import type { Block, Bullet, Step } from "../blocks/index.ts";
import { compileForms, matchForms, noForm, type Stretch, stepForms } from "../forms/index.ts";
import { checksIn } from "./checks.ts";
import { type Context, itemId, part, report, sourceOf, stretchOf, wordsOf } from "./context.ts";

/** Shared by the many steps that have nothing nested below them. */
const NONE: readonly never[] = [];

/** Forms that take nested steps. */
const BLOCKS = new Set(["when block", "otherwise block", "for each", "any order"]);

const conditionForms = compileForms([
  ...conditions,
  { id: "code", form: "{expr:expr}", means: "An expression.", example: "`it.open`" },
]);

/** The stretch without its full stop; reports where there is neither a full stop nor a colon. */
function withoutStop(context: Context, stretch: Stretch): Stretch {
  const last = stretch.tokens.at(-1);
  if (last?.kind === "mark" && last.text === ".")
    return part(stretch, 0, stretch.tokens.length - 1);
  if (last?.kind !== "mark" || last.text !== ":") {
    report(
      context,
      "step-end",
      { start: stretch.end, end: stretch.end },
      { message: "A step ends with a full stop, or with a colon where steps are nested below it." },
    );
  }
  return stretch;
}

function readStepText(context: Context, stretch: Stretch): Match | undefined {
  const forms = stepForms();
  const attempt = matchForms(stretch, forms);
  if (attempt.match === undefined) {
    context.findings.push(noForm(stretch, attempt, "step", forms));
  }
  return attempt.match;
}

/** `not shown` in place of the step of a case. */
function gapOfCase({ tokens, start, end }: Stretch, head: Stretch): Match | undefined {
  const [first, second] = tokens;
  if (tokens.length !== 2 || first?.text !== "not" || second?.text !== "shown") return undefined;
  const text = `what happens in the case ${wordsOf(head)}`;
  return { form: "gap", slots: { subject: { kind: "text", text, start, end } }, start, end };
}

function readCase(context: Context, bullet: Bullet, owner: string): CaseNode | undefined {
  const stretch = stretchOf(context, bullet.inline);
  const colon = stretch.tokens.findIndex((token) => token.kind === "mark" && token.text === ":");
  const head = stretch.tokens.slice(0, Math.max(0, colon));
  const other = head.length === 2 && head[0]?.text === "any" && head[1]?.text === "other";
  const fits =
    head.every((token, i) => (i % 2 === 0 ? token.kind === "code" : token.text === ",")) &&
    head.length % 2 === 1;
  if (!other && !fits) {
    report(context, "unknown-case", bullet.inline, {
      message: "A case is `- `value`, `value`: step.` or `- any other: step.`",
    });
    return undefined;
  }
  const id = itemId(context, owner, `case ${contentName(sourceOf(part(stretch, 0, colon)))}`);
  const then = withoutStop(context, part(stretch, colon + 1));
  const match = gapOfCase(then, part(stretch, 0, colon)) ?? readStepText(context, then);
  const children = readSteps(context, bullet.children, id);
  if (match === undefined) return undefined;
  const values = other
    ? []
    : head
        .filter((token) => token.kind === "code")
        .map((token) => ({
          kind: "text" as const,
          text: token.text,
          start: token.start + 1,
          end: token.end - 1,
        }));
  const span = { start: bullet.start, end: stretch.end };
  return {
    id,
    values,
    step: { id, match, ...span, children, cases: NONE, conditions: NONE },
    ...span,
  };
}

interface Nested {
  readonly steps: readonly Step[];
  readonly bullets: readonly Bullet[];
}

function nestedOf(context: Context, blocks: readonly Block[]): Nested {
  const steps: Step[] = [];
  const bullets: Bullet[] = [];
  for (const block of blocks) {
    if (block.kind === "step") steps.push(block);
    else if (block.kind === "bullet") bullets.push(block);
    else if (block.kind !== "quote" && block.kind !== "html" && block.kind !== "other") {
      report(context, "nested-statement", block, {
        message: `A ${block.kind} can't be nested below a step.`,
      });
    }
  }
  return { steps, bullets };
}

function checkNesting(context: Context, form: string, step: Step, nested: Nested): void {
  const takesSteps = BLOCKS.has(form);
  const takesBullets = form === "by" || form === "let every all";
  const stray = takesSteps
    ? nested.bullets[0]
    : takesBullets
      ? nested.steps[0]
      : (nested.steps[0] ?? nested.bullets[0]);
  if (stray !== undefined) {
    report(context, "nested-statement", stray.inline, {
      message: takesSteps
        ? "Below this step stand numbered steps, no bullets."
        : takesBullets
          ? "Below this step stand bullets, no numbered steps."
          : "Nothing may be nested below this step.",
    });
  }
  const empty =
    (takesSteps && nested.steps.length === 0) || (takesBullets && nested.bullets.length === 0);
  if (empty) {
    report(context, "empty-block", step.inline, {
      message: "Nothing is nested below this step.",
      hint: takesSteps
        ? "Write numbered steps below it, indented by three spaces."
        : "Write bullets below it, indented by three spaces.",
    });
  }
}

function readStep(context: Context, step: Step, owner: string): StepNode | undefined {
  const stretch = stretchOf(context, step.inline);
  const id = itemId(context, owner, `step ${contentName(sourceOf(stretch))}`);
  const match = readStepText(context, withoutStop(context, stretch));
  const nested = nestedOf(context, step.children);
  if (match !== undefined) checkNesting(context, match.form, step, nested);
  const children =
    nested.steps.length === 0
      ? NONE
      : nested.steps.flatMap((child) => readStep(context, child, id) ?? NONE);
  const cases =
    match?.form === "by"
      ? nested.bullets.flatMap((bullet) => readCase(context, bullet, id) ?? [])
      : NONE;
  const all =
    match?.form === "let every all"
      ? nested.bullets.flatMap((bullet) => readCondition(context, bullet) ?? [])
      : NONE;
  if (match === undefined) return undefined;
  return {
    id,
    match,
    children,
    cases,
    conditions: all,
    start: step.inline.start,
    end: step.inline.end,
  };
}

/** Reads a sentence of several checks: a step for each, all in the place of the sentence. */
function readChecks(context: Context, step: Step, owner: string): StepNode[] {
  const written = stretchOf(context, step.inline);
  const checks = checksIn(written);
  if (checks.length < 2 || step.children.length > 0) return [];
  const last = checks.at(-1) as Stretch;
  const whole = [...checks.slice(0, -1), withoutStop(context, last)];
  return whole.flatMap((stretch): StepNode[] => {
    const match = readStepText(context, stretch);
    if (match === undefined) return [];
    const words = stretch.tokens.map(({ text }) => text).join(" ");
    const id = itemId(context, owner, `step ${contentName(`${words}.`)}`);
    const { start, end } = step.inline;
    return [{ id, match, children: NONE, cases: NONE, conditions: NONE, start, end }];
  });
}

function readCondition(context: Context, bullet: Bullet): Match | undefined {
  const stretch = stretchOf(context, bullet.inline);
  const attempt = matchForms(stretch, conditionForms);
  if (attempt.match === undefined) {
    context.findings.push(noForm(stretch, attempt, "condition", conditionForms));
  }
  return attempt.match;
}

/** Reads the steps among `blocks`; each is named by its words behind its owner's name. */
export function readSteps(context: Context, blocks: readonly Block[], owner: string): StepNode[] {
  const nodes: StepNode[] = [];
  for (const step of blocks) {
    if (step.kind !== "step") continue;
    // Many begin with the same word: an `Otherwise` is known by the step that it belongs to.
    const isOther = stretchOf(context, step.inline).tokens[0]?.text === "Otherwise";
    const checks = readChecks(context, step, owner);
    nodes.push(...checks);
    if (checks.length > 0) continue;
    const node = readStep(context, step, (isOther ? nodes.at(-1)?.id : undefined) ?? owner);
    if (node !== undefined) nodes.push(node);
  }
  return nodes;
}
