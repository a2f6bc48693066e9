/** Resolves the sentences that find, name, order and page rows. */
import {
  type Code,
  formatWithArticle,
  isAssignable,
  type Type,
  withoutNull,
} from "../../../expr/index.ts";
import type { TextSlot } from "../../../spec/index.ts";
import { resolve, UNKNOWN, withNames } from "../names/expression.ts";
import { orderKeys } from "../names/ordering.ts";
import { report, unknownName } from "../names/resolver.ts";
import { type At, hiddenStep, resourceOf, rowType, slot, tail, text, withIt } from "./at.ts";
import { conditionIn } from "./conditions.ts";
import { named, type Stepped } from "./flow.ts";

/** Resolves `Let x be the R where`: null may be the outcome where no error stands for it. */
export function letOne(at: At): Stepped {
  const resource = slot(at, "resource");
  const as = text(at, "as");
  if (!resourceOf(at, resource)) return { flow: named(at.flow, as, UNKNOWN) };
  const condition = conditionIn(at.r, at.match.slots.where, withIt(at, resource.text));
  const otherwise = tail(at);
  const row = rowType(resource.text);
  return {
    step: {
      id: at.id,
      kind: "let one",
      as,
      resource: resource.text,
      where: condition.expression,
      ...(otherwise === undefined ? {} : { otherwise }),
    },
    flow: named(at.flow, as, otherwise === undefined ? { kind: "nullable", of: row } : row),
  };
}

/** Resolves `Let x be every R`, with or without a condition. */
export function letEvery(at: At): Stepped {
  const resource = slot(at, "resource");
  const as = text(at, "as");
  if (!resourceOf(at, resource)) return { flow: named(at.flow, as, UNKNOWN) };
  const where = at.match.slots.where;
  const condition =
    where === undefined ? undefined : conditionIn(at.r, where, withIt(at, resource.text));
  return {
    step: {
      id: at.id,
      kind: "let every",
      as,
      resource: resource.text,
      ...(condition === undefined ? {} : { where: condition.expression }),
    },
    flow: named(at.flow, as, { kind: "list", of: rowType(resource.text) }),
  };
}

/** The element type of the list that a name holds. */
function listNamed(at: At, name: TextSlot): Type {
  const type = at.flow.view.names.get(name.text);
  if (type === undefined) unknownName(at.r, name, "list", at.flow.view.names.keys());
  else if (type.kind === "list") return type.of;
  else if (type.kind !== "unknown") {
    report(at.r, "wrong-type", name, { message: `\`${name.text}\` is no list.` });
  }
  return UNKNOWN;
}

/** Resolves `Let x be the different values of`: a `let` with an expression made of both names. */
export function letDifferent(at: At): Stepped {
  const list = slot(at, "list");
  const hidden = hiddenStep(at, list);
  if (hidden !== undefined) return hidden;
  const field = slot(at, "field");
  const element = listNamed(at, list);
  const resource = element.kind === "row" ? element.resource : "";
  const member = at.r.objects.get(`row:${resource}`)?.get(field.text);
  if (element.kind === "row" && member === undefined) {
    unknownName(
      at.r,
      field,
      `field of \`${resource}\``,
      at.r.objects.get(`row:${resource}`)?.keys() ?? [],
    );
  }
  const nested = member?.type.kind === "list";
  const spelled =
    `distinct(${nested ? "flatten(" : ""}${list.text}.map(x, x.${field.text})` +
    `${nested ? ")" : ""})`;
  const made: TextSlot = { kind: "text", text: spelled, start: list.start, end: list.end };
  const value = member === undefined ? undefined : resolve(at.r, made, at.flow.view);
  const as = text(at, "as");
  if (value === undefined) return { flow: named(at.flow, as, UNKNOWN) };
  return {
    step: { id: at.id, kind: "let", as, value: value.expression, order: "free" },
    flow: named(at.flow, as, value.type),
  };
}

/** Resolves `Let x be e`. */
export function letValue(at: At): Stepped {
  const { expression, type } = resolve(at.r, slot(at, "value"), at.flow.view);
  const as = text(at, "as");
  return {
    step: { id: at.id, kind: "let", as, value: expression },
    flow: named(at.flow, as, type),
  };
}

/** Resolves `Order list by`: the keys see `it`, an element. */
export function order(at: At): Stepped {
  const list = slot(at, "list");
  const hidden = hiddenStep(at, list);
  if (hidden !== undefined) return hidden;
  const element = listNamed(at, list);
  const view = withNames(at.flow.view, [["it", element]]);
  const made = orderKeys(at.r, at.match.slots.keys, view);
  return { step: { id: at.id, kind: "order", list: list.text, keys: made }, flow: at.flow };
}

/** The least value that a number can have, where that is known. */
function leastOf(type: Type, code: Code): bigint | undefined {
  if (code.op === "literal" && typeof code.value === "string") return BigInt(code.value);
  return type.kind === "integer" ? type.least : undefined;
}

/** The row behind or before which a page is, or its key. */
function cursorOf(at: At, written: TextSlot, list: TextSlot, element: Type) {
  const { expression, type } = resolve(at.r, written, at.flow.view);
  const found = withoutNull(type);
  if (element.kind === "unknown" || found.kind === "unknown") return expression;
  const resource = element.kind === "row" ? element.resource : "";
  const key = at.r.keys.get(resource);
  const keyType = at.r.objects.get(`row:${resource}`)?.get(key ?? "")?.type;
  if (resource === "") {
    report(at.r, "wrong-type", list, {
      message: `\`${list.text}\` is no list of rows.`,
      hint: "A list of other values is cut by `from`, or by `slice`.",
    });
  } else if (found.kind !== "null" && !isAssignable(found, element)) {
    if (keyType !== undefined && isAssignable(found, keyType)) return expression;
    const given = formatWithArticle(found);
    const other = keyType === undefined ? "" : ` or its \`${key}\`, ${formatWithArticle(keyType)},`;
    report(at.r, "wrong-type", written, {
      message: `A row of \`${resource}\`${other} is wanted here; this is ${given}.`,
    });
  }
  return expression;
}

/** Resolves the forms of pages: from an offset, after a row and before one. */
export function page(at: At): Stepped {
  const list = slot(at, "list");
  const hidden = hiddenStep(at, list);
  if (hidden !== undefined) return hidden;
  const element = listNamed(at, list);
  const as = text(at, "as");
  const number = (name: string) => {
    const written = slot(at, name);
    const { expression, type } = resolve(at.r, written, at.flow.view, { kind: "integer" });
    if (type.kind === "integer" && (leastOf(type, expression.code) ?? -1n) < 0n) {
      report(at.r, "unguarded", written, {
        message: "This may be below zero: no page begins there, or has so many items.",
        hint: "Write `at least 0` or more at the input, or take a value that is never below zero.",
      });
    }
    return expression;
  };
  const flow = named(at.flow, as, { kind: "list", of: element });
  const common = { id: at.id, as, of: list.text, atMost: number("most") };
  if (at.match.form === "page") {
    return { step: { ...common, kind: "page", from: number("from") }, flow };
  }
  const backward = at.match.form === "page before";
  const after = cursorOf(at, slot(at, backward ? "before" : "after"), list, element);
  const otherwise = tail(at) ?? { is: "gap", gap: at.id };
  const step = { ...common, kind: "page after", after, otherwise } as const;
  return { step: backward ? { ...step, backward } : step, flow };
}
