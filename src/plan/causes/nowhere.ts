/** What determines the answers to requests that belong to no endpoint. */
import type { Endpoint, FailureCondition, Service } from "../types/index.ts";
import type { Causes } from "./causes.ts";
import { Uses } from "./uses.ts";
import { GAP_STATUS } from "./walk.ts";

/** A request without an endpoint: its path is unknown, or has other methods. */
export interface Nowhere {
  readonly is: "unknown path" | "unknown method" | "options";
  /** The endpoints that have the path. */
  readonly endpoints: readonly Endpoint[];
}

/** Status of the answer to OPTIONS. */
const OPTIONS_STATUS = 204;

/** What determines the answer to such a request, with its status. */
export function nowhereCauses(
  service: Service,
  { is, endpoints }: Pick<Nowhere, "endpoints"> & { readonly is: FailureCondition | "options" },
): { readonly causes: Causes; readonly status: number } {
  const before = new Uses(service);
  before.answer(service.about.basePath);
  before.answer(service.about.crossOrigin);
  const row = service.failures.find((one) => one.condition === is);
  const error = service.errors.find(
    (one) => row?.answer.is === "error" && one.name === row.answer.error,
  );
  // The methods of the path are told; where nothing is, no more than that it has some.
  const areTold = is === "options" || error !== undefined || endpoints.length === 1;
  if (areTold) before.add(...endpoints.map((one) => one.id));
  if (is === "options") {
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
