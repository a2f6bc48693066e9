/** Resolves the Path bullets of an endpoint: rows that parameters of its path name. */
import type { Binding, Endpoint, ItemId, Refusal } from "../../../plan/index.ts";
import type { BulletNode, TextSlot } from "../../../spec/index.ts";
import { type CallerState, commonNames } from "../names/common.ts";
import {
  BOOLEAN,
  refusalSlot,
  resolve,
  resolveRefusal,
  type View,
  withNames,
} from "../names/expression.ts";
import { isAmong, origin, shownGap, slotOf, textOf } from "../names/resolver.ts";
import type { Objects, Place } from "./request.ts";

/** The gap of a Path bullet that is not shown: which row it names, and how, nobody knows. */
export function hiddenBinding(bullets: readonly BulletNode[]): ItemId | undefined {
  return bullets.find((bullet) => bullet.status === "not shown")?.id;
}

/** The same, and how many rows are named before it. */
export function pathGapOf(bullets: readonly BulletNode[]): Endpoint["pathGap"] {
  const gap = hiddenBinding(bullets);
  if (gap === undefined) return undefined;
  return { gap, behind: bullets.findIndex(({ id }) => id === gap) };
}

/** What the bullets see of the path: a typed parameter may be wrong where it is checked later. */
function pathMembers({ every }: Place, { path }: Objects, typed: ReadonlySet<string>) {
  const checks = (every?.steps ?? []).map((step) => textOf(step.match, "what"));
  const isChecked = !checks.includes("paths") || checks.indexOf("inputs") < checks.indexOf("paths");
  if (isChecked) return path;
  return new Map(
    [...path].map(([name, member]) => [
      name,
      typed.has(name) ? { ...member, absent: true } : member,
    ]),
  );
}

/**
 * The rows that path parameters name, in their order: each sees those before it. `typed`: the
 * parameters to which a row of the input table gives a type.
 */
export function bindings(
  place: Place,
  objects: Objects,
  bullets: readonly BulletNode[],
  { caller, typed }: { readonly caller: CallerState; readonly typed: ReadonlySet<string> },
): Binding[] {
  const found: Binding[] = [];
  const path = `path:${place.key} in bullets`;
  place.r.objects.set(path, pathMembers(place, objects, typed));
  const open = hiddenBinding(bullets);
  const common: View = { ...commonNames(place.r, caller), ...(open === undefined ? {} : { open }) };
  let view = withNames(common, [["path", { kind: "object", name: path }]]);
  for (const bullet of bullets) {
    const one = binding(place, objects, bullet, view);
    if (one === undefined) continue;
    found.push(one);
    view = withNames(view, [[one.as, { kind: "row", resource: one.resource }]]);
  }
  return found;
}

/** The row that a path parameter names; undefined where it is not shown or its resource unknown. */
function binding(
  place: Place,
  objects: Objects,
  bullet: BulletNode,
  before: View,
): Binding | undefined {
  const { r, names } = place;
  const { match } = bullet;
  const param = slotOf(match, "param") as TextSlot;
  if (bullet.status !== "stated") {
    shownGap(r, place.section, bullet, `path ${param.text}`);
    return undefined;
  }
  const isParameter = isAmong(r, param, "path parameter", objects.path);
  const resource = slotOf(match, "resource") as TextSlot;
  const members = r.objects.get(`row:${resource.text}`);
  if (!isAmong(r, resource, "resource", names.resources)) {
    return undefined;
  }
  const by = slotOf(match, "field") ?? param;
  if (isParameter || by !== param) isAmong(r, by, `field of \`${resource.text}\``, members);
  const view = withNames(before, [["it", { kind: "row", resource: resource.text }]]);
  const where = slotOf(match, "where");
  const tail = refusalSlot(match, "tail");
  const otherwise: Refusal =
    tail === undefined
      ? { is: "gap", gap: bullet.id }
      : resolveRefusal(r, tail, { id: bullet.id, section: place.section, view: before });
  return {
    id: origin(r, bullet.id, bullet),
    param: param.text,
    as: textOf(match, "as"),
    resource: resource.text,
    by: by.text,
    ...(match.slots.case && { anyCase: true as const }),
    otherwise,
    ...(where === undefined ? {} : { where: resolve(r, where, view, BOOLEAN).expression }),
  };
}
