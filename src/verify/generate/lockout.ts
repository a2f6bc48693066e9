/** Requests by which a caller would lose what lets it in, if a service did not refuse them. */
import { sentName } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import { namesRow } from "../judge/hidden.ts";
import type { Request } from "../world/message.ts";
import type { Ran, World } from "../world/world.ts";
import { isObject, parsed } from "./bodies.ts";
import { fieldText } from "./held.ts";

/**
 * Whether a step is to refuse that callers change their own row, and the body has other values than
 * it: with the values that are there a service shows as well whether it refuses, and a caller who
 * comes in by a row at the start is let in by a wrong service, too.
 */
export function mayLockOut(world: World, request: Request, ran: Ran): boolean {
  const { endpoint, outcome, failures } = ran;
  const { caller, commit, error } = outcome;
  if (endpoint === undefined || caller === undefined || error === undefined) return false;
  if (commit || failures.length > 0) return false;
  const members = parsed(request.body ?? "");
  const row = world.rows(caller.resource).find(({ key }) => key === caller.key);
  if (row === undefined || !isObject(members)) return false;
  const isNamed = endpoint.bindings.some((one) => namesRow(world, request, one, row));
  return (
    isNamed && Object.entries(members).some(([name, value]) => isOther(world, row, name, value))
  );
}

/** Whether the row holds another value in the field that a body calls so. */
function isOther(world: World, row: Row, name: string, value: unknown): boolean {
  const { plan } = world;
  const resource = plan.resources.find((one) => one.name === row.resource);
  const field = resource?.fields.find((one) => sentName(one) === name);
  if (field === undefined) return false;
  const text = fieldText({ plan, world }, row, field.name);
  return text === undefined || JSON.stringify(JSON.parse(text)) !== JSON.stringify(value);
}
