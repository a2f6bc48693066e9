/** Which rows decide whether whoever has opened a stream may go on reading it. */
import { type Code, everyPart } from "../expr/index.ts";
import { isStated } from "./answers.ts";
import type { Plan } from "./types/index.ts";

/** Resources that Caller conditions, actors and paths of streams read, of a plan with streams. */
export function standingOf({ streams, schemes, actors }: Plan): ReadonlySet<string> {
  const found = new Set<string>();
  const read: Code[] = [];
  if (streams.length === 0) return found;
  for (const { resource, where } of streams.flatMap(({ bindings = [] }) => bindings)) {
    found.add(resource);
    if (where !== undefined) read.push(where.code);
  }
  const codes = actors.flatMap(({ holds }) => (isStated(holds) ? [holds.value.code] : []));
  for (const { caller } of schemes) {
    if (!isStated(caller)) continue;
    found.add(caller.value.resource);
    codes.push(caller.value.where.code);
  }
  for (const part of [...codes, ...read].flatMap((code) => [...everyPart(code)])) {
    if (part.op === "rows") found.add(part.resource);
    if (part.type.kind === "row") found.add(part.type.resource);
  }
  return found;
}
