/** What owns fields: a resource or a part, and what its expressions see. */
import type { Type } from "../../../expr/index.ts";
import type { SectionNode } from "../../../spec/index.ts";
import type { FieldDraft } from "../names/collect.ts";
import { commonNames } from "../names/common.ts";
import { type View, withNames } from "../names/expression.ts";
import type { Resolver } from "../names/resolver.ts";

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
  /** What its rules and invariants see: `it`, and what every place sees. */
  readonly view: View;
  /** What is seen where a row is made: the caller surely, where all that make one have a caller. */
  readonly createView: View;
}

/** Rules and invariants hold whoever writes the row: what one request says is none of theirs. */
const NOT_HERE: ReadonlyMap<string, string> = new Map(
  ["body", "path", "query", "header", "cookie"].map((name) => [
    name,
    "a rule or invariant sees the row, `it`, and nothing of the request: give the value in the " +
      "step, `Create ... with ...`",
  ]),
);

function itView(r: Resolver, owner: Stated): View {
  const it: Type =
    owner.kind === "row"
      ? { kind: "row", resource: owner.name }
      : { kind: "object", name: `part:${owner.name}` };
  // A part is made by whoever gives one, and so perhaps where nobody asks.
  const common = commonNames(r, owner.kind === "part" ? "maybe" : undefined);
  return withNames({ ...common, advice: NOT_HERE }, [["it", it]]);
}

/** What to do where a new row shall have its caller and some step makes one without. */
function callerAdvice(owner: Stated): ReadonlyMap<string, string> {
  return new Map(NOT_HERE).set(
    "caller",
    `some step makes a \`${owner.name}\` where there may be no caller (on time, or for a request ` +
      "without credentials): give the value in each Create step, `with ...`",
  );
}

/** The owner that a section states. */
export function newOwner(r: Resolver, stated: Stated): Owner {
  const view = itView(r, stated);
  const sure = r.createdByCaller.get(stated.name) === true;
  const { names } = commonNames(r, sure ? "sure" : stated.kind === "part" ? "maybe" : undefined);
  const createView = withNames(view, names);
  return {
    ...stated,
    view,
    createView: sure ? createView : { ...createView, advice: callerAdvice(stated) },
  };
}
