/** What determines the answers to requests that belong to no endpoint. */
import { gapOf } from "../answers.ts";
import type { Endpoint, FailureCondition, Service } from "../types/index.ts";
import type { Causes } from "./causes.ts";
import { Uses } from "./uses.ts";
import { GAP_STATUS } from "./walk.ts";

/** A request without an endpoint: its path is unknown, or has other methods, or it has no path. */
export interface Nowhere {
  readonly is: "unknown path" | "unknown method" | "options" | "options of all";
  /** The endpoints that have the path. */
  readonly endpoints: readonly Endpoint[];
}

/** A condition that no endpoint is found by, or what it is asked for. */
type Asked = FailureCondition | Nowhere["is"];

/** Status of the answer to OPTIONS. */
const OPTIONS_STATUS = 204;

type Asking = Pick<Nowhere, "endpoints"> & { readonly is: Asked };

/** Whether a stream, which is opened by GET, may be at the path. */
function mayBeStream({ is, endpoints }: Asking): boolean {
  return is !== "options of all" && endpoints.every(({ method }) => method !== "GET");
}

/**
 * The gap that such a request may meet before it is known that it belongs nowhere: a page of
 * another origin asks, or a stream whose path is not shown may be there.
 */
export function nowhereGap({ about, streams }: Service, asking: Asking): Causes | undefined {
  const paths = mayBeStream(asking) ? streams.map(({ path }) => gapOf(path)) : [];
  const ends = [gapOf(about.crossOrigin), ...paths].filter((gap) => gap !== undefined);
  return ends.length === 0 ? undefined : { ends, before: [], shown: [] };
}

/** What determines the answer to such a request, with its status. */
export function nowhereCauses(
  service: Service,
  asking: Asking,
): { readonly causes: Causes; readonly status: number } {
  const { is, endpoints } = asking;
  const before = new Uses(service);
  // The asterisk stands below no base path.
  if (is !== "options of all") before.answer(service.about.basePath);
  before.answer(service.about.crossOrigin);
  for (const { id, value } of service.headers ?? []) {
    before.add(id);
    before.expression(before.answer(value));
  }
  if (mayBeStream(asking)) for (const { path } of service.streams) before.answer(path);
  const row = service.failures.find((one) => one.condition === is);
  const error = service.errors.find(
    (one) => row?.answer.is === "error" && one.name === row.answer.error,
  );
  // The methods of the path are told; where nothing is, no more than that it has some.
  const areTold = is === "options" || error !== undefined || endpoints.length === 1;
  if (areTold) before.add(...endpoints.map((one) => one.id));
  if (is === "options" || is === "options of all") {
    const causes = { ends: [], before: [...before.items], shown: [] };
    return { causes, status: OPTIONS_STATUS };
  }
  const shown = new Uses(service);
  if (error !== undefined) shown.error(error.name);
  for (const { value } of row?.columns ?? []) shown.answer(value);
  return {
    causes: {
      ends: row === undefined ? [] : [row.id],
      before: [...before.items],
      shown: [...shown.items].filter((id) => !before.items.has(id)),
    },
    status: error?.status.is === "stated" ? error.status.value : GAP_STATUS,
  };
}
