/** Takes a plan, gives a request that a person can try at once; sends nothing. */
import { type Endpoint, isStated, type Plan, statedOf } from "../plan/index.ts";
import { sampleBody } from "./sample-body.ts";

const SIMPLE = new Set(["GET", "HEAD"]);

/** Whether a request without credentials, parameters and headers of its own is answered. */
function isOpen(endpoint: Endpoint, plan: Plan): boolean {
  const always = (name: string) =>
    plan.actors.some((actor) => actor.name === name && actor.holds.is === "always");
  return (
    (!isStated(endpoint.who) || endpoint.who.value.some(always)) &&
    endpoint.path.every((part) => "literal" in part) &&
    endpoint.inputs.every((input) => input.needed === "no")
  );
}

function pathOf(endpoint: Endpoint, plan: Plan): string {
  const base = statedOf(plan.about.basePath) ?? "";
  const parts = endpoint.path.map((part) =>
    "literal" in part ? part.literal : `${part.before ?? ""}1${part.after ?? ""}`,
  );
  return `${base}/${parts.join("/")}`;
}

/** One word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./:-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The body of a request that makes something, ready for `curl`. */
function bodyWords(endpoint: Endpoint, plan: Plan): string | undefined {
  if (!isStated(endpoint.body) || !isStated(plan.about.bodyFormat)) return undefined;
  const body = sampleBody(plan, endpoint.body.value);
  if (body === undefined) return undefined;
  const media = endpoint.body.value.format ?? plan.about.bodyFormat.value;
  return ` -H ${quoted(`Content-Type: ${media}`)} -d ${quoted(body)}`;
}

/**
 * A `curl` line for the endpoint that is easiest to try: one that reads and needs nothing, else one
 * that makes something from a body that can be told, else any. `address` has no slash at its end.
 */
export function sampleRequest(plan: Plan, address: string): string {
  const { endpoints } = plan;
  const open = endpoints.filter((each) => isOpen(each, plan));
  const made = open.find((each) => bodyWords(each, plan) !== undefined);
  const endpoint =
    open.find((each) => SIMPLE.has(each.method)) ??
    made ??
    endpoints.find((each) => each.method === "GET") ??
    endpoints[0];
  if (endpoint === undefined) return `curl -i ${quoted(`${address}/`)}`;
  const method = endpoint.method === "GET" ? "" : ` -X ${endpoint.method}`;
  const body = bodyWords(endpoint, plan) ?? "";
  return `curl -i${method} ${quoted(address + pathOf(endpoint, plan))}${body}`;
}
