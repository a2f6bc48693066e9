/** Rule: points out what the document leaves to the service. */
import type { Span } from "../../base/index.ts";
import type { Code } from "../../expr/index.ts";
import { fieldOfRow, type OrderKey, type Step, unlowered } from "../../plan/index.ts";
import { type CellNode, statusOf, unfolded } from "../../spec/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

function free(c: RuleContext, at: Span | string, message: string, hint: string): void {
  report(c, { code: "freedom", severity: "note", at, message, hint });
}

const EVERY_CHOICE = "Every choice conforms; state one where clients rely on it.";

/** What the author wrote as `free` or `in any order`. */
function written(c: RuleContext): void {
  for (const part of c.spec.parts) {
    for (const section of part.sections) {
      for (const one of section.bullets) if (one.status === "free") whole(c, one);
      for (const one of section.sentences) if (one.status === "free") whole(c, one);
      for (const table of section.tables) {
        for (const row of table.rows) for (const cell of row.cells) inCell(c, cell);
      }
    }
  }
}

function whole(c: RuleContext, at: Span): void {
  free(c, at, "This is free.", EVERY_CHOICE);
}

function inCell(c: RuleContext, cell: CellNode): void {
  if (statusOf(cell) === "free") whole(c, cell);
  for (const match of unfolded(cell).matches) {
    if (match.form === "order free") free(c, match, "The order of items is free.", EVERY_CHOICE);
  }
}

/** Whether the last keys of an order tell any two rows apart. */
function total(c: RuleContext, keys: readonly OrderKey[], resource: string | undefined): boolean {
  const found = c.resources.get(resource ?? "");
  return (
    found === undefined ||
    keys.some(({ by: { code } }) => {
      const name = fieldOfRow(code, "it");
      if (name === undefined) return false;
      const inLower = unlowered(name);
      const field = found.fields.find((one) => one.name === (inLower ?? name));
      const rules = field?.rules ?? [];
      const isUnique = rules.some(
        (rule) =>
          rule.kind === "unique" &&
          rule.within.length === 0 &&
          (inLower === undefined || rule.anyCase === true),
      );
      if (inLower !== undefined) return isUnique;
      return isUnique || name === found.key || rules.some(({ kind }) => kind === "counts up");
    })
  );
}

interface List {
  readonly resource?: string;
  /** Why its order is free; undefined where it is stated. */
  readonly why?: string;
}

/** The list whose size a condition bounds to at most one where it does not hold. */
function alone(step: Step): string | undefined {
  if (step.kind !== "when" || step.then[0]?.kind !== "gap") return undefined;
  const { code } = step.condition;
  const size = code.op === "call" && code.fn === ">" ? code.args[0] : undefined;
  const of = size?.op === "call" && size.fn === "size" ? size.args[0] : undefined;
  return of?.op === "name" ? of.name : undefined;
}

function sentCodes(step: Step): readonly Code[] {
  if (step.kind !== "respond") return [];
  const { body } = step;
  switch (body.is) {
    case "shape":
      return [body.of.code];
    case "shape with":
      return body.with.map((one) => one.value.code);
    case "text":
      return [body.value.code];
    case "value":
      return body.value.code.op === "map"
        ? body.value.code.entries.map((one) => one.value)
        : [body.value.code];
    case "none":
      return [];
  }
}

function follow(c: RuleContext, step: Step, lists: Map<string, List>): void {
  const none = "it has no Order step";
  if (step.kind === "let every") {
    lists.set(step.as, { resource: step.resource, why: none });
  } else if (step.kind === "let") {
    const { code } = step.value;
    if (code.op === "call" && code.fn === "distinct") lists.set(step.as, { why: none });
    else lists.delete(step.as);
  } else if (step.kind === "order") {
    const list = lists.get(step.list);
    const why = total(c, step.keys, list?.resource)
      ? undefined
      : "rows that are alike in every key of its Order step stay in a free order";
    lists.set(step.list, { ...list, why });
  } else if (step.kind === "page" || step.kind === "page after") {
    lists.set(step.as, lists.get(step.of) ?? {});
  } else {
    const name = alone(step);
    if (name !== undefined) lists.set(name, {});
  }
}

function lists(c: RuleContext): void {
  let owner = "";
  let known = new Map<string, List>();
  for (const { step, owner: at } of c.steps) {
    if (owner !== at.id) known = new Map();
    owner = at.id;
    follow(c, step, known);
    for (const code of sentCodes(step)) {
      const why = code.op === "name" ? known.get(code.name)?.why : undefined;
      if (code.op !== "name" || why === undefined) continue;
      free(
        c,
        step.id,
        `The order of \`${code.name}\` is free here: ${why}.`,
        `Write: Order \`${code.name}\` by ..., with a field as last key that no two rows share.`,
      );
    }
  }
}

/** Reports `freedom`. */
export const freedoms: Rule = (c) => {
  written(c);
  lists(c);
};
