/** Rule: a part can be made whole by who gives it; what is shown as itself shows something. */
import { endless } from "../../base/index.ts";
import type { Code, Type } from "../../expr/index.ts";
import {
  type Endpoint,
  type Field,
  fillsItself,
  isStated,
  type Part,
  type Resource,
  statedOf,
  type ValueType,
} from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** The name of the part, shape, view or resource that stands inside a type; undefined for none. */
function nameIn({ type }: ValueType): string | undefined {
  if (type.kind === "list" || type.kind === "map") return nameIn(type.of);
  if (type.kind === "structure") return type.name;
  return type.kind === "reference" ? type.view : undefined;
}

/** Names that are reached from the first ones, each once. */
function reached(first: Iterable<string>, next: (name: string) => Iterable<string>): Set<string> {
  const found = new Set<string>();
  const open = [...first];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...next(name));
  }
  return found;
}

const named = (fields: readonly Field[]): string[] =>
  fields.flatMap((field) => nameIn(field.type) ?? []);

/** The part that a value of the type cannot be without. */
function needed({ type, orNull, orAbsent }: ValueType): string | undefined {
  return type.kind === "structure" && !orNull && !orAbsent ? type.name : undefined;
}

/** Cycles are told of at most so many times: finding each takes time of its own. */
const CYCLES_MAX = 50;

function judgeEndless(c: RuleContext): void {
  const inside = new Map(
    [...c.parts].map(([name, { fields }]) => {
      return [name, fields.flatMap((field) => needed(field.type) ?? [])] as const;
    }),
  );
  const suspects = endless(inside);
  const all = [...c.parts.values()].filter(({ name }) => suspects.has(name));
  for (const { name, fields } of all.slice(0, CYCLES_MAX)) {
    const field = fields.find((one) => {
      const first = needed(one.type);
      return first !== undefined && reached([first], (part) => inside.get(part) ?? []).has(name);
    });
    if (field === undefined) continue;
    report(c, {
      code: "endless-part",
      severity: "error",
      at: field.id,
      message: `Every \`${name}\` must hold a \`${name}\`: none has an end.`,
      hint: "Write `or absent` or `or null` behind the type, or `list of` before it.",
    });
  }
}

function* bodyTypes({ body, inputs }: Endpoint): Generator<ValueType> {
  for (const input of inputs) if (input.in === "body") yield input.type;
  const content = statedOf(body)?.content;
  if (content?.is === "type") yield content.type;
}

/** Parts that clients give, with what they may give of rows. */
function givenParts(c: RuleContext): Set<string> {
  const first = c.service.endpoints.flatMap((endpoint) => {
    const { body } = endpoint;
    const types = [...bodyTypes(endpoint)].flatMap((type) => nameIn(type) ?? []);
    if (!isStated(body) || body.value.content.is === "type") return types;
    const { resource, is } = body.value.content;
    const fields = c.resources.get(resource)?.fields ?? [];
    const kind = is === "new" ? "create" : "update";
    return [...types, ...named(fields.filter((field) => field[kind].is !== "no"))];
  });
  return reached(first, (name) =>
    named((c.parts.get(name)?.fields ?? []).filter((field) => field.create.is !== "no")),
  );
}

function judgeGiven(c: RuleContext, part: Part): void {
  for (const field of part.fields) {
    const isMade = field.create.is !== "no" || field.type.orAbsent || fillsItself(field);
    const isGap = field.gap !== undefined || field.rules.some((rule) => rule.kind === "gap");
    if (isMade || isGap || c.gaps.has(`${field.id}/gap starts`)) continue;
    report(c, {
      code: "not-filled",
      severity: "error",
      at: field.id,
      message: `A \`${part.name}\` that a client gives gets no value for \`${field.name}\`.`,
      hint: "Let a client give it (Create), fill it (`starts`, `set to`), or write `or absent`.",
    });
  }
}

function shownBy(code: Code): string[] {
  const part = (type: Type): string[] => {
    if (type.kind === "nullable" || type.kind === "list" || type.kind === "map") {
      return part(type.of);
    }
    return type.kind === "object" ? [type.name.replace(/^part:/, "")] : [];
  };
  return part(code.type);
}

/** Resources, parts and views that some answer or event shows. */
function shownNames(c: RuleContext): Set<string> {
  const answers = c.steps.flatMap(({ step }) => {
    if (step.kind !== "respond") return [];
    if (step.body.is === "value") return shownBy(step.body.value.code);
    return step.body.is === "shape" || step.body.is === "shape with" ? [step.body.shape] : [];
  });
  const events = c.service.events.flatMap(({ data }) => (isStated(data) ? [data.value.shape] : []));
  return reached([...answers, ...events], (name) => {
    const shape = c.shapes.get(name);
    const own = (shape?.fields ?? []).flatMap((field) => nameIn(field.type) ?? []);
    const fields = (c.resources.get(name) ?? c.parts.get(name))?.fields ?? [];
    const taken = c.resources
      .get(shape?.viewOf ?? "")
      ?.fields.filter((field) => shape?.taken?.fields.includes(field.name));
    return [...own, ...named(fields.filter(isRead)), ...named(taken ?? [])];
  });
}

const isRead = (field: Field): boolean => field.read.is !== "no";

function judgeShown(c: RuleContext, { id, name, fields }: Part | Resource): void {
  if (fields.length === 0 || fields.some(isRead)) return;
  const table = c.sections.get(id)?.tables.find((one) => one.table === "fields");
  const hasColumn = table?.columns.some((column) => column.title === "Read") === true;
  report(c, {
    code: "shows-nothing",
    severity: hasColumn ? "warning" : "error",
    at: id,
    message: hasColumn
      ? `\`${name}\` is shown, and Read says \`no\` for each of its fields: what is sent is \`{}\`.`
      : `\`${name}\` is shown, and its table has no Read column: what is sent is \`{}\`.`,
    hint: "Say under Read who is shown each field, or show a view or a shape.",
  });
}

/** Reports `endless-part`, `not-filled`, `shows-nothing`. */
export const parts: Rule = (c) => {
  judgeEndless(c);
  const given = givenParts(c);
  for (const part of c.service.partTypes) if (given.has(part.name)) judgeGiven(c, part);
  const shown = shownNames(c);
  for (const one of [...c.service.resources, ...c.service.partTypes]) {
    if (shown.has(one.name)) judgeShown(c, one);
  }
};
