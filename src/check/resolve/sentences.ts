/** Resolves single step sentences: one case for each form. */
import type { Type } from "../../expr/index.ts";
import type {
  AssignSlot, Assignment, CheckKind, Match, Refusal, ResponseBody, Step, StepNode, TextSlot,
} from "../../model/index.ts";
import { conditionIn } from "./conditions.ts";
import {
  refusalSlot, resolve, resolveAssigns, resolveRefusal, UNKNOWN, type View, withNames,
} from "./expression.ts";
import {
  known, origin, report, type Resolver, slotOf, textOf, textsOf, unknownName,
} from "./resolver.ts";
import { ended, type Flow, learned, named, rowsChanged, type Stepped } from "./flow.ts";
import { exprType } from "./types.ts";
import { givenOf } from "./shapes.ts";

/** A step form being resolved. */
interface At {
  readonly r: Resolver;
  readonly flow: Flow;
  readonly match: Match;
  readonly id: string;
}

const slot = (at: At, name: string): TextSlot => slotOf(at.match, name) as TextSlot;
const text = (at: At, name: string): string => textOf(at.match, name);

function tail(at: At, name = "tail", view: View = at.flow.view): Refusal | undefined {
  const value = refusalSlot(at.match, name);
  return value === undefined ? undefined
    : resolveRefusal(at.r, value, view, at.flow.section, at.id);
}

function assigns(at: At, name = "with"): readonly AssignSlot[] {
  const value = at.match.slots[name];
  return value?.kind === "assigns" ? value.items : [];
}

/** The row type of a name, or undefined with a finding. */
function rowNamed(at: At, name: TextSlot): string | undefined {
  const type = at.flow.view.names.get(name.text);
  if (type === undefined) {
    unknownName(at.r, name, "name", at.flow.view.names.keys());
    return undefined;
  }
  if (type.kind === "nullable" && at.flow.view.facts.notNull.has(name.text) &&
    type.of.kind === "row") return type.of.resource;
  if (type.kind === "nullable") {
    report(at.r, "unguarded", name, `\`${name.text}\` may be null.`,
      `Guard it: \`When \`${name.text} != null\`, ...\`.`);
    return undefined;
  }
  if (type.kind === "row") return type.resource;
  if (type.kind !== "unknown") report(at.r, "wrong-type", name, `\`${name.text}\` is no row.`);
  return undefined;
}

function resourceOf(at: At, name: TextSlot): boolean {
  if (at.flow.names.resources.has(name.text)) return true;
  unknownName(at.r, name, "resource", at.flow.names.resources.keys());
  return false;
}

function rowType(resource: string): Type {
  return { kind: "row", resource };
}

function withIt(at: At, resource: string): View {
  return withNames(at.flow.view, [["it", rowType(resource)]]);
}

function letOne(at: At): Stepped {
  const resource = slot(at, "resource");
  const as = text(at, "as");
  if (!resourceOf(at, resource)) return { flow: named(at.flow, as, UNKNOWN) };
  const condition = conditionIn(at.r, at.match.slots.where, withIt(at, resource.text));
  const otherwise = tail(at);
  const row = rowType(resource.text);
  return {
    step: { id: at.id, kind: "let one", as, resource: resource.text, where: condition.expression,
      ...(otherwise === undefined ? {} : { otherwise }) },
    flow: named(at.flow, as, otherwise === undefined ? { kind: "nullable", of: row } : row),
  };
}

function letEvery(at: At): Stepped {
  const resource = slot(at, "resource");
  const as = text(at, "as");
  if (!resourceOf(at, resource)) return { flow: named(at.flow, as, UNKNOWN) };
  const where = at.match.slots.where;
  const condition = where === undefined ? undefined
    : conditionIn(at.r, where, withIt(at, resource.text));
  return {
    step: { id: at.id, kind: "let every", as, resource: resource.text,
      ...(condition === undefined ? {} : { where: condition.expression }) },
    flow: named(at.flow, as, { kind: "list", of: rowType(resource.text) }),
  };
}

