/** Tells data of other clients, of which the model knows nothing, in an answer. */
import { isJsonObject, type Json, parseJson, type Response } from "../../run/index.ts";
import type { Answer } from "../world/message.ts";
import { textOf } from "./compare.ts";

function treeOf(body: string | undefined): Json | undefined {
  const parsed = body === undefined ? undefined : parseJson(body);
  return parsed?.ok === true ? parsed.value : undefined;
}

/** The objects that stand in lists, as texts. */
function itemsIn(tree: Json | undefined, found: Set<string> = new Set()): Set<string> {
  if (Array.isArray(tree)) {
    for (const one of tree as readonly Json[]) {
      if (isJsonObject(one)) found.add(textOf(one));
      itemsIn(one, found);
    }
  } else if (isJsonObject(tree)) for (const one of tree.values()) itemsIn(one, found);
  return found;
}

/**
 * Whether a list in the answer has an object that nobody here has made: it is not expected, and has
 * none of the texts that all data made here have.
 */
export function showsOthers(expected: Response, { status, body }: Answer, tag: string): boolean {
  if (status !== expected.status) return false;
  const known = itemsIn(treeOf(expected.body));
  const others = [...itemsIn(treeOf(body))];
  return others.some((one) => !known.has(one) && !one.includes(tag));
}
