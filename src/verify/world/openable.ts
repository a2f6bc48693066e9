/** The plan that a model runs: with endpoints for its streams, and with fields for its times. */
import { type ItemId, type Plan, withClocks, withStreams } from "../../plan/index.ts";

/** The plan with an endpoint for each of its streams; as it is where it has them. */
export function openable(plan: Plan): Plan {
  const ids = new Set(plan.endpoints.map(({ id }) => id));
  return plan.streams.some(({ id }) => ids.has(id)) ? plan : withStreams(plan);
}

const stored = new WeakMap<Plan, Plan>();

/** The plan with all fields that rows have: those besides the document's hold times and gaps. */
export function storedPlan(plan: Plan): Plan {
  const found = stored.get(plan) ?? withClocks(plan);
  stored.set(plan, found);
  return found;
}

/** The item of the document for one of the endpoint that a stream is. */
export function statedItem({ streams }: Plan, item: ItemId): ItemId {
  const made = ["open", "resuming", "last event"];
  const found = streams.find(({ id }) => made.some((one) => item === `${id}/${one}`));
  return found?.id ?? item;
}
