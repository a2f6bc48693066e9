/** Traits of AsyncAPI merged into what they are of: RFC 7386, from the side that a version says. */
import { MapNode, type Node, type Place } from "../tree/index.ts";

/** An object made of several: each member keeps the place at which it stands. */
class MergedNode extends MapNode {
  private readonly places = new Map<string, Place>();

  add(key: string, value: Node, place: Place): void {
    this.keys.push(key);
    this.keyStarts.push(place.start);
    this.values.push(value);
    this.places.set(key, place);
  }

  override keyPlace(key: string): Place {
    return this.places.get(key) ?? super.keyPlace(key);
  }
}

interface Member {
  readonly value: Node;
  readonly place: Place;
}

/** An object whose members can be merged: what a reference leads to stays whole. */
const mergeable = (node: Node | undefined): node is MapNode =>
  node?.kind === "map" && node.indexOf("$ref") < 0;

/** A pair of objects to be made one; a member that is `null` in the patch takes members away. */
interface Pair {
  readonly winner: MapNode;
  readonly other: MapNode;
  readonly patch: "winner" | "other";
}

const isNull = (node: Node | undefined): boolean => node?.kind === "scalar" && node.value === null;

function membersOf(pair: Pair): Map<string, Member> {
  const { winner, other } = pair;
  const members = new Map<string, Member>();
  for (const node of [other, winner]) {
    const isPatch = node === pair[pair.patch];
    node.keys.forEach((key, index) => {
      const value = node.values[index];
      if (value === undefined) return;
      if (isPatch && isNull(value)) {
        if (node === winner) members.delete(key);
      } else members.set(key, { value, place: node.keyPlace(key) });
    });
  }
  return members;
}

/** One object of two: members of `winner` stand before those of `other`, at every depth. */
function merged(pair: Pair): MapNode {
  const made = (node: MapNode): MergedNode => {
    const all = new MergedNode(node.file, node.start);
    all.end = node.end;
    return all;
  };
  const top = made(pair.winner);
  const left: [into: MergedNode, pair: Pair][] = [[top, pair]];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [into, { winner, other, patch }] = next;
    for (const [key, { value, place }] of membersOf(next[1])) {
      const [a, b] = [winner.get(key), other.get(key)];
      if (!mergeable(a) || !mergeable(b)) {
        into.add(key, value, place);
        continue;
      }
      const inner = made(a);
      into.add(key, inner, place);
      left.push([inner, { winner: a, other: b, patch }]);
    }
  }
  return top;
}

/**
 * An object with its traits, in their order. 2.x: each trait is a patch, and replaces what the
 * object has itself. 3.x: the object's own members stand, then those of the last trait.
 */
export function withTraits(node: MapNode, traits: readonly MapNode[], version: string): MapNode {
  const onto = (all: MapNode, each: MapNode): MapNode =>
    merged({ winner: each, other: all, patch: "winner" });
  if (version.startsWith("2")) return traits.reduce(onto, node);
  const [first, ...more] = traits;
  if (first === undefined) return node;
  return merged({ winner: node, other: more.reduce(onto, first), patch: "other" });
}
