/** Finds what the steps of a section make, before the steps are resolved. */
import { type Match, type SectionNode, unfolded } from "../../../spec/index.ts";
import { textOf } from "../names/resolver.ts";

/** Every match of the steps and Then cells of a section, nested ones included. */
function* matchesOf(section: SectionNode): Generator<Match> {
  const open = [...section.steps].reverse();
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield* withThen(node.match);
    for (const one of node.cases.toReversed()) open.push(one.step);
    for (const child of node.children.toReversed()) open.push(child);
  }
  for (const table of section.tables) {
    if (table.table !== "transitions" && table.table !== "cases") continue;
    for (const row of table.rows) {
      for (const cell of row.cells) {
        for (const match of unfolded(cell).matches) yield* withThen(match);
      }
    }
  }
}

function* withThen(match: Match): Generator<Match> {
  let next: Match | undefined = match;
  while (next !== undefined) {
    yield next;
    const then: Match["slots"][string] | undefined = next.slots.then;
    next = then?.kind === "step" ? then.match : undefined;
  }
}

/** Resources of which the steps make rows. */
export function createdBy(section: SectionNode): Set<string> {
  const found = new Set<string>();
  for (const match of matchesOf(section)) {
    if (match.form === "create") found.add(textOf(match, "resource"));
  }
  return found;
}

/** Resources of whose rows the steps set every member from a body that may leave some out. */
export function replacedBy(section: SectionNode): Set<string> {
  const isReplacing = [...matchesOf(section)].some((match) => match.form === "set all");
  if (!isReplacing) return new Set();
  return new Set(
    section.bullets
      .filter(({ key, match }) => key === "body" && textOf(match, "kind") === "changed")
      .map(({ match }) => textOf(match, "resource")),
  );
}
