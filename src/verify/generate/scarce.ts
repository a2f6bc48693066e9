/** Requests of which a service takes few from one address, such as those that open an account. */
import { type Plan, pathText, statedOf } from "../../plan/index.ts";

/** Ids of the endpoints that have a limit of their own for all callers, or for an address. */
export function scarceEndpoints({ limits, endpoints }: Plan): ReadonlySet<string> {
  const names = limits.flatMap(({ counts, per }) => {
    const whose = statedOf(per)?.is;
    const isShared = whose === "address" || whose === "everyone";
    return isShared && counts.is === "requests" ? [counts.endpoint] : [];
  });
  const scarce = endpoints.filter(({ method, path }) =>
    names.includes(`${method} ${pathText(path)}`),
  );
  return new Set(scarce.map(({ id }) => id));
}
