/** Rule: every name that the document gives to something of its own is used somewhere in it. */
import { never } from "../../base/index.ts";
import { references } from "../../expr/index.ts";
import {
  type Field,
  gapOf,
  type ItemId,
  isScalar,
  isStated,
  type Step,
  type ValueType,
} from "../../plan/index.ts";
import { type Rule, type RuleContext, report } from "./context.ts";

/** What can be named and does nothing by itself, with where such a name is used. */
const KINDS = {
  setting: "Read it in an expression as `setting.NAME`, or take the bullet away.",
  part: "Name it in a Type column or under Body, or take the heading away.",
  view: "Name it in a Respond step or in a Type column, or take the heading away.",
  shape: "Name it where a body or data are sent, or take the heading away.",
  call: "Write a step such as: Call `NAME` with ... Or take the heading away.",
  value: "Use it in an expression as `NAME(...)`, or take the heading away.",
  steps: "Write a step such as: Do `NAME` with ... Or take the heading away.",
  actor: "Name it under Who or in a Read column, or take its row away.",
} as const satisfies Readonly<Record<string, string>>;

type Kind = keyof typeof KINDS;

/** The names that are used, by kind; parts, views and shapes share theirs. */
class Used {
  readonly #names = new Set<string>();
  /** Kinds of which a gap may hide a use. */
  readonly #hidden = new Set<Kind>();

  add(kind: Kind, ...names: readonly string[]): void {
    for (const name of names) this.#names.add(`${kind} ${name}`);
  }

  /** Parts, views and shapes by their names alone. */
  body(...names: readonly string[]): void {
    for (const kind of BODIES) this.add(kind, ...names);
  }

  hide(...kinds: readonly Kind[]): void {
    for (const kind of kinds) this.#hidden.add(kind);
  }

  has(kind: Kind, name: string): boolean {
    return this.#hidden.has(kind) || this.#names.has(`${kind} ${name}`);
  }

  /** What a type names; `inside` its own table a name does not count. */
  type({ type, gap }: ValueType, inside?: string): void {
    if (gap !== undefined) this.hide(...BODIES);
    if (isScalar(type)) return;
    switch (type.kind) {
      case "list":
      case "map":
        return this.type(type.of, inside);
      case "structure":
        if (type.name !== inside) this.body(type.name);
        return;
      case "reference":
        if (type.view !== undefined && type.view !== inside) this.body(type.view);
        return;
      default:
        never(type);
    }
  }
}

const BODIES = ["part", "view", "shape"] as const;

function usedInFields(used: Used, fields: readonly Field[], inside?: string): void {
  for (const { type, gap, read } of fields) {
    if (gap !== undefined) used.hide(...BODIES);
    if (read.is === "actors") used.add("actor", ...read.actors);
    if (read.is === "gap") used.hide("actor");
    used.type(type, inside);
  }
}

function usedInTables({ service }: RuleContext, used: Used): void {
  for (const { type } of service.about.settings) used.type(type);
  for (const { fields } of service.resources) usedInFields(used, fields);
  for (const { fields, name } of service.partTypes) usedInFields(used, fields, name);
  for (const { fields, given, name, gap } of service.shapes) {
    for (const { type } of [...fields, ...given]) used.type(type, name);
    if (gap !== undefined) used.hide(...BODIES);
  }
  for (const { given } of service.routines) for (const { type } of given) used.type(type);
  for (const { given, says, undo, gap } of service.calls) {
    for (const { type } of [...given, ...says.flatMap(({ data }) => data)]) used.type(type);
    if (isStated(undo)) used.add("call", undo.value);
    if (gapOf(undo) !== undefined) used.hide("call");
    if (gap !== undefined || says.some((one) => one.gap !== undefined)) used.hide(...BODIES);
  }
  for (const { transitions, gap } of service.machines) {
    if (gap !== undefined) used.hide("call");
    for (const { on } of transitions) {
      if (on.is === "call") used.add("call", on.call);
      if (on.is === "gap") used.hide("call");
    }
  }
}

function usedAtTheEdge({ service }: RuleContext, used: Used): void {
  for (const { who, body, inputs } of service.endpoints) {
    for (const { type } of inputs) used.type(type);
    if (isStated(who)) used.add("actor", ...who.value);
    if (gapOf(who) !== undefined) used.hide("actor");
    if (gapOf(body) !== undefined) used.hide(...BODIES);
    if (!isStated(body)) continue;
    const { content } = body.value;
    if (content.is === "type") used.type(content.type);
    else used.body(content.resource);
  }
  for (const { who } of service.streams) {
    if (isStated(who)) used.add("actor", ...who.value);
    if (gapOf(who) !== undefined) used.hide("actor");
  }
  for (const { body } of service.errors) {
    if (isStated(body)) used.body(body.value);
    if (gapOf(body) !== undefined) used.hide(...BODIES);
  }
  for (const { data } of service.events) {
    if (isStated(data)) used.body(data.value.shape);
    if (gapOf(data) !== undefined) used.hide(...BODIES);
  }
  for (const { sends } of service.webhooks) {
    if (isStated(sends)) used.body(sends.value.shape);
    if (gapOf(sends) !== undefined) used.hide(...BODIES);
  }
}

function usedInStep(used: Used, step: Step): void {
  if (step.kind === "call") used.add("call", step.call);
  if (step.kind === "do") used.add("steps", step.routine);
  if (step.kind === "gap") used.hide("call", "steps", "view", "shape");
  if (step.kind !== "respond") return;
  const { body } = step;
  if (body.is === "shape" || body.is === "shape with") used.body(body.shape);
}

function usedNames(c: RuleContext): Used {
  const used = new Used();
  usedInTables(c, used);
  usedAtTheEdge(c, used);
  for (const { step } of c.steps) usedInStep(used, step);
  for (const { code } of c.places.keys()) {
    for (const { of, member } of references(code).members) {
      if (of === "setting") used.add("setting", member);
    }
  }
  for (const { values } of c.uses) used.add("value", ...values);
  // Any expression may read a setting, and a gap may stand in place of any.
  if ([...c.gaps.values()].some(({ blocking }) => blocking)) used.hide("setting");
  return used;
}

/** Reports `never-used`. */
export const neverUsed: Rule = (c) => {
  const { service } = c;
  if (service.endpoints.length === 0) return;
  const used = usedNames(c);
  const tell = (kind: Kind, all: readonly { readonly id: ItemId; readonly name: string }[]) => {
    for (const { id, name } of all) {
      if (used.has(kind, name)) continue;
      report(c, {
        code: "never-used",
        severity: "warning",
        at: id,
        message: `Nothing uses the ${kind} \`${name}\`.`,
        hint: KINDS[kind].replace("NAME", name),
      });
    }
  };
  tell("setting", service.about.settings);
  tell("part", service.partTypes);
  tell(
    "view",
    service.shapes.filter(({ viewOf }) => viewOf !== undefined),
  );
  tell(
    "shape",
    service.shapes.filter(({ viewOf }) => viewOf === undefined),
  );
  tell("call", service.calls);
  tell("steps", service.routines);
  for (const section of c.sections.values()) {
    const name = section.heading?.slots.name;
    if (section.scope !== "value" || name?.kind !== "text") continue;
    const isStated = section.bullets.some(({ key, status }) => key === "is" && status === "stated");
    if (isStated && !used.has("value", section.id))
      tell("value", [{ id: section.id, name: name.text }]);
  }
  tell("actor", service.actors);
};
