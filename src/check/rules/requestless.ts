/** Rule: what is sent where no request is does not read one. */
import { freeNames } from "../../expr/index.ts";
import {
  type ItemId,
  isStated,
  type ShapeField,
  statedOf,
  type ValueType,
} from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

const GIVEN = ["query", "header", "cookie"];

/** The part, shape, view or resource whose members stand inside a type. */
function nameIn({ type }: ValueType): string | undefined {
  if (type.kind === "list" || type.kind === "map") return nameIn(type.of);
  if (type.kind === "structure") return type.name;
  return type.kind === "reference" ? type.view : undefined;
}

function readIn({ value }: ShapeField): string | undefined {
  const stated = statedOf(value);
  const free = stated === undefined ? undefined : freeNames(stated.code);
  return GIVEN.find((name) => free?.has(name));
}

/** The first member below a shape that reads the request. */
function readerBelow(
  c: RuleContext,
  name: string,
  seen: Set<string>,
): { readonly shape: string; readonly name: string; readonly reads: string } | undefined {
  if (seen.has(name)) return undefined;
  seen.add(name);
  const shape = c.shapes.get(name);
  for (const field of shape?.fields ?? []) {
    const reads = readIn(field);
    if (reads !== undefined) return { shape: name, name: field.name, reads };
  }
  const taken = c.resources.get(shape?.viewOf ?? name)?.fields ?? c.parts.get(name)?.fields ?? [];
  for (const { type } of [...(shape?.fields ?? []), ...taken]) {
    const inner = nameIn(type);
    const found = inner === undefined ? undefined : readerBelow(c, inner, seen);
    if (found !== undefined) return found;
  }
  return undefined;
}

function judge(c: RuleContext, at: ItemId, name: string, where: string): void {
  const found = readerBelow(c, name, new Set());
  if (found === undefined) return;
  report(c, {
    code: "no-request",
    severity: "error",
    at,
    message: `\`${found.shape}\` reads \`${found.reads}\` for \`${found.name}\`, and ${where}.`,
    hint: "Show a view that reads the row alone.",
  });
}

/** Reports `no-request`. */
export const requestless: Rule = (c) => {
  for (const { id, data } of c.service.events) {
    if (isStated(data)) judge(c, id, data.value.shape, "an event is no answer to a request");
  }
  for (const { id, given } of c.service.calls) {
    for (const { type } of given) {
      const name = nameIn(type);
      if (name !== undefined) judge(c, id, name, "code behind a call is given no request");
    }
  }
};
