/** Nested names of forms and queries: `a[b]`, `a[]`, `a[0]`, or `a.b`, as a tree. */
import { DEPTH_MAX, type Json, REPEATED_MAX, type Repeated } from "./json.ts";

/** How a name tells where its value stands. */
export type Nesting = "brackets" | "dots";

interface Nested {
  readonly tree: ReadonlyMap<string, Json>;
  /** Names that stand for a value, and again for what holds values. */
  readonly repeated: readonly Repeated[];
}

const BRACKETS = /^[^[\]]+(\[[^[\]]*\])+$/;

/** The names that lead to a value: the name itself where it does not nest. */
export function pathOf(name: string, nesting: Nesting): readonly string[] {
  if (nesting === "dots") return /^[^.]+(\.[^.]+)+$/.test(name) ? name.split(".") : [name];
  if (!BRACKETS.test(name)) return [name];
  const [head = "", ...rest] = name.split("[");
  return [head, ...rest.map((one) => one.slice(0, -1))];
}

/** Whether a name nests in one of these ways. */
export function mayNest(name: string): boolean {
  return pathOf(name, "brackets").length > 1 || pathOf(name, "dots").length > 1;
}

/** The name of what stands at a path, as it is sent. */
export function nameAt(path: readonly (string | number)[], nesting: Nesting | undefined): string {
  if (nesting !== "brackets") return path.join(".");
  const [head = "", ...rest] = path;
  return [head, ...rest.map((one) => `[${one}]`)].join("");
}

/**
 * The values of these names as a tree; `whole`: names that are taken as they stand. Undefined where
 * a name nests deeper than JSON may.
 */
export function nest(
  values: Iterable<readonly [name: string, value: Json]>,
  nesting: Nesting,
  whole?: ReadonlySet<string>,
): Nested | undefined {
  const tree = new Map<string, Json>();
  const repeated: Repeated[] = [];
  for (const [name, value] of values) {
    const path = whole?.has(name) === true ? [name] : pathOf(name, nesting);
    if (path.length > DEPTH_MAX) return undefined;
    if (!put(tree, path, value) && repeated.length < REPEATED_MAX) {
      repeated.push({ path: name, at: 0 });
    }
  }
  return { tree, repeated };
}

/** False: something else stands there already. */
function put(tree: Map<string, Json>, path: readonly string[], value: Json): boolean {
  let at = tree;
  for (const name of path.slice(0, -1)) {
    const inside = at.get(name) ?? new Map<string, Json>();
    if (!(inside instanceof Map)) return false;
    at.set(name, inside);
    at = inside;
  }
  const last = path.at(-1) ?? "";
  if (at.has(last)) return false;
  at.set(last, value);
  return true;
}

/**
 * The items of a list from its nested names: all under the empty name, or under 0, 1, 2 and so on;
 * undefined where they are no list.
 */
export function itemsIn(tree: ReadonlyMap<string, Json>): readonly Json[] | undefined {
  const unnamed = tree.get("");
  if (unnamed !== undefined) {
    if (tree.size > 1) return undefined;
    return Array.isArray(unnamed) ? unnamed : [unnamed];
  }
  const items: Json[] = [];
  for (let i = 0; i < tree.size; i++) {
    const item = tree.get(String(i));
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}
