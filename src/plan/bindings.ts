/** All rows that paths name. */
import type { Binding, Service } from "./types/index.ts";

/** Those of endpoints, then those of streams. */
export function bindingsIn({
  endpoints,
  streams,
}: Pick<Service, "endpoints" | "streams">): readonly Binding[] {
  return [...endpoints, ...streams].flatMap(({ bindings = [] }) => bindings);
}
