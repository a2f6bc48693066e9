/** Compares the members of objects: which there are, which have to be there, and each. */
import type { ChangeName } from "../../language/index.ts";
import { type MapNode, type Node, type Place, valueAt } from "../tree/index.ts";
import { add, memberPlace, type Views } from "./facts.ts";
import type { Fact, Pair, Way } from "./graph.ts";
import { type Part, textsOf, type View } from "./view.ts";
import type { Side } from "./world.ts";

/** A member as one side has it. */
interface Member {
  readonly nodes: Node[];
  readonly place: Place;
  readonly part: Part;
}

interface Members {
  readonly all: ReadonlyMap<string, Member>;
  readonly needed: ReadonlyMap<string, { readonly place: Place; readonly part: Part }>;
}

/** The members that a schema has, and those that have to be there. */
function membersOf(view: View): Members {
  const all = new Map<string, Member>();
  const needed = new Map<string, { place: Place; part: Part }>();
  for (const { node, part } of view.get("properties")) {
    if (node.kind !== "map") continue;
    node.keys.forEach((name, index) => {
      const value = node.values[index] as Node;
      const known = all.get(name);
      if (known === undefined) {
        all.set(name, { nodes: [value], place: node.keyPlace(name), part });
      } else known.nodes.push(value);
    });
  }
  for (const { node, part } of view.get("required")) {
    if (node.kind !== "list") continue;
    const places = new Map(
      node.items.map((each) => [each.kind === "scalar" ? each.value : "", each]),
    );
    for (const name of textsOf(node)) {
      if (!needed.has(name)) needed.set(name, { place: places.get(name) ?? node, part });
    }
  }
  return { all, needed };
}

/** Whether a member is only answered, or only sent. */
function isOnly(side: Side, member: Member | undefined, key: "readOnly" | "writeOnly"): boolean {
  return (member?.nodes ?? []).some((node) => {
    if (valueAt(node, key) === true) return true;
    const found = side.resolve(node);
    return found !== node && valueAt(found, key) === true;
  });
}

/** In which directions a member goes. */
interface Goes {
  readonly in: boolean;
  readonly out: boolean;
}

function goes(side: Side, member: Member | undefined): Goes {
  return { in: !isOnly(side, member, "readOnly"), out: !isOnly(side, member, "writeOnly") };
}

type Kinds = Pick<Fact, "in" | "out">;

function only(ways: Goes, kinds: { in: ChangeName; out: ChangeName }): Kinds {
  return { ...(ways.in ? { in: kinds.in } : {}), ...(ways.out ? { out: kinds.out } : {}) };
}

const added = (isNeeded: boolean): { in: ChangeName; out: ChangeName } => ({
  in: isNeeded ? "needed input added" : "optional input added",
  out: "member added to an answer",
});

const removed = (isNeeded: boolean, isClosed: boolean): { in: ChangeName; out: ChangeName } => ({
  in: isClosed ? "input removed" : "member of an input removed",
  out: isNeeded ? "member removed from an answer" : "optional member removed from an answer",
});

/** Asks for the comparison of a member that both have. */
type Below = (sides: { before: Node[]; now: Node[] }, at: string, cut?: Way) => void;

/** Compares the members of two objects. */
export class MemberComparison {
  private readonly sides: { readonly before: Side; readonly now: Side };

  constructor(sides: { readonly before: Side; readonly now: Side }) {
    this.sides = sides;
  }

  compare(pair: Pair, views: Views, below: Below): void {
    const [old, own] = [membersOf(views.before), membersOf(views.now)];
    const isClosed = ["additionalProperties", "unevaluatedProperties"].some((key) =>
      views.now.get(key).some(({ node }) => node.kind === "scalar" && node.value === false),
    );
    for (const name of new Set([...old.all.keys(), ...own.all.keys()])) {
      const [before, now] = [old.all.get(name), own.all.get(name)];
      const at = `.${name}`;
      if (before === undefined && now !== undefined) {
        const kinds = only(goes(this.sides.now, now), added(own.needed.has(name)));
        add(pair, kinds, { at, now: now.place }, ownerOf(now.part));
      } else if (now === undefined && before !== undefined) {
        const kinds = only(
          goes(this.sides.before, before),
          removed(old.needed.has(name), isClosed),
        );
        add(pair, kinds, { at, before: before.place }, ownerOf(before.part));
      } else if (before !== undefined && now !== undefined) {
        this.ofBoth(pair, { name, before, now, old, own, views }, below);
      }
    }
    for (const name of new Set([...old.needed.keys(), ...own.needed.keys()])) {
      if (old.all.has(name) || own.all.has(name)) continue;
      this.ofNeeded(pair, { name, old, own, views }, { in: true, out: true });
    }
  }

  private ofBoth(pair: Pair, found: Found, below: Below): void {
    const { name, before, now, old, own } = found;
    const [was, is] = [goes(this.sides.before, before), goes(this.sides.now, now)];
    const at = `.${name}`;
    for (const way of ["in", "out"] as const) {
      if (was[way] === is[way]) continue;
      const isNeeded = (is[way] ? own : old).needed.has(name);
      const kinds = is[way] ? added(isNeeded) : removed(isNeeded, true);
      const what = way === "in" ? "readOnly" : "writeOnly";
      const other = way === "in" ? "out" : "in";
      const told = { [way]: kinds[way], [other]: "annotation changed" as const };
      add(pair, told, { at, what, before: before.place, now: now.place }, ownerOf(now.part));
    }
    const ways = { in: was.in && is.in, out: was.out && is.out };
    this.ofNeeded(pair, found, ways);
    const cut = ways.in ? (ways.out ? undefined : "out") : "in";
    below({ before: before.nodes, now: now.nodes }, at, cut);
  }

  private ofNeeded(
    pair: Pair,
    { name, old, own, views }: Omit<Found, "before" | "now">,
    ways: Goes,
  ): void {
    const [before, now] = [old.needed.get(name), own.needed.get(name)];
    if ((before === undefined) === (now === undefined)) return;
    const kinds: { in: ChangeName; out: ChangeName } =
      before === undefined
        ? { in: "input now needed", out: "member now always sent" }
        : { in: "input no longer needed", out: "member no longer always sent" };
    const place = (
      view: View,
      member: Member | undefined,
      part: Part | undefined,
    ): { map: MapNode } | Place =>
      member?.place ?? memberPlace((counter(view, part) ?? part)?.map as MapNode, "required");
    const part = (now ?? before)?.part;
    add(pair, only(ways, kinds), {
      at: `.${name}`,
      before: before?.place ?? (place(views.before, old.all.get(name), part) as Place),
      now: now?.place ?? (place(views.now, own.all.get(name), part) as Place),
      ...ownerOf(part),
    });
  }
}

interface Found {
  readonly name: string;
  readonly before: Member;
  readonly now: Member;
  readonly old: Members;
  readonly own: Members;
  readonly views: Views;
}

const counter = (view: View, part: Part | undefined): Part | undefined =>
  view.parts.find(({ owner }) => owner === part?.owner) ?? view.parts[0];

function ownerOf(part: Part | undefined): { readonly owner?: string } {
  return part?.owner === undefined ? {} : { owner: part.owner };
}
