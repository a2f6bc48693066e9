/** Merges a document of assumptions into a specification: gaps are filled, nothing overridden. */
import type { Finding, Span } from "../../base/index.ts";
import { parts as partTable, type Scope } from "../../language/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { PartNode, SectionNode, Spec } from "../../spec/index.ts";
import { contradicts, type Fill, filled, type Merge, needed, type Open, unused } from "./merge.ts";
import { mergeSection } from "./sections.ts";
import { joined, shifted } from "./shift.ts";

/** What the checker says of a specification, as far as a merge needs it. */
interface Answered {
  /** Names of items that it is silent about. */
  readonly silent: ReadonlySet<ItemId>;
  /** Facet -> stated, none, free, not shown or silent. */
  readonly facets: ReadonlyMap<string, string>;
}

interface Reading {
  readonly spec: Spec;
  readonly findings: readonly Finding[];
}

/** The specification with the assumptions in it, over one text that holds both. */
export interface Assumed {
  readonly spec: Spec;
  /** Those of both readings and of the merge. */
  readonly findings: readonly Finding[];
  readonly fills: readonly Fill[];
  /** Where items stand that have no statement of their own, such as a cell. */
  readonly places: ReadonlyMap<ItemId, Span>;
  /** Offset at which the assumptions begin in `spec.text`. */
  readonly base: number;
}

/** The facet that must be open for a heading that the document does not have. */
const FACETS: Partial<Record<Scope, string>> = {
  resource: "resources",
  machine: "states",
  endpoint: "methods",
  scheme: "scheme",
  webhook: "callbacks",
  stream: "notifications",
};

/** Headings that mean something only where something names them. */
const NAMED: ReadonlySet<Scope> = new Set(["resource", "part", "view", "shape", "routine", "call"]);

function nameOf(section: SectionNode): string {
  const value = section.heading?.slots.name;
  return value?.kind === "text" ? value.text : "";
}

/** Words of all code spans of a specification: names, and words inside expressions. */
function wordsOf(spec: Spec): Map<string, number> {
  const words = new Map<string, number>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one);
    } else if (typeof value === "object" && value !== null) {
      const { kind, text } = value as { kind?: unknown; text?: unknown };
      if (kind === "text" && typeof text === "string") {
        const found = new Set([text, ...(text.match(/[A-Za-z][A-Za-z0-9_]*/g) ?? [])]);
        for (const word of found) words.set(word, (words.get(word) ?? 0) + 1);
      }
      for (const one of Object.values(value)) visit(one);
    }
  };
  visit(spec.parts);
  return words;
}

function idsOf(spec: Spec): Set<ItemId> {
  const ids = new Set<ItemId>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const one of value) visit(one);
    } else if (typeof value === "object" && value !== null) {
      const { id } = value as { id?: unknown };
      if (typeof id === "string") ids.add(id);
      for (const one of Object.values(value)) visit(one);
    }
  };
  visit(spec.parts);
  return ids;
}

function mayAdd(merge: Merge, section: SectionNode): boolean {
  if (section.scope.startsWith("every ")) return true;
  const facet = FACETS[section.scope];
  if (facet !== undefined && merge.open.facets.has(facet)) return true;
  return NAMED.has(section.scope) && needed(merge, nameOf(section));
}

/** An empty section at the place of one that the document does not have. */
const emptied = (section: SectionNode): SectionNode => ({
  ...section,
  bullets: [],
  tables: [],
  steps: [],
  sentences: [],
  fences: [],
  prose: [],
});

function addSection(merge: Merge, part: PartNode, section: SectionNode): SectionNode | undefined {
  if (section.scope.startsWith("every ")) {
    return mergeSection(merge, { part, section: emptied(section) }, section);
  }
  if (!mayAdd(merge, section)) {
    unused(merge, section.heading ?? section);
    return undefined;
  }
  filled(merge, { part, section }, section.heading ?? section);
  return section;
}

function mergePart(merge: Merge, part: PartNode, assumed: PartNode): PartNode {
  const sections = [...part.sections];
  // The name of a section is made of its part and of the name in its heading.
  const places = new Map(sections.map((section, at) => [section.id, at]));
  for (const one of assumed.sections) {
    const at = places.get(one.id) ?? -1;
    const section = sections[at];
    if (section === undefined) {
      const added = addSection(merge, part, one);
      if (added !== undefined) sections.push(added);
    } else if (section.scope !== one.scope) {
      contradicts(merge, one.heading ?? one, section.heading ?? section);
    } else sections[at] = mergeSection(merge, { part, section }, one);
  }
  return { ...part, sections };
}

function mergeParts(merge: Merge, assumed: Spec): PartNode[] {
  const { document } = merge;
  const parts = document.parts.map((part) => {
    const other = assumed.parts.find((one) => one.id === part.id);
    return other === undefined ? part : mergePart(merge, part, other);
  });
  for (const other of assumed.parts) {
    if (document.parts.some((part) => part.id === other.id)) continue;
    const [first] = other.sections;
    const bare = { ...other, sections: first === undefined ? [] : [emptied(first)] };
    parts.push(mergePart(merge, bare, other));
  }
  const order = partTable.map((entry) => entry.id);
  return parts.sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
}

function checkTitle(merge: Merge, assumed: Spec): void {
  const wanted = `Assumptions for ${merge.document.title.text}`;
  if (assumed.title.text === wanted || assumed.title.text === "") return;
  const { start, end } = assumed.title;
  merge.findings.push({
    code: "assumption-title",
    severity: "error",
    span: { start, end },
    message: `These are not assumptions for '${merge.document.title.text}'.`,
    hint: `Begin the file with a line \`# ${wanted}\`, or name another file.`,
  });
}

/** More rounds than this mean that each answer raises a new question; the rest stays silent. */
const ROUNDS_MAX = 8;

/**
 * Puts each statement of the assumptions in the place of the gap that it answers: what is not shown
 * or silent in the document. What the document states stays; an assumption that says otherwise, or
 * that answers nothing, is a finding. `ask` says what a specification leaves open.
 */
export function assume(
  document: Reading,
  assumptions: Reading,
  ask: (spec: Spec) => Answered,
): Assumed {
  const { assumptions: behind, text, base } = joined(document.spec, assumptions.spec);
  const own = ask(document.spec);
  const isOpen = (status: string) => status === "not shown" || status === "silent";
  const facets = new Set([...own.facets].filter(([, is]) => isOpen(is)).map(([name]) => name));
  const answers = new Map([...ask(assumptions.spec).facets].filter(([, is]) => !isOpen(is)));
  const words = wordsOf(behind);
  const merged = (open: Open) => {
    const merge: Merge = {
      text,
      document: document.spec,
      open,
      answers,
      words,
      ids: idsOf(document.spec),
      fills: [],
      places: new Map(),
      findings: [],
    };
    checkTitle(merge, behind);
    const spec: Spec = { text, title: document.spec.title, parts: mergeParts(merge, behind) };
    return { spec, merge };
  };
  let silent = own.silent;
  let made = merged({ silent, facets });
  // An answer can raise a question of its own, which the assumptions may answer too.
  for (let round = 0; round < ROUNDS_MAX && made.merge.findings.length > 0; round++) {
    const more = new Set([...silent, ...ask(made.spec).silent]);
    if (more.size === silent.size) break;
    silent = more;
    made = merged({ silent, facets });
  }
  const { fills, places, findings } = made.merge;
  const read = [...document.findings, ...shifted(assumptions.findings, base)];
  return { spec: made.spec, findings: [...read, ...findings], fills, places, base };
}