/** The element type of the list that a name holds. */
function listNamed(at: At, name: TextSlot): Type {
  const type = at.flow.view.names.get(name.text);
  if (type === undefined) unknownName(at.r, name, "list", at.flow.view.names.keys());
  else if (type.kind === "list") return type.of;
  else if (type.kind !== "unknown") {
    report(at.r, "wrong-type", name, `\`${name.text}\` is no list.`);
  }
  return UNKNOWN;
}

function letDifferent(at: At): Stepped {
  const list = slot(at, "list");
  const field = slot(at, "field");
  const element = listNamed(at, list);
  const resource = element.kind === "row" ? element.resource : "";
  const member = at.r.objects.get(`row:${resource}`)?.get(field.text);
  if (element.kind === "row" && member === undefined) {
    unknownName(at.r, field, `field of \`${resource}\``,
      at.r.objects.get(`row:${resource}`)?.keys() ?? []);
  }
  const nested = member?.type.kind === "list";
  const spelled = `distinct(${nested ? "flatten(" : ""}${list.text}.map(x, x.${field.text})` +
    `${nested ? ")" : ""})`;
  const made: TextSlot = { kind: "text", text: spelled, start: list.start, end: list.end };
  const value = member === undefined ? undefined : resolve(at.r, made, at.flow.view);
  const as = text(at, "as");
  if (value === undefined) return { flow: named(at.flow, as, UNKNOWN) };
  return { step: { id: at.id, kind: "let", as, value: value.expression },
    flow: named(at.flow, as, value.type) };
}

function letValue(at: At): Stepped {
  const { expression, type } = resolve(at.r, slot(at, "value"), at.flow.view);
  const as = text(at, "as");
  return { step: { id: at.id, kind: "let", as, value: expression },
    flow: named(at.flow, as, type) };
}

function order(at: At): Stepped {
  const list = slot(at, "list");
  const element = listNamed(at, list);
  const keys = at.match.slots.keys;
  const view = withNames(at.flow.view, [["it", element]]);
  const made = keys?.kind !== "order" ? [] : keys.keys.map((key) =>
    ({ by: resolve(at.r, key.by, view).expression, descending: key.descending }));
  return { step: { id: at.id, kind: "order", list: list.text, keys: made }, flow: at.flow };
}

function page(at: At): Stepped {
  const list = slot(at, "list");
  const element = listNamed(at, list);
  const as = text(at, "as");
  const number = (name: string) =>
    resolve(at.r, slot(at, name), at.flow.view, { kind: "integer" }).expression;
  const flow = named(at.flow, as, { kind: "list", of: element });
  const common = { id: at.id, as, of: list.text, atMost: number("most") };
  if (at.match.form === "page") {
    return { step: { ...common, kind: "page", from: number("from") }, flow };
  }
  const after = resolve(at.r, slot(at, "after"), at.flow.view).expression;
  const otherwise = tail(at) ?? { is: "gap", gap: at.id };
  return { step: { ...common, kind: "page after", after, otherwise }, flow };
}

/** Assignments to fields of a resource, each of the field's type. */
function fieldAssigns(at: At, resource: string): Assignment[] {
  const members = at.r.objects.get(`row:${resource}`);
  const items = assigns(at);
  for (const item of items) {
    if (!members?.has(item.name.text)) {
      unknownName(at.r, item.name, `field of \`${resource}\``, members?.keys() ?? []);
    } else at.r.effects.sets.add(`${resource}.${item.name.text}`);
  }
  return resolveAssigns(at.r, items, at.flow.view, (name) => members?.get(name.text)?.type);
}

function bodyFor(at: At, resource: string, kinds: readonly string[]) {
  const from = slotOf(at.match, "from");
  if (from === undefined) return undefined;
  const { expression, type } = resolve(at.r, from, at.flow.view);
  const wanted = kinds.map((kind) => `${kind}:${resource}`);
  const fits = type.kind === "object" && wanted.includes(type.name);
  if (!fits && type.kind !== "unknown") {
    report(at.r, "wrong-type", from, `This is no body that makes or changes a \`${resource}\`.`,
      `State it as \`- Body: ${kinds[0] ?? ""} \`${resource}\`\` at the endpoint.`);
  }
  return expression;
}

