/** What determines an answer: the items of a plan that a request to an endpoint consults. */
import type { Endpoint, Service } from "../types/index.ts";
import type { Causes } from "./causes.ts";
import { endsOf } from "./ends.ts";
import type { Conditions } from "./stages.ts";

export type { Causes } from "./causes.ts";
export { type Nowhere, nowhereCauses } from "./nowhere.ts";
export type { Conditions } from "./stages.ts";

/** Statuses with which a request to the endpoint can end, in order, each once. */
export function statusesOf(service: Service, endpoint: Endpoint, occurs: Conditions): number[] {
  const { ends } = endsOf(service, endpoint, occurs);
  return [...new Set(ends.flatMap((end) => end.status ?? []))].sort((a, b) => a - b);
}

/**
 * The items that determine the answers of an endpoint that have a status (undefined: all answers);
 * nothing else of the plan does. Undefined: no request to it ends so.
 */
export function causesOf(
  service: Service,
  endpoint: Endpoint,
  about: { readonly occurs: Conditions; readonly status?: number },
): Causes | undefined {
  const { ends, trail } = endsOf(service, endpoint, about.occurs);
  const met = ends.filter((end) => about.status === undefined || end.status === about.status);
  if (met.length === 0) return undefined;
  const causes = new Set(met.map((end) => end.id));
  const stations = trail.on(met.map((end) => end.after)).flatMap(({ id, items }) => [id, ...items]);
  const before = new Set([...stations, ...met.flatMap((end) => end.within)]);
  const shown = new Set(met.flatMap((end) => [...end.shown]));
  return {
    ends: [...causes],
    before: [...before].filter((id) => !causes.has(id)),
    shown: [...shown].filter((id) => !causes.has(id) && !before.has(id)),
  };
}
