/** Which conditions keep rows away that a service has found, or shows. */
import type { Binding, ItemId, Plan, Resource } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import type { Answer, Request } from "../world/message.ts";
import type { Ran, World } from "../world/world.ts";
import { writtenBy } from "./blame.ts";

/** What keeps the row of the path away; none: nothing was looked for in vain. */
export function hiding(world: World, request: Request, ran: Ran): readonly ItemId[] {
  const { plan, program } = world;
  const failed = new Set(ran.trace.flatMap(([item, came]) => (came === "failed" ? [item] : [])));
  const binding = ran.endpoint?.bindings.find(({ id }) => failed.has(id));
  const match = program.match(request.method, request.target.split("?")[0] ?? "");
  const resource = plan.resources.find(({ name }) => name === binding?.resource);
  if (binding === undefined || resource === undefined || match.is !== "endpoint") return [];
  const isNamed = isRowOf(world, resource, binding, match.params.get(binding.param) ?? "");
  if (world.rows(resource.name).some(isNamed)) return conditionsOf(resource);
  const gone = world.gone.of(resource.name).findLast(isNamed);
  return gone === undefined ? [] : wentWith(plan, world, resource, gone);
}

/** Whether the path of the request names the row, where the binding says so. */
export function namesRow(world: World, request: Request, binding: Binding, row: Row): boolean {
  const match = world.program.match(request.method, request.target.split("?")[0] ?? "");
  const resource = world.plan.resources.find(({ name }) => name === binding.resource);
  if (resource === undefined || match.is !== "endpoint" || row.resource !== resource.name) {
    return false;
  }
  return isRowOf(world, resource, binding, match.params.get(binding.param) ?? "")(row);
}

/** More steps than these tell nothing. */
const STEPS_MAX = 5;

const conditionsOf = ({ invariants }: Resource): readonly ItemId[] =>
  invariants.flatMap(({ id, kind }) => (kind === "rows" ? [id] : []));

/** The same for a row that the body names, where the request was to be refused for it. */
export function hidingNamed(
  world: World,
  { body = "" }: Request,
  { outcome }: Pick<Ran, "outcome">,
): readonly ItemId[] {
  const { resources } = world.plan;
  return resources.flatMap(({ invariants, fields }) =>
    invariants.flatMap((one) => {
      if (one.kind !== "missing" || one.otherwise.is !== "error") return [];
      const type = fields.find(({ name }) => name === one.field)?.type.type;
      if (outcome.error !== one.otherwise.error || type?.kind !== "reference") return [];
      const resource = resources.find(({ name }) => name === type.resource);
      if (resource === undefined) return [];
      const isNamed = keysOf(world, resource).some(
        (key) => key !== "" && body.includes(JSON.stringify(key)),
      );
      return isNamed ? [...conditionsOf(resource), one.id] : [];
    }),
  );
}

/** What keeps rows away, or has deleted them, that an answer shows and was not to show. */
export function hidingShown(
  world: World,
  { body: observed = "" }: Pick<Answer, "body">,
  { body: expected = "" }: Pick<Answer, "body">,
): readonly ItemId[] {
  return world.plan.resources.flatMap((resource) => {
    const conditions = conditionsOf(resource);
    const isShown = (key: string): boolean => {
      if (key === "") return false;
      const text = JSON.stringify(key);
      return observed.includes(text) && !expected.includes(text);
    };
    const keyOf = keyIn(world, resource);
    const left = conditions.length > 0 ? world.rows(resource.name) : [];
    if (left.some((row) => isShown(keyOf(row)))) return conditions;
    const gone = world.gone.of(resource.name).find((row) => {
      return world.session.get(row.resource, row.key) === undefined && isShown(keyOf(row));
    });
    if (gone === undefined) return [];
    const rules = wentWith(world.plan, world, resource, gone);
    return rules.length > 0 ? rules : deleting(world.plan, resource.name);
  });
}

/** Steps that delete rows of a resource; none: too many may have done it. */
function deleting(plan: Plan, resource: string): readonly ItemId[] {
  const found = [...writtenBy(plan)].flatMap(([item, one]) =>
    one.deletes && one.resource === resource ? [item] : [],
  );
  return found.length > STEPS_MAX ? [] : found;
}

/** Texts that name the rows of a resource. */
function keysOf(world: World, resource: Resource): readonly string[] {
  return world.rows(resource.name).map(keyIn(world, resource));
}

function keyIn(world: World, { key, fields }: Resource): (row: Row) => string {
  const place = fields.findIndex((one) => one.name === key);
  return ({ values }) => {
    const value = values[place];
    return typeof value === "string" ? world.shown(value) : "";
  };
}

function isRowOf(
  world: World,
  { fields }: Resource,
  { by }: Binding,
  text: string,
): (row: Row) => boolean {
  const place = fields.findIndex(({ name }) => name === by);
  return ({ values }) => {
    const value = values[place];
    return typeof value === "string" ? world.shown(value) === text : String(value) === text;
  };
}

/** Rules by which a row is deleted with one that it refers to, where that is gone. */
function wentWith(
  { resources }: Plan,
  world: World,
  { fields }: Resource,
  { values }: Row,
): readonly ItemId[] {
  return fields.flatMap(({ type: { type }, rules }, place) => {
    if (type.kind !== "reference") return [];
    const other = resources.find(({ name }) => name === type.resource);
    const key = values[place];
    const isThere = world.rows(other?.name ?? "").some((row) => row.key === key);
    const own = rules.filter((one) => one.kind === "when gone" && one.action === "deleted with it");
    return isThere ? [] : own.map(({ id }) => id);
  });
}
