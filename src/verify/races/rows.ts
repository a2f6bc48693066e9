/** Which rows a request changes in the model. */
import { type Endpoint, touchesOf } from "../../plan/index.ts";
import type { Row } from "../../run/index.ts";
import type { Request } from "../world/message.ts";
import type { World } from "../world/world.ts";

/** The endpoint of a request; undefined: none of the document's. */
export function endpointOf({ program, plan }: World, request: Request): Endpoint | undefined {
  const match = program.match(request.method, request.target.split("?")[0] ?? "");
  return match.is === "endpoint" ? plan.endpoints[match.endpoint] : undefined;
}

const nameOf = ({ resource, key }: Row): string => `${resource} ${key}`;

/** Tells what rows are changed. */
export class RowsChanged {
  readonly #world: World;
  readonly #touched = new Map<Endpoint, readonly string[]>();

  constructor(world: World) {
    this.#world = world;
  }

  #resources(endpoint: Endpoint): readonly string[] {
    const known = this.#touched.get(endpoint);
    if (known !== undefined) return known;
    const found = [...touchesOf(this.#world.plan, endpoint).keys()];
    this.#touched.set(endpoint, found);
    return found;
  }

  /** Rows that were there before the work and are changed or gone behind it, by their names. */
  by(endpoint: Endpoint, work: () => void): ReadonlyMap<string, Row> {
    const world = this.#world;
    const resources = this.#resources(endpoint);
    const before = resources.flatMap((name) => [...world.rows(name)]);
    work();
    const after = new Map(
      resources.flatMap((name) => world.rows(name).map((row) => [nameOf(row), row] as const)),
    );
    const changed = before.filter((row) => {
      const now = after.get(nameOf(row));
      return now === undefined || now.values.some((value, i) => value !== row.values[i]);
    });
    return new Map(changed.map((row) => [nameOf(row), row]));
  }
}
