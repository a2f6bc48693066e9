/**
 * Rule: what only steps write does not go to the ends of its type by what a client chooses, where
 * something is reckoned with it; nor past 64 bits in a field of such integers.
 */
import { type Code, everyPart, mayPass, type Type, withoutNull } from "../../expr/index.ts";
import { type Expression, hasNarrowIntegers, isNarrow, type Step } from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** Where a value is put: a field of a row, or a Given name of a shape or of named steps. */
interface Put {
  readonly value: Expression;
  readonly into: string;
  readonly isRead: (code: Code) => boolean;
  /** The text in which the name stands; the whole document for a field. */
  readonly within?: { readonly start: number; readonly end: number };
}

const inField =
  (resource: string, field: string) =>
  (code: Code): boolean =>
    code.op === "get" &&
    code.member === field &&
    code.of.type.kind === "row" &&
    code.of.type.resource === resource;

const byName =
  (name: string) =>
  (code: Code): boolean =>
    code.op === "name" && code.name === name;

function* putsOf(c: RuleContext, step: Step, resource: string): Generator<Put> {
  const field = (of: string, name: string, value: Expression): Put => ({
    value,
    into: `${of}.${name}`,
    isRead: inField(of, name),
  });
  if (step.kind === "set") yield field(resource, step.field, step.value);
  if (step.kind === "create") {
    for (const one of step.with) yield field(step.resource, one.name, one.value);
  }
  const shape = step.kind === "respond" && step.body.is === "shape with" ? step.body : undefined;
  const named = step.kind === "do" ? step.routine : shape?.shape;
  const given = step.kind === "do" ? step.with : (shape?.with ?? []);
  const owner =
    step.kind === "do"
      ? c.service.routines.find((one) => one.name === named)
      : c.shapes.get(named ?? "");
  const section = owner && c.sections.get(owner.id);
  if (section === undefined) return;
  for (const { name, value } of given) {
    yield { value, into: name, isRead: byName(name), within: section };
  }
}

/** A name that an expression reads, as `Put` names what it is put into. */
function* readIn(code: Code): Generator<string> {
  for (const part of everyPart(code)) {
    if (part.op === "name") yield part.name;
    if (part.op === "get" && part.of.type.kind === "row") {
      yield `${part.of.type.resource}.${part.member}`;
    }
  }
}

/** The expressions that read each name. */
function readersOf(c: RuleContext): ReadonlyMap<string, ReadonlySet<Expression>> {
  const readers = new Map<string, Set<Expression>>();
  for (const expression of c.places.keys()) {
    for (const name of readIn(expression.code)) {
      const some = readers.get(name) ?? new Set();
      readers.set(name, some.add(expression));
    }
  }
  return readers;
}

/** The text of an expression that may come to an end by what is put there. */
function pastOf(
  c: RuleContext,
  readers: Iterable<Expression>,
  { isRead, within }: Put,
  wide: Type,
): Expression | undefined {
  for (const expression of readers) {
    const place = c.places.get(expression);
    if (place === undefined) continue;
    if (within && (place.start < within.start || place.end > within.end)) continue;
    if (mayPass(expression.code, isRead, wide)) return expression;
  }
  return undefined;
}

function isPastNarrow(c: RuleContext, into: string, type: Type): boolean {
  const [resource = "", name = ""] = into.split(".");
  const field = c.resources.get(resource)?.fields.find((one) => one.name === name);
  if (field === undefined || !hasNarrowIntegers(field)) return false;
  if (type.kind !== "integer") return false;
  return !isNarrow(type.least ?? 0n) || !isNarrow(type.most ?? 0n);
}

/** Fields that a client gives are judged by their own rules. */
function isGiven(c: RuleContext, into: string): boolean {
  const [resource = "", name = ""] = into.split(".");
  const field = c.resources.get(resource)?.fields.find((one) => one.name === name);
  return field !== undefined && (field.create.is !== "no" || field.update.is !== "no");
}

/** Reports `overflow`. */
export const grown: Rule = (c) => {
  if (c.wide.size === 0) return;
  // A step that is not shown may be a guard.
  const hidden = new Set(c.steps.flatMap((at) => (at.step.kind === "gap" ? [at.owner.id] : [])));
  const readers = readersOf(c);
  for (const { step, owner, resource = "" } of c.steps) {
    if (hidden.has(owner.id)) continue;
    for (const put of putsOf(c, step, resource)) {
      const type = c.wide.get(put.value);
      if (type === undefined) continue;
      const bare = withoutNull(type);
      const isNarrowField = isPastNarrow(c, put.into, bare);
      const isJudged = isNarrowField || isGiven(c, put.into);
      const past = isJudged ? undefined : pastOf(c, readers.get(put.into) ?? [], put, bare);
      if (past === undefined && !isNarrowField) continue;
      report(c, {
        code: "overflow",
        severity: "error",
        at: c.places.get(put.value) ?? step.id,
        message: isNarrowField
          ? `This may have more than 64 bits, which \`${put.into}\` has.`
          : `This may be so large that \`${past?.text}\` comes to be past the bounds of its type.`,
        hint: "State a range where the value comes from: in the Rules of the input or field.",
      });
    }
  }
};
