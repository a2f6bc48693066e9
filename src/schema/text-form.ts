/** How texts stand for values of a schema, by what it states of its type. */
import { isList, isObject, type Tree, type TreeObject } from "./tree.ts";

/** `object`: each member has a form of its own; undefined: its schema does not say. */
export type TextForm =
  | { readonly is: "text" | "json" }
  | { readonly is: "list"; readonly of: TextForm }
  | { readonly is: "object"; member(name: string): TextForm | undefined };

/** The schema that a reference names. */
type Find = (reference: string) => Tree | undefined;

const TEXT: TextForm = { is: "text" };
const JSON_TEXT: TextForm = { is: "json" };
/** Schemas that are followed on one value to find out what type they state. */
const HOPS_MAX = 100;

/** The schema itself, or the one that it is another name of. */
function followed(find: Find, start: Tree | undefined): TreeObject | undefined {
  let node = start;
  for (let hops = 0; isObject(node) && hops < HOPS_MAX; hops++) {
    const to = node.get("$ref");
    if (node.has("type") || typeof to !== "string") return node;
    node = find(to);
  }
  return undefined;
}

/** The properties of an object, those of its `allOf` among them. */
function propertiesOf(find: Find, node: TreeObject): ReadonlyMap<string, Tree> {
  const found = new Map<string, Tree>();
  const seen = new Set<TreeObject>();
  const open: (Tree | undefined)[] = [node];
  while (open.length > 0) {
    const next = open.pop();
    if (!isObject(next) || seen.has(next)) continue;
    seen.add(next);
    const own = next.get("properties");
    for (const [name, one] of isObject(own) ? own : []) if (!found.has(name)) found.set(name, one);
    const all = next.get("allOf");
    if (isList(all)) open.push(...all);
    const to = next.get("$ref");
    if (typeof to === "string") open.push(find(to));
  }
  return found;
}

/** The form of a value of one type that is not made of others. */
function ofScalar(type: Tree | undefined): TextForm | undefined {
  if (type === "string") return TEXT;
  return type === "integer" || type === "number" || type === "boolean" ? JSON_TEXT : undefined;
}

/** The one form of all that a schema offers; none where two differ. Each is looked at once. */
function alike(find: Find, node: TreeObject): TextForm | undefined {
  const forms = new Set<TextForm | undefined>();
  const seen = new Set<TreeObject>();
  const open: (Tree | undefined)[] = [node];
  while (open.length > 0 && !forms.has(undefined)) {
    const next = followed(find, open.pop());
    if (next !== undefined && seen.has(next)) continue;
    if (next !== undefined) seen.add(next);
    const offers = next?.get("anyOf") ?? next?.get("oneOf");
    if (next?.has("type") === false && isList(offers)) open.push(...offers);
    else forms.add(ofScalar(next?.get("type")));
  }
  return forms.size === 1 ? [...forms][0] : undefined;
}

function formFrom(find: Find, start: Tree | undefined, hops: number): TextForm | undefined {
  const node = followed(find, start);
  if (node === undefined) return undefined;
  const type = node.get("type");
  switch (type) {
    case "array": {
      const of = hops < HOPS_MAX ? formFrom(find, node.get("items"), hops + 1) : undefined;
      return of === undefined || of.is === "list" ? undefined : { is: "list", of };
    }
    case "object": {
      const members = propertiesOf(find, node);
      // A name that the schema does not have stands for its text.
      const member = (name: string) =>
        members.has(name) ? formFrom(find, members.get(name), 0) : TEXT;
      return { is: "object", member };
    }
    case undefined:
      return alike(find, node);
    default:
      return ofScalar(type);
  }
}

/** How a text stands for a value; undefined: the schema does not say. */
export function textForm(find: Find, node: Tree | undefined): TextForm | undefined {
  return formFrom(find, node, 0);
}

/** Whether the schema, and each that a member or item of a value has, says how a text stands. */
export function saysTexts(find: Find, start: Tree | undefined): boolean {
  const seen = new Set<Tree>();
  const open = [start];
  while (open.length > 0) {
    const node = followed(find, open.pop());
    if (node === undefined || formFrom(find, node, 0) === undefined) return false;
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.get("type") === "array") open.push(node.get("items"));
    if (node.get("type") === "object") open.push(...propertiesOf(find, node).values());
  }
  return true;
}
