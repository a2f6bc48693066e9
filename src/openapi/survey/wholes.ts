/** What a file shows of things that it does not state: states that are listed, paths in pairs. */
import type { Description, Operation } from "../model/index.ts";
import { listAt, type MapNode, type Node, type Place, textAt } from "../tree/index.ts";
import { isSuccess } from "./answers.ts";
import type { Used } from "./schemas.ts";

/** A member whose values are states, as far as names tell. */
export interface StateMember {
  readonly place: Place;
  readonly values: readonly string[];
  readonly owner?: Operation;
}

const STATE = /(^|[_-])(status|state|phase|stage)$|[a-z](Status|State|Phase|Stage)$/;

/** How a request went is no state of a thing; nor is a state of a country. */
const OUTCOMES = new Set(["success", "error", "fail", "failure", "ok", "true", "false"]);
const VALUES_MAX = 30;

function listed(node: MapNode | undefined): string[] {
  const items = listAt(node, "enum")?.items ?? [];
  return items.flatMap((each) =>
    each.kind === "scalar" && typeof each.value === "string" && each.value !== ""
      ? [each.value]
      : [],
  );
}

/** Members called status, state, phase or stage that list at least two values, in file order. */
export function stateMembers(
  schemas: readonly Used[],
  refs: Description["refs"],
): ReadonlyMap<MapNode, StateMember> {
  const found = new Map<MapNode, StateMember>();
  for (const { node, owner } of schemas) {
    const properties = node.get("properties");
    if (properties?.kind !== "map") continue;
    for (const [index, key] of properties.keys.entries()) {
      if (!STATE.test(key)) continue;
      const values = listed(refs.map(properties.values[index]));
      const isState =
        values.length > 1 &&
        values.length <= VALUES_MAX &&
        !values.every((each) => OUTCOMES.has(each.toLowerCase()));
      if (!isState) continue;
      found.set(node, { place: properties.keyPlace(key), values, ...(owner && { owner }) });
      break;
    }
  }
  return found;
}

/** Schemas of what is sent and answered, and what is one step inside: items, parts, members. */
function* shown(operation: Operation, refs: Description["refs"]): Generator<MapNode> {
  const { body, responses } = operation;
  const contents = [body?.content ?? [], ...responses.filter(isSuccess).map((one) => one.content)];
  for (const { schema } of contents.flat()) {
    const top = refs.map(schema);
    if (top === undefined) continue;
    yield top;
    const properties = top.get("properties");
    const near: (Node | undefined)[] = [
      top.get("items"),
      ...["allOf", "anyOf", "oneOf"].flatMap((key) => listAt(top, key)?.items ?? []),
      ...(properties?.kind === "map" ? properties.values : []),
    ];
    for (const each of near) {
      const one = refs.map(each);
      if (one === undefined) continue;
      yield one;
      const items = refs.map(one.get("items"));
      if (items !== undefined) yield items;
    }
  }
}

/** Whether an operation sends or answers one of these objects, itself or one step inside. */
export function shows(
  operation: Operation,
  nodes: ReadonlyMap<MapNode, unknown>,
  refs: Description["refs"],
): boolean {
  for (const each of shown(operation, refs)) if (nodes.has(each)) return true;
  return false;
}

/** Two paths, of which the second is the first and a parameter behind it. */
export interface Pair {
  readonly whole: string;
  readonly one: string;
  readonly place: Place;
  /** Whether the first has a POST. */
  readonly isMade: boolean;
  /** How many operations the second path, and those below, have. */
  readonly operations: number;
}

/**
 * Pairs of paths such as `/pets` and `/pets/{id}`: those with a POST first, and of these those with
 * most operations below.
 */
export function pairsOf({ root, operations }: Description): Pair[] {
  const paths = root.get("paths");
  if (paths?.kind !== "map") return [];
  const counts = new Map<string, number>();
  const made = new Set<string>();
  for (const { path, method } of operations) {
    if (method === "POST") made.add(path);
    let way = "";
    for (const segment of path.split("/").slice(1)) {
      way += `/${segment}`;
      counts.set(way, (counts.get(way) ?? 0) + 1);
    }
  }
  const ones = new Map<string, string>();
  for (const path of paths.keys) {
    const at = path.lastIndexOf("/");
    const whole = path.slice(0, at);
    const isOne = /^\{[^{}]*\}$/.test(path.slice(at + 1)) && !whole.endsWith("}");
    if (isOne && !ones.has(whole) && paths.indexOf(whole) >= 0) ones.set(whole, path);
  }
  return [...ones]
    .map(([whole, one]) => ({
      whole,
      one,
      place: paths.keyPlace(whole),
      isMade: made.has(whole),
      operations: counts.get(one) ?? 0,
    }))
    .toSorted((a, b) => Number(b.isMade) - Number(a.isMade) || b.operations - a.operations);
}

/** The named schema that most answers of success hold, itself or in a list, and how many. */
export function mostAnswered({
  operations,
}: Description):
  | { readonly name: string; readonly place: Place; readonly count: number }
  | undefined {
  const counts = new Map<string, { name: string; place: Place; count: number }>();
  for (const { responses } of operations) {
    for (const { schema } of responses.filter(isSuccess).flatMap((each) => each.content)) {
      const items = schema?.kind === "map" ? schema.get("items") : undefined;
      const ref = textAt(schema, "$ref") ?? textAt(items, "$ref");
      if (ref === undefined || schema === undefined) continue;
      const name = ref.slice(ref.lastIndexOf("/") + 1);
      const one = counts.get(ref) ?? { name, place: schema, count: 0 };
      one.count += 1;
      counts.set(ref, one);
    }
  }
  return [...counts.values()].toSorted((a, b) => b.count - a.count)[0];
}
