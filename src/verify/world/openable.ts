/** The plan that a model runs: its streams are opened by requests, as endpoints are. */
import { type ItemId, type Plan, withStreams } from "../../plan/index.ts";

/** The plan with an endpoint for each of its streams; as it is where it has them. */
export function openable(plan: Plan): Plan {
  const ids = new Set(plan.endpoints.map(({ id }) => id));
  return plan.streams.some(({ id }) => ids.has(id)) ? plan : withStreams(plan);
}

/** The item of the document for one of the endpoint that a stream is. */
export function statedItem({ streams }: Plan, item: ItemId): ItemId {
  const made = ["open", "resuming", "last event"];
  const found = streams.find(({ id }) => made.some((one) => item === `${id}/${one}`));
  return found?.id ?? item;
}
