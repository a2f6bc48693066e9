/** References between the schemas of a document: `#/$defs/NAME`, a longer pointer, or an anchor. */
import { keywords } from "./keywords.ts";
import { isList, isObject, type Tree, type TreeObject } from "./tree.ts";

/** A reference in its pieces, or why it is none of a document. */
export type Reference =
  | { readonly is: "pointer"; readonly name: string; readonly path: readonly string[] }
  | { readonly is: "anchor"; readonly anchor: string }
  | { readonly is: "wrong"; readonly message: string };

const wrong = (message: string): Reference => ({ is: "wrong", message });

/** Takes a reference apart. */
export function readReference(text: string): Reference {
  if (!text.startsWith("#")) return wrong("leads out of the document");
  let fragment: string;
  try {
    fragment = decodeURIComponent(text.slice(1));
  } catch {
    return wrong("is percent-encoded wrongly");
  }
  if (fragment !== "" && !fragment.startsWith("/")) return { is: "anchor", anchor: fragment };
  const [, defs, name, ...path] = fragment
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
  if (defs !== "$defs" || name === undefined) return wrong("names no schema of the document");
  return { is: "pointer", name, path };
}

/** The reference to a schema by its name. */
export function referenceTo(name: string): string {
  const token = name.replaceAll("~", "~0").replaceAll("/", "~1");
  return `#/$defs/${encodeURIComponent(token)}`;
}

/** The schema at a path below another one; undefined where none stands there. */
export function schemaAt(root: Tree, path: readonly string[]): Tree | undefined {
  let node: Tree | undefined = root;
  for (let i = 0; i < path.length; i++) {
    const word = path[i] ?? "";
    if (!isObject(node)) return undefined;
    const value: Tree | undefined = node.get(word);
    const shape = keywords.get(word)?.shape;
    if (shape === "schema") node = value;
    else if (shape === "list of schemas" && isList(value)) {
      const index = path[++i] ?? "";
      node = /^(?:0|[1-9][0-9]*)$/.test(index) ? value[Number(index)] : undefined;
    } else if ((shape === "map of schemas" || shape === "map of patterns") && isObject(value)) {
      node = value.get(path[++i] ?? "");
    } else return undefined;
  }
  return typeof node === "boolean" || isObject(node) ? node : undefined;
}

/** A schema in another one, and the keyword that it stands in. */
interface Inner {
  readonly keyword: string;
  readonly schema: Tree;
}

/** The schemas that stand directly in one, in the order of the text. */
export function schemasIn(node: TreeObject): readonly Inner[] {
  const found: Inner[] = [];
  for (const [keyword, value] of node) {
    const shape = keywords.get(keyword)?.shape;
    if (shape === "schema") found.push({ keyword, schema: value });
    else if (shape === "list of schemas" && isList(value)) {
      for (const schema of value) found.push({ keyword, schema });
    } else if ((shape === "map of schemas" || shape === "map of patterns") && isObject(value)) {
      for (const schema of value.values()) found.push({ keyword, schema });
    }
  }
  return found;
}
