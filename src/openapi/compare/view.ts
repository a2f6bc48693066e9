/** A schema with all that holds for it: what `$ref`, `allOf` and choices of one add taken in. */
import { type ListNode, listAt, type MapNode, type Node, textAt, valueAt } from "../tree/index.ts";
import type { Side } from "./world.ts";

/** A member of a schema, or of one that is taken in. */
export interface Said {
  readonly node: Node;
  readonly part: Part;
  readonly key: string;
}

/** A schema object, or one that is taken in. */
export interface Part {
  readonly map: MapNode;
  /** The named schema that it is or stands in, where it was reached by that name. */
  readonly owner?: string;
}

/** Alternatives: `oneOf` or `anyOf`, without `null`. */
export interface Choice {
  readonly keyword: "oneOf" | "anyOf";
  readonly items: readonly Node[];
  readonly part: Part;
}

/** Schemas that are taken in by one, members that they have, and members for a whole file. */
const PARTS_MAX = 32;
const MEMBERS_MAX = 500;
const BUDGET = 300_000;

/** How a view is made. */
export interface Making {
  /** A choice of one stays a choice. */
  readonly keepsOnly?: boolean;
  /** Nothing is taken in: what would be is listed in `taken`. */
  readonly isShallow?: boolean;
}

/** What holds for a value: everything that all of the parts say. */
export class View {
  readonly parts: Part[] = [];
  readonly choices: Choice[] = [];
  /** Nothing is valid. */
  isNever = false;
  /** `null` is one of the alternatives. */
  isNullChosen = false;
  /** A choice of one was taken in. */
  hasOnly = false;
  /** More is to be taken in than is good: only a part of it is. */
  isMuch = false;
  /** Of a shallow view: what holds besides. */
  readonly taken: Node[] = [];
  /** Members of what was taken in. */
  members = 0;

  private said: Map<string, Said[]> | undefined;

  /** Each keyword that a part says, with what is said; to be asked when all parts are there. */
  get keywords(): ReadonlyMap<string, readonly Said[]> {
    if (this.said !== undefined) return this.said;
    const said = new Map<string, Said[]>();
    for (const part of this.parts) {
      part.map.keys.forEach((key, at) => {
        const one = { node: part.map.values[at] as Node, part, key };
        const known = said.get(key);
        if (known === undefined) said.set(key, [one]);
        else known.push(one);
      });
    }
    this.said = said;
    return said;
  }

  get(key: string): readonly Said[] {
    return this.keywords.get(key) ?? [];
  }
}

interface Left {
  readonly node: Node;
  readonly owner?: string;
}

/** Makes views; what it takes in is bounded, so that no file makes it quadratic. */
export class Views {
  private readonly side: Side;
  /** How many members of schemas may yet be taken in from elsewhere. */
  private budget = BUDGET;

  constructor(side: Side) {
    this.side = side;
  }

  /** What holds for a value. */
  of(nodes: readonly Node[], how: Making = {}): View {
    const view = new View();
    const seen = new Set<Node>();
    const left: Left[] = nodes.toReversed().map((node) => ({ node }));
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (seen.has(next.node) || view.isMuch) continue;
      seen.add(next.node);
      const more = this.take(view, next, how);
      if (how.isShallow === true) view.taken.push(...more.map(({ node }) => node));
      else left.push(...more.toReversed());
    }
    return view;
  }

  /** Adds what one schema says itself; gives those that it takes in. */
  private take(view: View, { node, owner }: Left, how: Making): Left[] {
    if (node.kind === "scalar" && node.value === false) view.isNever = true;
    if (node.kind !== "map") return [];
    const own = owner === undefined ? {} : { owner };
    const more: Left[] = [];
    const isRef = textAt(node, "$ref") !== undefined;
    if (isRef) {
      const target = this.side.follow(node);
      const name = target && this.side.names.get(target);
      if (target !== undefined) {
        more.push({ node: target, ...(name === undefined ? own : { owner: name }) });
      }
    }
    if (isRef && !this.side.hasSiblings) return more;
    const part: Part = { map: node, ...own };
    if (view.parts.length > 0) this.pay(view, node);
    view.parts.push(part);
    more.push(...takenIn(view, part, how, this.side));
    return more;
  }

  /** What is taken in from elsewhere is bounded: for one schema, and for all of a file. */
  private pay(view: View, map: MapNode): void {
    const members = map.get("properties");
    const cost = map.keys.length + (members?.kind === "map" ? members.keys.length : 0);
    view.members += cost;
    this.budget -= cost;
    const { length } = view.parts;
    view.isMuch = length >= PARTS_MAX || view.members > MEMBERS_MAX || this.budget < 0;
  }
}

/** Finds the schemas that hold besides one, and its alternatives. */
function takenIn(view: View, part: Part, { keepsOnly }: Making, side: Side): Left[] {
  const own = part.owner === undefined ? {} : { owner: part.owner };
  const more = (listAt(part.map, "allOf")?.items ?? []).map((node): Left => ({ node, ...own }));
  for (const keyword of ["oneOf", "anyOf"] as const) {
    const list = listAt(part.map, keyword);
    if (list === undefined) continue;
    const items = list.items.filter((each) => !isNull(side, each));
    if (items.length < list.items.length) view.isNullChosen = true;
    const [only] = items;
    if (items.length === 1 && only !== undefined && keepsOnly !== true) {
      view.hasOnly = true;
      more.push({ node: only, ...own });
    } else view.choices.push({ keyword, items, part });
  }
  return more;
}

function isNull(side: Side, node: Node): boolean {
  const found = side.resolve(node);
  return found.kind === "map" && valueAt(found, "type") === "null" && found.keys.length <= 2;
}

/** The texts of a list. */
export function textsOf(list: ListNode): string[] {
  return list.items.flatMap((each) =>
    each.kind === "scalar" && typeof each.value === "string" ? [each.value] : [],
  );
}