function create(at: At): Stepped {
  const resource = slot(at, "resource");
  const as = text(at, "as");
  if (!resourceOf(at, resource)) {
    return { flow: as === "" ? at.flow : named(at.flow, as, UNKNOWN) };
  }
  at.r.effects.creates.add(resource.text);
  const from = bodyFor(at, resource.text, ["new"]);
  const step: Step = { id: at.id, kind: "create", resource: resource.text,
    with: fieldAssigns(at, resource.text), unlessThere: at.match.slots.unless !== undefined,
    ...(as === "" ? {} : { as }), ...(from === undefined ? {} : { from }) };
  return { step, flow: as === "" ? at.flow : named(at.flow, as, rowType(resource.text)) };
}

function setFrom(at: At): Stepped {
  const target = slot(at, "target");
  const resource = rowNamed(at, target);
  if (resource === undefined) return { flow: at.flow };
  const given = at.match.form === "set from";
  const from = bodyFor(at, resource, given ? ["changed", "new"] : ["changed", "new"]);
  if (from === undefined) return { flow: at.flow };
  at.r.effects.sets.add(`${resource}.*`);
  return { step: { id: at.id, kind: "set from", target: target.text, from, givenOnly: given },
    flow: rowsChanged(at.flow) };
}

function setField(at: At): Stepped {
  const target = slot(at, "target");
  const parts = target.text.split(".");
  const name: TextSlot = { ...target, text: parts[0] ?? "",
    end: target.start + (parts[0] ?? "").length };
  const resource = rowNamed(at, name);
  if (resource === undefined) return { flow: at.flow };
  const members = at.r.objects.get(`row:${resource}`);
  const field = parts[1] ?? "";
  const at2 = target.start + name.text.length + 1;
  if (parts.length !== 2 || !members?.has(field)) {
    unknownName(at.r, { kind: "text", text: parts.slice(1).join("."), start: at2, end: target.end },
      `field of \`${resource}\``, members?.keys() ?? []);
    return { flow: at.flow };
  }
  at.r.effects.sets.add(`${resource}.${field}`);
  const value = resolve(at.r, slot(at, "value"), at.flow.view, members.get(field)?.type);
  return { step: { id: at.id, kind: "set", target: name.text, field, value: value.expression },
    flow: rowsChanged(at.flow) };
}

function remove(at: At): Stepped {
  if (at.match.form === "delete every") {
    const resource = slot(at, "resource");
    if (!resourceOf(at, resource)) return { flow: at.flow };
    at.r.effects.deletes.add(resource.text);
    const where = conditionIn(at.r, at.match.slots.where, withIt(at, resource.text));
    return { step: { id: at.id, kind: "delete every", resource: resource.text,
      where: where.expression }, flow: at.flow };
  }
  const target = slot(at, "target");
  const resource = rowNamed(at, target);
  if (resource !== undefined) at.r.effects.deletes.add(resource);
  return { step: { id: at.id, kind: "delete", target: target.text }, flow: at.flow };
}

/** Names of the transitions of a resource's machine. */
function transitionsOf(at: At, resource: string): Set<string> {
  const section = at.flow.names.machines.get(resource);
  const rows = section?.tables.find((one) => one.table === "transitions")?.rows ?? [];
  return new Set(rows.map((row) => textOf(row.cells[0]?.matches[0], "name")));
}

function fire(at: At): Stepped {
  const on = slot(at, "on");
  const resource = rowNamed(at, on);
  const single = slotOf(at.match, "transition");
  const slots = single === undefined ? textsOf(at.match, "transitions") : [single];
  const all = resource === undefined ? undefined : transitionsOf(at, resource);
  for (const one of slots) {
    if (all === undefined) continue;
    if (!all.has(one.text)) unknownName(at.r, one, `transition of \`${resource}\``, all);
    else if (single === undefined) at.r.effects.fires.add(`${resource}.${one.text}`);
  }
  const otherwise = tail(at);
  const common = { id: at.id, on: on.text, ...(otherwise === undefined ? {} : { otherwise }) };
  if (single !== undefined) {
    return { step: { ...common, kind: "may fire", transition: single.text }, flow: at.flow };
  }
  return { step: { ...common, kind: "fire", transitions: slots.map((one) => one.text) },
    flow: rowsChanged(at.flow) };
}

