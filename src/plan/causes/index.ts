/** What determines an answer: the items of a plan that a request to an endpoint consults. */
import type { Endpoint, ItemId, Service } from "../types/index.ts";
import type { Causes } from "./causes.ts";
import { type Asked, endsOf } from "./ends.ts";
import type { Trail } from "./trail.ts";
import { type End, GAP_STATUS } from "./walk.ts";

export type { Causes } from "./causes.ts";
export { type Nowhere, nowhereCauses, nowhereGap } from "./nowhere.ts";
export type { Conditions } from "./stages.ts";

/** Statuses with which a request to the endpoint can end, in order, each once. */
export function statusesOf(service: Service, endpoint: Endpoint, asked: Asked): number[] {
  const { ends } = endsOf(service, endpoint, asked);
  const statuses = new Set(ends.flatMap((end) => end.status ?? []));
  if (causesOf(service, endpoint, { ...asked, status: GAP_STATUS })) statuses.add(GAP_STATUS);
  return [...statuses].sort((a, b) => a - b);
}

/**
 * A way in which a request can end: the step, row or limit that answers; what it shows. `at`: the
 * step or check at which it is met; the endpoint: before any of them; undefined: at any time.
 */
export type WayToEnd = Pick<End, "id" | "at" | "status" | "error" | "shown">;

/** All of them, in the order in which they are met; those without a status end in a gap. */
export function waysToEnd(service: Service, endpoint: Endpoint, asked: Asked): readonly WayToEnd[] {
  return endsOf(service, endpoint, asked).ends;
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
  if (status === GAP_STATUS && error === undefined) return gapCauses(service, ends, trail);
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

const blocking = new WeakMap<Service, ReadonlySet<ItemId>>();

/** The gaps on which some answer hangs; looked for once in a service. */
function blockingIn(service: Service): ReadonlySet<ItemId> {
  const known =
    blocking.get(service) ?? new Set(service.gaps.flatMap((one) => (one.blocking ? [one.id] : [])));
  blocking.set(service, known);
  return known;
}

/** What ends in a gap: the gaps that are consulted, and the way to the last of them. */
function gapCauses(service: Service, ends: readonly End[], trail: Trail): Causes | undefined {
  const gaps = blockingIn(service);
  const met = ends.filter(({ status, shown }) => {
    return status === GAP_STATUS || [...shown].some((id) => gaps.has(id));
  });
  const stations = trail.on(ends.map((end) => end.after));
  const last = stations.findLastIndex(({ items }) => [...items].some((id) => gaps.has(id)));
  const way = new Set([...stations.slice(0, last + 1), ...trail.on(met.map((end) => end.after))]);
  const before = new Set([
    ...[...way].flatMap(({ id, items }) => [id, ...items]),
    ...met.flatMap((end) => end.within),
  ]);
  const shown = new Set(met.flatMap((end) => [...end.shown]));
  const own = met.flatMap(({ id, status }) => (status === GAP_STATUS ? [id] : []));
  const causes = new Set([...own, ...[...before, ...shown].filter((id) => gaps.has(id))]);
  if (causes.size === 0) return undefined;
  return {
    ends: [...causes],
    before: [...before].filter((id) => !causes.has(id)),
    shown: [...shown].filter((id) => !causes.has(id) && !before.has(id)),
  };
}
