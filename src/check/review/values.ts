/** Review: values without bounds, money that is rounded, lists without an end, nameless errors. */
import { references } from "../../expr/index.ts";
import {
  type Field,
  type Rule as FieldRule,
  type Input,
  isStated,
  type ValueType,
} from "../../plan/index.ts";
import { stepsOf } from "../rules/asked.ts";
import type { Rule, RuleContext } from "../rules/context.ts";
import { question, wordsOf } from "./common.ts";

const MONEY: ReadonlySet<string> = new Set([
  ...["price", "amount", "total", "subtotal", "balance", "fee", "cost", "tax", "salary", "money"],
]);

const isMoney = (name: string): boolean => MONEY.has(wordsOf(name).at(-1) ?? "");

interface Valued {
  readonly id: string;
  readonly name: string;
  readonly type: ValueType;
  readonly rules: readonly FieldRule[];
  /** Clients may give it. */
  readonly given: boolean;
  /** Only the size of a body bounds how much is given: addresses and headers have bounds. */
  readonly inBody: boolean;
}

const isGiven = ({ create, update }: Field): boolean =>
  [create, update].some(({ is }) =>
    ["required", "optional", "merged", "required when"].includes(is),
  );

function valuesOf({ service }: RuleContext): Valued[] {
  const fields = [...service.resources, ...service.partTypes].flatMap((one) => one.fields);
  const inputs = service.endpoints.flatMap((endpoint) =>
    endpoint.inputs.filter((one: Input) => one.id.startsWith(`${endpoint.id}/`)),
  );
  return [
    ...fields.map((field) => ({ ...field, given: isGiven(field), inBody: true })),
    ...inputs.map((input) => ({ ...input, given: true, inBody: input.in === "body" })),
  ];
}

/** A rule that leaves only so many values, or that judges a value in a way of its own. */
const BOUNDS: ReadonlySet<FieldRule["kind"]> = new Set<FieldRule["kind"]>([
  ...(["matches", "holds", "gap", "kept as"] as const),
]);

function isBounded(rules: readonly FieldRule[], kind: "characters" | "items"): boolean {
  return rules.some(
    (rule) => BOUNDS.has(rule.kind) || (rule.kind === kind && rule.max !== undefined),
  );
}

/** Whether only so many values can stand in a list without one standing there twice. */
function isSmallSet(type: ValueType["type"], rules: readonly FieldRule[]): boolean {
  const item = type.kind === "list" ? type.of.type.kind : undefined;
  const isFew = item === "one of" || item === "event name" || item === "boolean";
  return isFew && rules.some((rule) => rule.kind === "different items");
}

function bounds(c: RuleContext, { id, name, type: { type }, rules, given, inBody }: Valued): void {
  if (!given || !inBody) return;
  if (type.kind === "string" && !isBounded(rules, "characters")) {
    question(c, {
      code: "text-unbounded",
      at: id,
      message: `\`${name}\` may be a text of any length.`,
      hint: "Write the most characters, such as `at most 500 characters`.",
    });
  }
  if ((type.kind === "list" || type.kind === "map") && !isBounded(rules, "items")) {
    if (isSmallSet(type, rules)) return;
    question(c, {
      code: "list-unbounded",
      at: id,
      message: `\`${name}\` may have any number of items.`,
      hint: "Write the most items, such as `at most 50 items`.",
    });
  }
}

function money(c: RuleContext, { id, name, type: { type }, rules, given }: Valued): void {
  if (!isMoney(name)) return;
  if (type.kind === "number") {
    question(c, {
      code: "money-number",
      at: id,
      message: `\`${name}\` is binary floating point: 0.10 and 0.20 are not 0.30 then.`,
      hint: "Write `decimal 2`, or an integer of the smallest coin.",
    });
  }
  const isNumeric = type.kind === "integer" || type.kind === "decimal" || type.kind === "number";
  const hasLeast = rules.some(
    (rule) => BOUNDS.has(rule.kind) || (rule.kind === "range" && rule.min !== undefined),
  );
  if (!given || !isNumeric || hasLeast) return;
  question(c, {
    code: "money-negative",
    at: id,
    message: `\`${name}\` may be below zero when a client gives it.`,
    hint: "Write the least value, such as `at least 0`.",
  });
}

