/** Rule: secrets are not read or shown, and a view of a hidden field is pointed out. */
import type { Code } from "../../expr/index.ts";
import type { Field, Shape, ValueType } from "../../plan/index.ts";
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

/** Fields that a view takes over by name, with the place where it does. */
export function takenBy(shape: Shape): readonly (readonly [field: string, item: string])[] {
  const named =
    shape.taken === undefined || shape.taken.allBut
      ? []
      : shape.taken.fields.map((name) => [name, `${shape.id}/fields`] as const);
  const valued = shape.fields.flatMap((one) => {
    const name = one.value.is === "stated" ? fieldShown(one.value.value.code) : undefined;
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
              ? `Name it in a bullet \`- Fields: \`${name}\`\`: it is shown once, when it is made.`
              : "Take it out of the view: a secret is never shown.",
        });
      } else if (field.read.is === "no" && !resource.keptInside && !resource.fixed) {
        report(c, {
          code: "hidden-shown",
          severity: "note",
          at,
          message: `${what} is hidden (Read: no), and this view shows it.`,
          hint: "Fine where it is meant; else take it out of the view.",
        });
      }
    }
  }
};
