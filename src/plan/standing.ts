/** Which rows decide whether whoever has opened a stream may go on reading it. */
import { type Code, everyPart } from "../expr/index.ts";
import { isStated } from "./answers.ts";
import type { Plan } from "./types/index.ts";
import { rowsOf } from "./within-rows.ts";

/** Resources that Caller conditions, actors and paths of streams read, of a plan with streams. */
export function standingOf({ streams, schemes, actors, resources }: Plan): ReadonlySet<string> {
  const found = new Set<string>();
  if (streams.length === 0) return found;
  const open: string[] = [];
  const find = (resource: string): void => {
    if (!found.has(resource)) open.push(resource);
    found.add(resource);
  };
  const read = (code: Code): void => {
    for (const part of everyPart(code)) {
      if (part.op === "rows") find(part.resource);
      if (part.type.kind === "row") find(part.type.resource);
    }
  };
  for (const { resource, where } of streams.flatMap(({ bindings = [] }) => bindings)) {
    find(resource);
    if (where !== undefined) read(where.code);
  }
  for (const { holds } of actors) if (isStated(holds)) read(holds.value.code);
  for (const { caller } of schemes) {
    if (!isStated(caller)) continue;
    find(caller.value.resource);
    read(caller.value.where.code);
  }
  // Of a row that is read, `Rows` of its resource decides whether it is there for the caller.
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const rows = rowsOf(resources.find((one) => one.name === name));
    if (rows?.kind === "rows") read(rows.where.code);
  }
  return found;
}
