/** Resolves the sentences that make, change and delete rows, fire transitions and emit events. */
import type { Type } from "../../../expr/index.ts";
import type { Assignment, Expression, Step } from "../../../plan/index.ts";
import type { TextSlot } from "../../../spec/index.ts";
import { resolve, resolveAssigns, UNKNOWN } from "../names/expression.ts";
import {
  firstMatch,
  isAmong,
  known,
  report,
  slotOf,
  textOf,
  textsOf,
  unknownName,
} from "../names/resolver.ts";
import {
  type At,
  assigns,
  hiddenStep,
  placeOf,
  resourceOf,
  rowNamed,
  rowType,
  slot,
  tail,
  text,
  withIt,
} from "./at.ts";
import { conditionIn } from "./conditions.ts";
import { hiddenBehind, named, rowsChanged, type Stepped } from "./flow.ts";

/** Assignments to fields of a resource, each of the field's type. */
function fieldAssigns(at: At, resource: string): Assignment[] {
  const members = at.r.objects.get(`row:${resource}`);
  const items = assigns(at);
  for (const item of items) {
    if (isAmong(at.r, item.name, `field of \`${resource}\``, members))
      at.r.effects.sets.add(`${resource}.${item.name.text}`);
  }
  return resolveAssigns(at.r, items, placeOf(at), (name) => members?.get(name.text));
}

/** The body that a row is made or changed from; reports one of another kind. */
function bodyFor(at: At, resource: string, kinds: readonly string[]) {
  const from = slotOf(at.match, "from");
  if (from === undefined) return undefined;
  const { expression, type } = resolve(at.r, from, at.flow.view);
  const wanted = kinds.map((kind) => `${kind}:${resource}`);
  const fits =
    type.kind === "object" &&
    wanted.some((name) => type.name === name || type.name.startsWith(`${name} with `));
  if (!fits && type.kind !== "unknown") {
    report(at.r, "wrong-type", from, {
      message: `This is no body that makes or changes a \`${resource}\`.`,
      hint: `State it at the endpoint: - Body: ${kinds[0] ?? ""} \`${resource}\``,
    });
  }
  return expression;
}

/** A step that takes what a body gives, where it is not shown what the body is. */
function unreadBody(at: At, from: Expression): Stepped | undefined {
  if (from.code.op !== "gap") return undefined;
  const { gap } = from.code;
  return { step: { id: at.id, kind: "gap", gap }, flow: hiddenBehind(at.flow, gap) };
}

/** Resolves `Create a R`. */
export function create(at: At): Stepped {
  const resource = slot(at, "resource");
  const as = text(at, "as");
  if (!resourceOf(at, resource)) {
    return { flow: as === "" ? at.flow : named(at.flow, as, UNKNOWN) };
  }
  at.r.effects.creates.add(resource.text);
  const from = bodyFor(at, resource.text, ["new"]);
  const unread = from && unreadBody(at, from);
  if (unread !== undefined) return unread;
  const step: Step = {
    id: at.id,
    kind: "create",
    resource: resource.text,
    with: fieldAssigns(at, resource.text),
    unlessThere: at.match.slots.unless !== undefined,
    ...(as === "" ? {} : { as }),
    ...(from === undefined ? {} : { from }),
  };
  return { step, flow: as === "" ? at.flow : named(at.flow, as, rowType(resource.text)) };
}

/** Resolves `Set x from body` and `Set all of x from body`. */
export function setFrom(at: At): Stepped {
  const target = slot(at, "target");
  const hidden = hiddenStep(at, target);
  if (hidden !== undefined) return hidden;
  const resource = rowNamed(at, target);
  if (resource === undefined) return { flow: at.flow };
  const given = at.match.form === "set from";
  const from = bodyFor(at, resource, ["changed", "new"]);
  if (from === undefined) return { flow: at.flow };
  const unread = unreadBody(at, from);
  if (unread !== undefined) return unread;
  at.r.effects.sets.add(`${resource}.*`);
  return {
    step: { id: at.id, kind: "set from", target: target.text, from, givenOnly: given },
    flow: rowsChanged(at.flow),
  };
}

/** The name of an object type, null aside; empty for any other. */
function objectName(type: Type): string {
  const inner = type.kind === "nullable" ? type.of : type;
  return inner.kind === "object" ? inner.name : "";
}

