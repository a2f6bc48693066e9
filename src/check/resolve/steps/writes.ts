/** Finds what the steps of a section make and delete, before the steps are resolved. */
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

/** Names that hold a row, with its resource, as far as bullets and Let steps tell. */
function boundRows(section: SectionNode): Map<string, string> {
  const bound = new Map<string, string>();
  for (const { key, match } of section.bullets) {
    if (key === "path") bound.set(textOf(match, "as"), textOf(match, "resource"));
    const type = match.slots.type;
    if (key === "given" && type?.kind === "type") {
      bound.set(textOf(match, "name"), textOf(type.match, "name"));
    }
  }
  return bound;
}

/** Resources of which the steps delete rows. */
export function deletedBy(section: SectionNode): Set<string> {
  const found = new Set<string>();
  const bound = boundRows(section);
  for (const match of matchesOf(section)) {
    const resource = textOf(match, "resource");
    if (match.slots.as !== undefined) bound.set(textOf(match, "as"), resource);
    if (match.form === "delete every") found.add(resource);
    if (match.form === "delete") found.add(bound.get(textOf(match, "target")) ?? "");
  }
  return found;
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
