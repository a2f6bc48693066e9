/** What the examples of a document send in bodies, by the endpoint that they are sent to. */
import type { Endpoint, Plan } from "../../plan/index.ts";
import { parseExample, quotedPlaceholders } from "../../spec/index.ts";
import { isObject, type Json, parsed } from "./bodies.ts";
import type { Making } from "./making.ts";

/** JSON texts of the members of one body, by their names. */
type ExampleBody = ReadonlyMap<string, string>;

const found = new WeakMap<Plan, ReadonlyMap<Endpoint, readonly ExampleBody[]>>();

/** What JSON text of an example holds; undefined: it is none. Placeholders are texts. */
export function jsonIn(written: string): Json | undefined {
  return parsed(quotedPlaceholders(written));
}

/** The members of a body; none where it is no JSON object. */
function membersOf(text: string): ExampleBody {
  const body = jsonIn(text);
  const members = isObject(body) ? Object.entries(body) : [];
  const texts = members.map(([name, one]) => [name, JSON.stringify(one)] as const);
  // What an answer before has shown is no value here.
  return new Map(texts.filter(([, json]) => !json.includes("{{")));
}

function bodiesOf({ plan, world }: Making): ReadonlyMap<Endpoint, readonly ExampleBody[]> {
  const known = found.get(plan);
  if (known !== undefined) return known;
  const bodies = new Map<Endpoint, ExampleBody[]>();
  const exchanges = plan.examples.flatMap(({ text }) => parseExample(text).exchanges);
  for (const { request, response } of exchanges) {
    // What was refused shows what is wrong.
    if (response.status >= 400) continue;
    const [path = ""] = request.target.text.split("?");
    const match = world.program.match(request.method.text, path);
    const endpoint = match.is === "endpoint" ? plan.endpoints[match.endpoint] : undefined;
    const members = membersOf(request.body?.text ?? "");
    if (endpoint === undefined || members.size === 0) continue;
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