/** Resolves `Set x.f to e`: one field of a row. */
export function setField(at: At): Stepped {
  const target = slot(at, "target");
  const parts = target.text.split(".");
  const name: TextSlot = {
    ...target,
    text: parts[0] ?? "",
    end: target.start + (parts[0] ?? "").length,
  };
  const hidden = hiddenStep(at, name);
  if (hidden !== undefined) return hidden;
  const resource = rowNamed(at, name);
  if (resource === undefined) return { flow: at.flow };
  const members = at.r.objects.get(`row:${resource}`);
  const field = parts[1] ?? "";
  const start = name.end + 1;
  if (parts.length === 1) {
    const [first = "name"] = members?.keys() ?? [];
    report(at.r, "wrong-type", target, {
      message: `\`${target.text}\` is a whole row.`,
      hint: `Name one field, such as \`${target.text}.${first}\`.`,
    });
    return { flow: at.flow };
  }
  if (parts.length > 2) {
    const row = parts.slice(0, -1).join(".");
    const as = parts.at(-2) ?? "row";
    const type = members?.get(field)?.type;
    const isPart = type !== undefined && /^part:/.test(objectName(type));
    report(at.r, "wrong-type", target, {
      message: isPart
        ? "A part is set as a whole: it has no identity."
        : "A Set step reaches one field of a row that has a name.",
      hint: isPart
        ? `Set \`${name.text}.${field}\` = \`{"member": value, ...}\`, with every member.`
        : `Name the row in a step before: Let \`${as}\` be \`${row}\`. ` +
          `Then: Set \`${as}.${parts.at(-1)}\` = ...`,
    });
    return { flow: at.flow };
  }
  if (!members?.has(field)) {
    unknownName(
      at.r,
      { kind: "text", text: parts.slice(1).join("."), start, end: target.end },
      `field of \`${resource}\``,
      members?.keys() ?? [],
    );
    return { flow: at.flow };
  }
  at.r.effects.sets.add(`${resource}.${field}`);
  const value = resolve(at.r, slot(at, "value"), at.flow.view, members.get(field)?.type);
  return {
    step: { id: at.id, kind: "set", target: name.text, field, value: value.expression },
    flow: rowsChanged(at.flow),
  };
}

/** Resolves `Delete x` and `Delete every R where`. */
export function remove(at: At): Stepped {
  if (at.match.form === "delete every") {
    const resource = slot(at, "resource");
    if (!resourceOf(at, resource)) return { flow: at.flow };
    at.r.effects.deletes.add(resource.text);
    const where = conditionIn(at.r, at.match.slots.where, withIt(at, resource.text));
    return {
      step: { id: at.id, kind: "delete every", resource: resource.text, where: where.expression },
      flow: at.flow,
    };
  }
  const target = slot(at, "target");
  const hidden = hiddenStep(at, target);
  if (hidden !== undefined) return hidden;
  const resource = rowNamed(at, target);
  if (resource !== undefined) at.r.effects.deletes.add(resource);
  return { step: { id: at.id, kind: "delete", target: target.text }, flow: at.flow };
}

/** Names of the transitions of a resource's machine. */
function transitionsOf(at: At, resource: string): Set<string> {
  const section = at.flow.names.machines.get(resource);
  const rows = section?.tables.find((one) => one.table === "transitions")?.rows ?? [];
  return new Set(rows.map((row) => textOf(firstMatch(row), "name")));
}

/** Resolves `Fire ... on x`, and the check whether a transition may fire. */
export function fire(at: At): Stepped {
  const on = slot(at, "on");
  const hidden = hiddenStep(at, on);
  if (hidden !== undefined) return hidden;
  const resource = rowNamed(at, on);
  const single = slotOf(at.match, "transition");
  const slots = single === undefined ? textsOf(at.match, "transitions") : [single];
  const all = resource === undefined ? undefined : transitionsOf(at, resource);
  for (const one of slots) {
    if (all === undefined) continue;
    const isKnown = isAmong(at.r, one, `transition of \`${resource}\``, all);
    if (isKnown && single === undefined) at.r.effects.fires.add(`${resource}.${one.text}`);
  }
  const otherwise = tail(at);
  const common = { id: at.id, on: on.text, ...(otherwise === undefined ? {} : { otherwise }) };
  if (single !== undefined) {
    return { step: { ...common, kind: "may fire", transition: single.text }, flow: at.flow };
  }
  return {
    step: { ...common, kind: "fire", transitions: slots.map((one) => one.text) },
    flow: rowsChanged(at.flow),
  };
}

/** Resolves `Emit event of x`. */
export function emit(at: At): Stepped {
  const event = slot(at, "event");
  known(at.r, "event", event);
  at.r.effects.emits.add(event.text);
  const of = resolve(at.r, slot(at, "of"), at.flow.view).expression;
  return { step: { id: at.id, kind: "emit", event: event.text, of }, flow: at.flow };
}
