/** What the parts of a file in AsyncAPI are read with. */
import { type MapNode, type Node, textAt } from "../tree/index.ts";
import type { AsyncChannel, AsyncMessage, MaybeNamed } from "./async-types.ts";
import type { Reader } from "./reader.ts";
import { withTraits } from "./traits.ts";

/** What all of one file has in common. */
export interface AsyncAbout {
  readonly root: MapNode;
  readonly version: string;
  readonly reader: Reader;
  readonly defaultContentType?: string;
  /** Messages by the object that they are, so that each is read once. */
  readonly messages: Map<MapNode, AsyncMessage>;
  readonly channels: Map<MapNode, AsyncChannel>;
}

/** The name that a reference to a member ends in; undefined: the value is no reference. */
export function nameOfRef(node: Node | undefined): string | undefined {
  const ref = textAt(node, "$ref");
  return ref
    ?.slice(ref.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}

/** Members with the objects that they are; those that lead nowhere keep their names. */
export function maybeNamed({ reader }: AsyncAbout, owner: MapNode | undefined): MaybeNamed[] {
  const found: MaybeNamed[] = [];
  owner?.keys.forEach((name, index) => {
    if (name.startsWith("x-")) return;
    const place = owner.keyPlace(name);
    const node = reader.refs.follow(owner.values[index]);
    if (node !== undefined && node.kind !== "map") {
      reader.tell("malformed", place, `\`${name}\` is an object.`);
    }
    found.push({ name, place, ...(node?.kind === "map" && { node }) });
  });
  return found;
}

/** The object with the traits that it names. */
export function traitsInto(
  { reader, version }: AsyncAbout,
  node: MapNode,
): { readonly node: MapNode; readonly traits: number } {
  const items = reader.list(node, "traits")?.items ?? [];
  const traits = items.flatMap((each) => reader.refs.map(each) ?? []);
  return { node: withTraits(node, traits, version), traits: items.length };
}
