/** What an endpoint reads of a request, while its inputs, body and bindings are collected. */
import type { Member, Type } from "../../../expr/index.ts";
import type { SectionNode, TextSlot } from "../../../spec/index.ts";
import type { Collected } from "../names/collect.ts";
import { type Resolver, report } from "../names/resolver.ts";

/** An endpoint being resolved. `key`: its method and path as written; `every`: what all share. */
export interface Place {
  readonly r: Resolver;
  readonly names: Collected;
  readonly section: SectionNode;
  readonly every: SectionNode | undefined;
  readonly id: string;
  readonly key: string;
}

/** Members of the objects that an endpoint's steps see, while they are collected. */
export interface Objects {
  readonly path: Map<string, Member>;
  readonly query: Map<string, Member>;
  readonly header: Map<string, Member>;
  readonly cookie: Map<string, Member>;
  readonly body: Map<string, Member>;
  /** Inputs of which it is not shown where they are: the body is one of the places. */
  readonly unplaced: Set<string>;
  /** The type of the whole body where it is no object of members. */
  whole?: Type;
}

/**
 * Adds a member of the body; a dotted name makes the objects that it passes through. Those are
 * always there: one that is not sent is read as an object without members.
 */
export function addMember(
  place: Place,
  into: Map<string, Member>,
  name: TextSlot,
  member: Member,
): void {
  const parts = name.text.split(".");
  let members = into;
  let path = `${place.key}`;
  for (const part of parts.slice(0, -1)) {
    path += `.${part}`;
    const object = `body:${path}`;
    let inner = place.r.objects.get(object);
    if (inner === undefined) {
      if (members.has(part)) readAlready(place, name, part);
      inner = new Map();
      place.r.objects.set(object, inner);
      members.set(part, { type: { kind: "object", name: object }, absent: false });
    }
    members = inner;
  }
  const last = parts.at(-1) ?? "";
  if (members.has(last)) readAlready(place, name, name.text);
  members.set(last, member);
}

function readAlready({ r }: Place, name: TextSlot, read: string): void {
  report(r, "second-name", name, { message: `\`${read}\` is read already.` });
}
