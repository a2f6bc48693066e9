/** What all mergers share: the texts, what is open in the document, what was filled, findings. */
import type { Finding, Span } from "../../base/index.ts";
import type { ItemId } from "../../plan/index.ts";
import type { PartNode, SectionNode, Spec } from "../../spec/index.ts";

/** One gap of the document that an assumption answers. */
export interface Fill {
  /** Where the assumption stands. */
  readonly span: Span;
  /** Where the gap stands that it answers; none for what the document is silent about. */
  readonly instead?: Span;
  readonly part: string;
  readonly scope: string;
}

/** What the document leaves open, beside what it says is not shown. */
export interface Open {
  /** Names of items that it is silent about. */
  readonly silent: ReadonlySet<ItemId>;
  /** Names of facets that are not shown or silent. */
  readonly facets: ReadonlySet<string>;
}

export interface Merge {
  /** Both texts, one behind the other. */
  readonly text: string;
  readonly document: Spec;
  readonly open: Open;
  /** Facets that the assumptions answer, with what each says. */
  readonly answers: ReadonlyMap<string, string>;
  /** How often each word of a code span stands in the assumptions. */
  readonly words: ReadonlyMap<string, number>;
  readonly ids: Set<ItemId>;
  readonly fills: Fill[];
  /** Items that come from the assumptions and are no statement of their own, such as cells. */
  readonly places: Map<ItemId, Span>;
  readonly findings: Finding[];
}

/** Where in the two documents a statement is merged. */
export interface Place {
  readonly part: PartNode;
  readonly section: SectionNode;
}

/** Words as written, with one space between two of them. */
export function written(merge: Merge, span: Span): string {
  return merge.text.slice(span.start, span.end).replaceAll(/\s+/g, " ").trim();
}

/** Whether two stretches are the same words. */
export function same(merge: Merge, a: Span, b: Span): boolean {
  return written(merge, a) === written(merge, b);
}

const plain = ({ start, end }: Span): Span => ({ start, end });

/** Remembers that the assumption at `span` answers the gap at `instead`, or what is silent. */
export function filled(merge: Merge, place: Place, span: Span, instead?: Span): void {
  const { part, section } = place;
  const scope =
    section.heading === undefined ? part.title : section.id.slice(section.id.indexOf("/") + 1);
  merge.fills.push({
    span: plain(span),
    part: part.title,
    scope,
    ...(instead === undefined ? {} : { instead: plain(instead) }),
  });
}

const CLIP = 60;

function quoted(merge: Merge, span: Span): string {
  const text = written(merge, span);
  return text.length > CLIP ? `${text.slice(0, CLIP - 3)}...` : text;
}

/** Reports an assumption that says something else than the document. */
export function contradicts(merge: Merge, span: Span, stated: Span): void {
  merge.findings.push({
    code: "assumption-contradicts",
    severity: "error",
    span: plain(span),
    message: `The document says something else: ${quoted(merge, stated)}`,
    hint: "An assumption fills a gap and never overrides. Take it away, or repeat the document.",
    related: [{ span: plain(stated), message: "stated here" }],
  });
}

/** Reports an assumption that answers nothing. */
export function unused(merge: Merge, span: Span, why?: string): void {
  merge.findings.push({
    code: "assumption-unused",
    severity: "error",
    span: plain(span),
    message: `Nothing is missing here that this would answer: ${quoted(merge, span)}`,
    hint: why ?? "Take it away, or put it under the heading at which the gap stands.",
  });
}

/** Whether the assumptions name it at a second place besides where they state it. */
export function needed(merge: Merge, name: string): boolean {
  return (merge.words.get(name) ?? 0) > 1;
}

/** The name for an item that is new in the document: one that nothing else there has. */
export function freshId(merge: Merge, wanted: ItemId): ItemId {
  let id = wanted;
  for (let n = 2; merge.ids.has(id); n++) id = `${wanted}#${n}`;
  merge.ids.add(id);
  return id;
}

/** The same node with the name of another, which it replaces; names below it begin with it. */
export function renamed<T extends { readonly id: ItemId }>(node: T, id: ItemId): T {
  const { id: old } = node;
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === "id" && typeof member === "string" && member.startsWith(old)
          ? id + member.slice(old.length)
          : copy(member),
      ]),
    );
  };
  return copy(node) as T;
}
