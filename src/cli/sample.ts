/** Takes a plan, gives a request that a person can try at once; sends nothing. */
import type { Endpoint, Plan } from "../plan/index.ts";

const SIMPLE = new Set(["GET", "HEAD"]);

/** Whether a request without parameters, credentials and body is a whole one. */
function isPlain(endpoint: Endpoint, plan: Plan): boolean {
  const isOpen = endpoint.who.is !== "stated" || endpoint.who.value.some((name) =>
    plan.actors.some((actor) => actor.name === name && actor.holds.is === "always"));
  return SIMPLE.has(endpoint.method) && isOpen &&
    endpoint.path.every((part) => "literal" in part) &&
    endpoint.inputs.every((input) => input.needed === "no");
}

function pathOf(endpoint: Endpoint, plan: Plan): string {
  const base = plan.about.basePath.is === "stated" ? plan.about.basePath.value : "";
  const parts = endpoint.path.map((part) => "literal" in part ? part.literal : "1");
  return `${base}/${parts.join("/")}`;
}

/** One word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * A `curl` line for the endpoint that is easiest to try: one that reads and needs nothing, else one
 * that reads, else any. `address` is the service's, without a slash at its end.
 */
export function sampleRequest(plan: Plan, address: string): string {
  const { endpoints } = plan;
  const endpoint = endpoints.find((each) => isPlain(each, plan)) ??
    endpoints.find((each) => each.method === "GET") ?? endpoints[0];
  if (endpoint === undefined) return `curl -i ${quoted(`${address}/`)}`;
  const method = endpoint.method === "GET" ? "" : ` -X ${endpoint.method}`;
  return `curl -i${method} ${quoted(address + pathOf(endpoint, plan))}`;
}