/** Answers with all rows of a list, however many there are. */
function wholeLists(c: RuleContext): void {
  for (const endpoint of c.service.endpoints) {
    const steps = stepsOf(c, endpoint);
    const lists = new Map(
      steps.flatMap((one) => (one.kind === "let every" ? [[one.as, one] as const] : [])),
    );
    for (const step of steps) {
      if (step.kind !== "respond" || step.body.is !== "shape") continue;
      const { of } = step.body;
      const list = of.code.op === "name" ? lists.get(of.code.name) : undefined;
      if (list === undefined || c.resources.get(list.resource)?.fixed === true) continue;
      question(c, {
        code: "list-whole",
        at: step.id,
        message: `Every \`${list.resource}\` that is found is sent, however many there will be.`,
        hint: "Take a page of it in a step: `from` an item, `at most` so many.",
      });
    }
  }
}

const NAMES: ReadonlySet<string> = new Set([
  ...["code", "name", "type", "kind", "error", "reason", "slug", "id"],
]);

/** Errors that programs can tell apart by their texts alone. */
function nameless(c: RuleContext): void {
  const seen = new Set<string>();
  for (const { body, status, id, name } of c.service.errors) {
    const shape = isStated(body) ? c.shapes.get(body.value) : undefined;
    if (shape === undefined || !isStated(status)) continue;
    const tells = shape.fields.some(
      ({ name: member, value }) =>
        NAMES.has(member.split(".").at(-1) ?? "") ||
        !isStated(value) ||
        references(value.value.code).members.some(
          (one) => one.of === "error" && NAMES.has(one.member),
        ),
    );
    const key = `${status.value} ${shape.name}`;
    if (tells || !seen.has(key)) {
      if (!tells) seen.add(key);
      continue;
    }
    question(c, {
      code: "error-nameless",
      at: id,
      message:
        `Programs can tell \`${name}\` from the other errors ${status.value} by its words alone, ` +
        "which change.",
      hint: `Show \`error.name\` in \`${shape.name}\`.`,
    });
  }
}

/** Patterns that fit where a part of the text fits. */
function patterns(c: RuleContext): void {
  for (const { step } of c.steps) {
    if (step.kind !== "require" && step.kind !== "when") continue;
    const { code } = step.condition;
    const parts = code.op === "call" ? [code, ...code.args] : [code];
    for (const part of parts) {
      if (part.op !== "call" || part.fn !== "matches") continue;
      const [, pattern] = part.args;
      if (pattern?.op !== "literal" || typeof pattern.value !== "string") continue;
      if (/^\^[^]*\$$/.test(pattern.value)) continue;
      question(c, {
        code: "pattern-loose",
        at: c.places.get(step.condition) ?? step.id,
        message: `\`${pattern.value}\` fits any text in which a part fits.`,
        hint: "Write `^` before and `$` behind it where the whole text is meant.",
      });
    }
  }
}

/** Changes that break callers though the version says that little changed. */
function versions(c: RuleContext): void {
  for (const { id, version, breaks, item } of c.service.versioning.changes) {
    const [, minor, patch] = /^v?\d+\.(\d+)(?:\.(\d+))?$/.exec(version) ?? [];
    const isSmall = Number(minor ?? 0) > 0 || Number(patch ?? 0) > 0;
    if (!isSmall || !isStated(breaks) || breaks.value !== "yes") continue;
    question(c, {
      code: "breaking-small",
      at: id,
      message: `\`${item}\` breaks callers, and \`${version}\` looks as if it did not.`,
      hint: "Clients that read versions as `major.minor.patch` expect a new major one.",
    });
  }
}

/** Reports `text-unbounded`, `list-...`, `money-...`, `error-nameless`, `pattern-loose` ... */
export const values: Rule = (c) => {
  const isSized = c.service.limits.some(({ counts }) => counts.is === "body bytes");
  for (const one of valuesOf(c)) {
    if (!isSized) bounds(c, one);
    money(c, one);
  }
  wholeLists(c);
  nameless(c);
  patterns(c);
  versions(c);
};
