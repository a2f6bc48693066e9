/** Rule: secrets are not read or shown, and a view of a hidden field is pointed out. */
import type { Code } from "../../expr/index.ts";
import { type Field, isStated, type Part, type Shape, type ValueType } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** The field of `it` that a value is, and nothing else. */
export function fieldShown(code: Code): string | undefined {
  return code.op === "get" && code.of.op === "name" && code.of.name === "it"
    ? code.member
    : undefined;
}

function isSecret(type: ValueType): boolean {
  const { type: base } = type;
  if (base.kind === "list" || base.kind === "map") return isSecret(base.of);
  return base.kind === "secret";
}

function judgeRead(c: RuleContext, owner: string, field: Field): void {
  if (!isSecret(field.type) || (field.read.is !== "yes" && field.read.is !== "actors")) return;
  report(c, {
    code: "secret-shown",
    severity: "error",
    at: field.id,
    message: `\`${owner}.${field.name}\` is a secret, and Read says that it is shown.`,
    hint: "Write `no` or `on create` under Read.",
  });
}

/** A member of a part, at any depth below `it`, that a value is and nothing else. */
function partFieldShown(
  c: RuleContext,
  code: Code,
): { readonly part: Part; readonly field: Field } | undefined {
  if (code.op !== "get" || code.of.type.kind !== "object") return undefined;
  const below = code.of.op === "get" ? code.of : undefined;
  const isOwn =
    below !== undefined &&
    (fieldShown(below) !== undefined || partFieldShown(c, below) !== undefined);
  const { name } = code.of.type;
  const part = name.startsWith("part:") ? c.parts.get(name.slice("part:".length)) : undefined;
  const field = part?.fields.find((one) => one.name === code.member);
  return isOwn && part !== undefined && field !== undefined ? { part, field } : undefined;
}

/** Members of parts that a view shows by a value of its own, with the place where it does. */
export function membersShown(c: RuleContext, shape: Shape) {
  return shape.fields.flatMap((one) => {
    const found = isStated(one.value) ? partFieldShown(c, one.value.value.code) : undefined;
    return found === undefined ? [] : [{ ...found, at: one.id }];
  });
}

/** Members of parts that are hidden, and that a view shows. */
function judgeMembers(c: RuleContext, shape: Shape): void {
  for (const { part, field, at } of membersShown(c, shape)) {
    if (field.read.is !== "no" || isSecret(field.type)) continue;
    hiddenShown(c, `\`${part.name}.${field.name}\``, at);
  }
}

function hiddenShown(c: RuleContext, what: string, at: string): void {
  report(c, {
    code: "hidden-shown",
    severity: "note",
    at,
    message: `${what} is hidden (Read: no), and this view shows it.`,
    hint: "Fine where it is meant; else take it out of the view.",
  });
}

/** Fields that a view takes over by name, with the place where it does. */
export function takenBy(shape: Shape): readonly (readonly [field: string, item: string])[] {
  const named =
    shape.taken === undefined || shape.taken.allBut
      ? []
      : shape.taken.fields.map((name) => [name, `${shape.id}/fields`] as const);
  const valued = shape.fields.flatMap((one) => {
    const name = isStated(one.value) ? fieldShown(one.value.value.code) : undefined;
    return name === undefined ? [] : [[name, one.id] as const];
  });
  return [...named, ...valued];
}

/** Reports `secret-shown`, `hidden-shown`. */
export const shown: Rule = (c) => {
  for (const owner of [...c.service.resources, ...c.service.partTypes]) {
    for (const field of owner.fields) judgeRead(c, owner.name, field);
  }
  for (const shape of c.service.shapes) {
    const resource = c.resources.get(shape.viewOf ?? "");
    if (resource === undefined) continue;
    const fields = new Map(resource.fields.map((field) => [field.name, field]));
    for (const [name, at] of takenBy(shape)) {
      const field = fields.get(name);
      if (field === undefined) continue;
      const what = `\`${resource.name}.${name}\``;
      const once = ["on create", "gap"].includes(field.read.is) && at === `${shape.id}/fields`;
      if (isSecret(field.type) && !once) {
        report(c, {
          code: "secret-shown",
          severity: "error",
          at,
          message: `${what} is a secret, and this view shows it.`,
          hint:
            field.read.is === "on create"
              ? `Name \`${name}\` in a Fields bullet: it is shown once, when it is made.`
              : "Take it out of the view: a secret is never shown.",
        });
      } else if (field.read.is === "no" && !resource.keptInside && !resource.fixed) {
        hiddenShown(c, what, at);
      }
    }
    judgeMembers(c, shape);
  }
};
