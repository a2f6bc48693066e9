/** Members of a description taken as their kinds; one of another kind is told and left out. */
import type { ListNode, MapNode, Node, Place, Problem, ProblemCode } from "../tree/index.ts";
import type { Refs } from "./refs.ts";

const KINDS = { map: "an object", list: "a list", scalar: "a value" } as const;

/** Takes members apart; what it tells stands in `problems`. */
export class Reader {
  readonly refs: Refs;
  readonly problems: Problem[] = [];

  constructor(refs: Refs) {
    this.refs = refs;
  }

  tell(code: ProblemCode, place: Place, message: string, hint?: string): void {
    this.problems.push({ code, message, place, ...(hint === undefined ? {} : { hint }) });
  }

  /** The member, its reference followed, if it is an object. */
  map(owner: Node | undefined, key: string): MapNode | undefined {
    return this.of(owner, key, "map");
  }

  /** The member, its reference followed, if it is a list. */
  list(owner: Node | undefined, key: string): ListNode | undefined {
    return this.of(owner, key, "list");
  }

  private of<K extends "map" | "list">(
    owner: Node | undefined,
    key: string,
    kind: K,
  ): Extract<Node, { kind: K }> | undefined {
    const member = owner?.kind === "map" ? owner.get(key) : undefined;
    if (member === undefined) return undefined;
    const found = this.refs.follow(member);
    if (found === undefined) return undefined;
    if (found.kind === kind) return found as Extract<Node, { kind: K }>;
    this.tell("malformed", found, `\`${key}\` is ${KINDS[kind]}, not ${KINDS[found.kind]}.`);
    return undefined;
  }

  /**
   * Members that are objects, references followed. `fixed`: names with `x-` are extensions, as in
   * `paths` and `responses`; `free`: any name may stand there, as among headers and components.
   */
  named(
    owner: MapNode | undefined,
    names: "fixed" | "free" = "free",
  ): { name: string; node: MapNode; place: Place }[] {
    const found: { name: string; node: MapNode; place: Place }[] = [];
    owner?.keys.forEach((name, index) => {
      const isExtension = name.startsWith("x-");
      if (isExtension && (names === "fixed" || owner.values[index]?.kind !== "map")) return;
      const node = this.refs.follow(owner.values[index]);
      const place = owner.keyPlace(name);
      if (node?.kind === "map") found.push({ name, node, place });
      else if (node !== undefined) {
        this.tell("malformed", place, `\`${name}\` is an object, not ${KINDS[node.kind]}.`);
      }
    });
    return found;
  }
}
