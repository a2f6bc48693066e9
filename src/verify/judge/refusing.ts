/** Which clauses of the document refuse a request as it was refused, though it was not to be. */
import { type Endpoint, type ItemId, isStated, itemOf, type Plan } from "../../plan/index.ts";
import type { Answer } from "../world/message.ts";
import type { Ran } from "../world/world.ts";

/** More clauses than these tell nothing. */
const CLAUSES_MAX = 5;

/** The items, as far as they have to do with the endpoint; none: it was not, or by too many. */
export function refusing(
  plan: Plan,
  { endpoint, outcome }: Pick<Ran, "endpoint" | "outcome">,
  { status, body = "" }: Pick<Answer, "status" | "body">,
): readonly ItemId[] {
  if (endpoint === undefined || status < 400) return [];
  const named = plan.errors.filter((one) => {
    return isStated(one.status) && one.status.value === status && holds(body, one.name);
  });
  const [error, ...others] = named;
  if (error === undefined || others.length > 0 || error.name === outcome.error) return [];
  const found = new Set(clausesOf(plan, endpoint, error.name));
  return found.size > CLAUSES_MAX ? [] : [...found];
}

const holds = (body: string, text: string): boolean => body.includes(JSON.stringify(text));

function clausesOf(plan: Plan, endpoint: Endpoint, error: string): readonly ItemId[] {
  const { idempotency, ...rest } = endpoint;
  const limits = plan.limits.filter(({ counts }) => {
    const name = counts.is === "requests" ? counts.endpoint : undefined;
    return name === undefined || `endpoints/${name}` === endpoint.id;
  });
  const found = [...itemsWith(rest, error), ...itemsWith(limits, error)];
  const keyed = [...itemsWith(idempotency, error)];
  if (idempotency === undefined || keyed.length === 0) return found;
  const whose = isStated(idempotency.per) ? itemOf(idempotency.per) : undefined;
  return [...found, ...keyed, ...(whose === undefined ? [] : [whose]), idempotency.id];
}

/** Items inside of a part of a plan that refuse with the error. */
function* itemsWith(node: unknown, error: string, item?: ItemId): Generator<ItemId> {
  if (typeof node !== "object" || node === null) return;
  const own = node as Readonly<Record<string, unknown>>;
  const at = typeof own["id"] === "string" ? (own["id"] as ItemId) : item;
  if (own["is"] === "error" && own["error"] === error && at !== undefined) yield at;
  for (const one of Object.values(own)) yield* itemsWith(one, error, at);
}