function emit(at: At): Stepped {
  const event = slot(at, "event");
  known(at.r, "event", event);
  at.r.effects.emits.add(event.text);
  const of = resolve(at.r, slot(at, "of"), at.flow.view).expression;
  return { step: { id: at.id, kind: "emit", event: event.text, of }, flow: at.flow };
}

/** Assignments to the Given names of a routine, call or shape; each must be given once. */
function givenAssigns(at: At, kind: "routine" | "call" | "type", name: TextSlot): Assignment[] {
  const section = at.r.declared.get(kind)?.get(name.text)?.section;
  const given = section === undefined ? [] : givenOf(at.r, at.flow.names, section);
  const types = new Map(given.map((one) => [one.name, exprType(at.flow.names, one.type)] as const));
  const items = assigns(at);
  for (const item of items) {
    if (section !== undefined && !types.has(item.name.text)) {
      unknownName(at.r, item.name, `name given to \`${name.text}\``, types.keys());
    }
  }
  for (const one of types.keys()) {
    if (items.some((item) => item.name.text === one)) continue;
    report(at.r, "not-given", at.match, `\`${name.text}\` needs \`${one}\`.`,
      `Write \`${one}\` = and its value behind 'with'.`);
  }
  return resolveAssigns(at.r, items, at.flow.view, (one) => types.get(one.text));
}

function call(at: At): Stepped {
  const name = slot(at, "call");
  const as = text(at, "as");
  const found = known(at.r, "call", name);
  const given = found ? givenAssigns(at, "call", name) : [];
  const otherwise = tail(at);
  const step: Step = { id: at.id, kind: "call", call: name.text, with: given,
    ...(as === "" ? {} : { as }), ...(otherwise === undefined ? {} : { otherwise }) };
  return { step, flow: as === "" ? at.flow
    : named(at.flow, as, { kind: "object", name: `said:${name.text}` }) };
}

function doRoutine(at: At): Stepped {
  const name = slot(at, "routine");
  const found = known(at.r, "routine", name, "named steps");
  const given = found ? givenAssigns(at, "routine", name) : [];
  return { step: { id: at.id, kind: "do", routine: name.text, with: given },
    flow: rowsChanged(at.flow) };
}

/** What a value must be to be shown in a shape; undefined where the name is unknown. */
export function shapeTakes(r: Resolver, flow: Flow, shape: TextSlot): Type | undefined {
  const { names } = flow;
  if (names.resources.has(shape.text)) return rowType(shape.text);
  const viewOf = names.views.get(shape.text);
  if (viewOf !== undefined) return rowType(viewOf);
  if (names.parts.has(shape.text)) return { kind: "object", name: `part:${shape.text}` };
  const section = names.shapes.get(shape.text);
  if (section !== undefined) {
    const given = givenOf(r, names, section);
    if (given.length === 1 && given[0]) return exprType(names, given[0].type);
    report(r, "not-given", shape, `\`${shape.text}\` has ${given.length} Given names.`,
      "Write `with `Shape` where `name` = `e` and ...`.");
    return UNKNOWN;
  }
  unknownName(r, shape, "resource, part, view or shape", [...names.resources.keys(),
    ...names.parts.keys(), ...names.views.keys(), ...names.shapes.keys()]);
  return undefined;
}

