/** What owns fields: a resource or a part, and what its expressions see. */
import type { Type } from "../../expr/index.ts";
import type { SectionNode } from "../../model/index.ts";
import type { FieldDraft } from "./collect.ts";
import { commonNames } from "./common.ts";
import { type View, withNames } from "./expression.ts";
import type { Resolver } from "./resolver.ts";

/** A resource or a part, with the drafts of its fields. */
export interface Owner {
  readonly section: SectionNode;
  readonly name: string;
  readonly kind: "row" | "part";
  readonly drafts: readonly FieldDraft[];
  /** The names of all its fields. */
  readonly fieldNames: readonly string[];
}

/** What its rules and promises see: `it`, and what every place sees. */
export function itView(r: Resolver, owner: Owner): View {
  const it: Type =
    owner.kind === "row"
      ? { kind: "row", resource: owner.name }
      : { kind: "object", name: `part:${owner.name}` };
  return withNames(commonNames(r), [["it", it]]);
}

/** What is seen where a row is made: the caller surely, where all that make one have a caller. */
export function createView(r: Resolver, owner: Owner): View {
  const sure = r.createdByCaller.get(owner.name) === true;
  const names = commonNames(r, sure ? "sure" : undefined).names;
  return withNames(itView(r, owner), names);
}
