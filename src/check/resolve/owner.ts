/** What owns fields: a resource or a part, and what its expressions see. */
import type { Type } from "../../expr/index.ts";
import type { SectionNode } from "../../model/index.ts";
import type { FieldDraft } from "./collect.ts";
import { commonNames } from "./common.ts";
import { type View, withNames } from "./expression.ts";
import type { Resolver } from "./resolver.ts";

/** What states a resource or a part, with the drafts of its fields. */
interface Stated {
  readonly section: SectionNode;
  readonly name: string;
  readonly kind: "row" | "part";
  readonly drafts: readonly FieldDraft[];
  /** The names of all its fields. */
  readonly fieldNames: readonly string[];
}

/** A resource or a part. */
export interface Owner extends Stated {
  /** What its rules and promises see: `it`, and what every place sees. */
  readonly view: View;
  /** What is seen where a row is made: the caller surely, where all that make one have a caller. */
  readonly createView: View;
}

function itView(r: Resolver, owner: Stated): View {
  const it: Type =
    owner.kind === "row"
      ? { kind: "row", resource: owner.name }
      : { kind: "object", name: `part:${owner.name}` };
  return withNames(commonNames(r), [["it", it]]);
}

/** The owner that a section states. */
export function newOwner(r: Resolver, stated: Stated): Owner {
  const view = itView(r, stated);
  const sure = r.createdByCaller.get(stated.name) === true;
  const { names } = commonNames(r, sure ? "sure" : undefined);
  return { ...stated, view, createView: withNames(view, names) };
}
