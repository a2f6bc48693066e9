/** Why the model has no row for a path: a condition keeps it away, or it went with another. */
import type { Binding, ItemId, Plan, Resource } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import type { Request } from "../world/message.ts";
import type { Ran, World } from "../world/world.ts";

/** The clauses that a service breaks which has the row; none: nothing was looked for in vain. */
export function hiding(world: World, request: Request, ran: Ran): readonly ItemId[] {
  const { plan, program } = world;
  const failed = new Set(ran.trace.flatMap(([item, came]) => (came === "failed" ? [item] : [])));
  const binding = ran.endpoint?.bindings.find(({ id }) => failed.has(id));
  const match = program.match(request.method, request.target.split("?")[0] ?? "");
  const resource = plan.resources.find(({ name }) => name === binding?.resource);
  if (binding === undefined || resource === undefined || match.is !== "endpoint") return [];
  const isNamed = isRowOf(world, resource, binding, match.params.get(binding.param) ?? "");
  if (world.rows(resource.name).some(isNamed)) {
    return resource.invariants.flatMap(({ id, kind }) => (kind === "rows" ? [id] : []));
  }
  const gone = world.gone.of(resource.name).findLast(isNamed);
  return gone === undefined ? [] : wentWith(plan, world, resource, gone);
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
