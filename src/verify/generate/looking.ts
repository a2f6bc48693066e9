/** Reads what nobody has seen: texts that the service has made, on which later answers hang. */
import type { Request } from "../world/message.ts";
import { type Exploring, foreseen, makingOf, shownMarks } from "./explore.ts";
import { requestTo } from "./requests.ts";

/** Requests of which the one is chosen that shows most. */
const TRIED = 16;

/** A request that shows texts which nobody has seen; undefined: none was found. */
export function lookAt(exploring: Exploring): Request | undefined {
  const { judge, random } = exploring;
  const reading = judge.world.plan.endpoints.filter(({ method }) => method === "GET");
  let best: { readonly request: Request; readonly shown: number } | undefined;
  for (let i = 0; i < TRIED && reading.length > 0; i++) {
    const making = { ...makingOf(exploring), wrong: 0, again: 0 };
    const request = requestTo(making, random.pick(reading));
    const ran = foreseen(exploring, request);
    if (ran === undefined || ran.outcome.response.status >= 300) continue;
    const shown = new Set(shownMarks(ran)).size;
    if (shown > (best?.shown ?? 0)) best = { request, shown };
  }
  return best?.request;
}
