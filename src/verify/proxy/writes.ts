/** What an exchange has changed in the model, so that what two of them have set is told. */
import { touchesOf } from "../../plan/index.ts";
import type { Row, Value } from "../../run/index.ts";
import type { Request } from "../world/message.ts";
import { unknown } from "../world/past.ts";
import type { World } from "../world/world.ts";

type Rows = ReadonlyMap<string, ReadonlyMap<number, readonly Value[]>>;

function rowsIn(world: World, resources: Iterable<string>): Rows {
  const valuesOf = (rows: readonly Row[]) => new Map(rows.map(({ key, values }) => [key, values]));
  return new Map([...resources].map((name) => [name, valuesOf(world.rows(name))]));
}

/** Values that were set, by resource, key and place. */
export class Writes {
  readonly #set = new Set<string>();

  /** Nothing was made, changed or deleted. */
  isNone = true;

  /** What the rows were that the request may change. */
  static before(world: World, request: Request): { after(world: World): Writes } {
    const match = world.program.match(request.method, request.target.split("?")[0] ?? "");
    const endpoint = match.is === "endpoint" ? world.plan.endpoints[match.endpoint] : undefined;
    const touched = endpoint === undefined ? [] : [...touchesOf(world.plan, endpoint).keys()];
    const rows = rowsIn(world, touched);
    return { after: (now) => Writes.#between(rows, rowsIn(now, touched)) };
  }

  static #between(before: Rows, after: Rows): Writes {
    const found = new Writes();
    for (const [resource, rows] of after) {
      const old = before.get(resource);
      if (old?.size !== rows.size) found.isNone = false;
      for (const [key, values] of rows) {
        const was = old?.get(key);
        if (was === undefined) found.isNone = false;
        for (const [place, value] of (was === undefined ? [] : values).entries()) {
          if (value === was?.[place]) continue;
          found.isNone = false;
          found.#set.add(JSON.stringify([resource, key, place]));
        }
      }
    }
    return found;
  }

  /** What both have set is not known, for nobody saw which came last. */
  static clash(world: World, a: Writes, b: Writes): void {
    for (const one of a.#set) {
      if (!b.#set.has(one)) continue;
      const [resource, key, place] = JSON.parse(one) as [string, number, number];
      const row = world.session.get(resource, key);
      if (row === undefined) continue;
      const values = row.values.map((value, i) => (i === place ? unknown() : value));
      world.session.update(resource, key, values);
      world.past.noteUnknown();
    }
  }
}