function responseBody(at: At): ResponseBody {
  switch (at.match.form) {
    case "respond empty": return { is: "none" };
    case "respond value": {
      const { expression, type } = resolve(at.r, slot(at, "value"), at.flow.view);
      if (type.kind === "secret" || type.kind === "row") {
        report(at.r, "hidden-field", slot(at, "value"), type.kind === "row"
          ? "A row is shown in a resource, a view or a shape." : "A secret is never shown.");
      }
      return { is: "value", value: expression };
    }
    case "respond with": {
      const shape = slot(at, "shape");
      const found = at.flow.names.shapes.has(shape.text);
      if (!found) unknownName(at.r, shape, "shape", at.flow.names.shapes.keys());
      at.r.effects.shows.add(shape.text);
      return { is: "shape with", shape: shape.text,
        with: found ? givenAssigns(at, "type", shape) : [] };
    }
    default: {
      const shape = slot(at, "shape");
      const list = at.match.form === "respond list";
      const takes = shapeTakes(at.r, at.flow, shape);
      at.r.effects.shows.add(shape.text);
      const expected: Type | undefined = takes === undefined ? undefined
        : list ? { kind: "list", of: takes } : takes;
      const { expression } = resolve(at.r, slot(at, "of"), at.flow.view, expected);
      return { is: "shape", shape: shape.text, list, of: expression };
    }
  }
}

function respond(at: At): Stepped {
  if (at.flow.kind !== "endpoint") {
    report(at.r, "no-respond-here", at.match, "Only an endpoint's own steps can respond.");
  }
  const status = Number(text(at, "status"));
  const body = responseBody(at);
  if (body.is !== "none" && (status === 204 || status === 304)) {
    report(at.r, "contradiction", slot(at, "status"), `An answer ${status} has no body.`,
      "RFC 9110 section 15.3.5: write `with no body`, or another status.");
  }
  const headers = resolveAssigns(at.r, assigns(at, "headers"), at.flow.view,
    () => ({ kind: "string" }));
  return { step: { id: at.id, kind: "respond", status, body, headers }, flow: ended(at.flow) };
}

function refuse(at: At): Stepped {
  const withs = assigns(at);
  const error = slot(at, "error");
  const on = slotOf(at.match, "on");
  const refusal = resolveRefusal(at.r, { kind: "refusal", gap: false, error, with: withs,
    start: error.start, end: error.end, ...(on === undefined ? {} : { on }) }, at.flow.view,
  at.flow.section, at.id);
  return { step: { id: at.id, kind: "refuse", refusal, keep: at.match.slots.keep !== undefined },
    flow: ended(at.flow) };
}

function check(at: At): Stepped {
  if (at.flow.kind !== "prologue") {
    report(at.r, "no-check-here", at.match, "This step stands under `### Every endpoint` alone.");
  }
  return { step: { id: at.id, kind: "check", what: text(at, "what") as CheckKind }, flow: at.flow };
}

function checkTag(at: At): Stepped {
  const of = slot(at, "of");
  const resource = rowNamed(at, of);
  const section = resource === undefined ? undefined : at.flow.names.resources.get(resource);
  if (section !== undefined && !section.bullets.some((one) => one.key === "version tag")) {
    report(at.r, "unknown-name", of, `\`${resource}\` states no version tag.`,
      "Write `- Version tag: ...` at the resource.");
  }
  return { step: { id: at.id, kind: "check tag", of: of.text }, flow: at.flow };
}

function require_(at: At): Stepped {
  const condition = conditionIn(at.r, at.match.slots.condition, at.flow.view);
  const otherwise = tail(at) ?? { is: "gap" as const, gap: at.id };
  return { step: { id: at.id, kind: "require", condition: condition.expression, otherwise },
    flow: learned(at.flow, condition.whenTrue) };
}

const handlers: Readonly<Record<string, (at: At) => Stepped>> = {
  check, "check tag": checkTag, require: require_, "may fire": fire, "let one": letOne,
  "let one or null": letOne, "let every where": letEvery, "let every": letEvery,
  "let different": letDifferent, "page after": page, page, let: letValue, order, create,
  "set from": setFrom, "set all": setFrom, set: setField, "delete every": remove, delete: remove,
  fire, emit, call, do: doRoutine, "respond empty": respond, "respond list": respond,
  "respond shape": respond, "respond with": respond, "respond value": respond, refuse,
};

/** Resolves a step that is one sentence. */
export function simpleStep(r: Resolver, flow: Flow, node: StepNode): Stepped {
  const handler = handlers[node.match.form];
  if (handler === undefined) throw new Error(`no step ${node.match.form}`);
  return handler({ r, flow, match: node.match, id: origin(r, node.id, node) });
}
