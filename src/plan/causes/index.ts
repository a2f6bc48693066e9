/** What determines an answer: the items of a plan that a request to an endpoint consults. */
import type { Endpoint, Service } from "../types/index.ts";
import type { Causes } from "./causes.ts";
import { type Asked, endsOf } from "./ends.ts";

export type { Causes } from "./causes.ts";
export { type Nowhere, nowhereCauses } from "./nowhere.ts";
export type { Conditions } from "./stages.ts";

/** Statuses with which a request to the endpoint can end, in order, each once. */
export function statusesOf(service: Service, endpoint: Endpoint, asked: Asked): number[] {
  const { ends } = endsOf(service, endpoint, asked);
  return [...new Set(ends.flatMap((end) => end.status ?? []))].sort((a, b) => a - b);
}

/** Which answers are asked about. */
interface About extends Asked {
  /** Undefined: any. */
  readonly status?: number | undefined;
  /** Null: answers that are no error. Undefined: any. */
  readonly error?: string | null;
}

/**
 * The items that determine the answers of an endpoint that are asked about; nothing else of the
 * plan does. Undefined: no request to it ends so.
 */
export function causesOf(service: Service, endpoint: Endpoint, about: About): Causes | undefined {
  const { status, error } = about;
  const { ends, trail } = endsOf(service, endpoint, about);
  const met = ends.filter(
    (end) =>
      (status === undefined || end.status === status) &&
      (error === undefined || end.error === (error ?? undefined)),
  );
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
