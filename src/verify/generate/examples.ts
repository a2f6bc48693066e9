/** What the examples of a document send in bodies, by the endpoint that they are sent to. */
import type { Endpoint, Plan } from "../../plan/index.ts";
import { parseExample, quotedPlaceholders } from "../../spec/index.ts";
import type { Making } from "./making.ts";

/** JSON texts of the members of one body, by their names. */
type ExampleBody = ReadonlyMap<string, string>;

const found = new WeakMap<Plan, ReadonlyMap<Endpoint, readonly ExampleBody[]>>();

/** The members of a body; undefined: it is no JSON object. */
function membersOf(text: string): ExampleBody | undefined {
  try {
    const body: unknown = JSON.parse(quotedPlaceholders(text));
    if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
    const members = Object.entries(body).map(([name, one]) => [name, JSON.stringify(one)] as const);
    // What an answer before has shown is no value here.
    return new Map(members.filter(([, json]) => !json.includes("{{")));
  } catch {
    return undefined;
  }
}

function bodiesOf({ plan, world }: Making): ReadonlyMap<Endpoint, readonly ExampleBody[]> {
  const known = found.get(plan);
  if (known !== undefined) return known;
  const bodies = new Map<Endpoint, ExampleBody[]>();
  const requests = plan.examples.flatMap(({ text }) => parseExample(text).exchanges);
  for (const { request } of requests) {
    const [path = ""] = request.target.text.split("?");
    const match = world.program.match(request.method.text, path);
    const endpoint = match.is === "endpoint" ? plan.endpoints[match.endpoint] : undefined;
    const members = membersOf(request.body?.text ?? "");
    if (endpoint === undefined || members === undefined || members.size === 0) continue;
    bodies.set(endpoint, [...(bodies.get(endpoint) ?? []), members]);
  }
  found.set(plan, bodies);
  return bodies;
}

/** One of the bodies that examples send to the endpoint; undefined: they send none. */
export function exampleFor(making: Making, endpoint: Endpoint): ExampleBody | undefined {
  const all = bodiesOf(making).get(endpoint) ?? [];
  return all.length === 0 ? undefined : making.random.pick(all);
}
